/** Adds a whole number to a hash. Prices are calculated too often for a key made of text. */
export function hashNumber(hash: number, number: number): number {
  return mixBits(mixBits(hash ^ (number | 0)) ^ Math.floor(number / 2 ** 32));
}

/** A number from 0 (included) to 1 (excluded) that depends only on `hash`. */
export function unitFromHash(hash: number): number {
  return (hash >>> 0) / 2 ** 32;
}

/** Makes every bit of a hash depend on every other. */
function mixBits(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** A sequence of random values that depends only on its key, on every machine. */
export class SeededRandom {
  private readonly keyHash: number;
  private count = 0;

  constructor(key: string) {
    this.keyHash = hashText(key);
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** True with a probability of `percent`. */
  chance(percent: number): boolean {
    return this.unit() * 100 < percent;
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join('');
    const variant = this.integer(8, 11).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join('-');
  }

  private unit(): number {
    return unitFromHash(mixBits(hashText(`#${this.count++}`, this.keyHash)));
  }
}

/** The FNV-1a hash of a text, which continues the hash of the text before it. */
function hashText(text: string, before = 0x811c9dc5): number {
  let hash = before;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
