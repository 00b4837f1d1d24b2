/** A number from 0 up to 1 that depends on nothing but `key`: the same on every machine and Node. */
export function unitOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return unitFrom(scattered(hash));
}

/** A hash of a hash and a whole number more: a key that needs no text, for what is asked very often. */
export function hashWith(hash: number, number: number): number {
  return scattered(scattered(hash ^ (number | 0)) ^ Math.floor(number / 2 ** 32));
}

/** A number from 0 up to 1 that depends on nothing but the hash. */
export function unitFrom(hash: number): number {
  return (hash >>> 0) / 2 ** 32;
}

/** Lets every bit of a hash depend on every other. */
function scattered(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** A row of draws that depends on nothing but its key. */
export class Draws {
  private readonly key: string;
  private drawn = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** A whole number from `low` to `high`, both possible. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** True in about `percent` of a hundred draws. */
  chance(percent: number): boolean {
    return this.unit() * 100 < percent;
  }

  /** A text in the shape of a version 4 UUID. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.whole(0, 15).toString(16)).join('');
    const variant = this.whole(8, 11).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }

  private unit(): number {
    return unitOf(`${this.key}#${this.drawn++}`);
  }
}
