/** A number from 0 up to 1 that depends on nothing but `key`: the same on every machine and Node. */
export function unitOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
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
