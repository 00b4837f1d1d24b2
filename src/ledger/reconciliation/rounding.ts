import { plain, type NumberText } from '../../base/decimal.ts';

/** A double is right to 15 digits, and written with up to 17. */
const rightDigits = 15;
const mostDigits = 17;
/** So many roundings of doubles change less than one unit of the last right digit. */
const roundingsOfUnit = 8;

/** Whether one of these numbers is written as doubles are. */
export function areDoubles(numbers: readonly NumberText[]): boolean {
  return numbers.some((text) => text.length > rightDigits && doubtfulDigits(text) > 0);
}

/**
 * How far sums of these numbers may be apart if they are computed with doubles: less than a unit of the 15th
 * digit of the largest. Nowhere if rows are written with more digits than doubles have.
 */
export function floatTolerance(rows: readonly bigint[], figures: readonly bigint[] = []): bigint {
  const places = longest([...figures, ...rows]);
  if (places <= rightDigits || longest(rows, /0+$/) > mostDigits) return 0n;
  const units = BigInt(1 + Math.floor(rows.length / roundingsOfUnit));
  return units * 10n ** BigInt(places - rightDigits) - 1n;
}

/** How many of its digits are not right if it is written as doubles are; else 0. */
export function doubtfulDigits(text: NumberText): number {
  const { length } = plain(text)
    .replace('.', '')
    .replace(/^-?0*|0*$/g, '');
  return length > rightDigits && length <= mostDigits ? length - rightDigits : 0;
}

function longest(numbers: readonly bigint[], without = /^-/): number {
  const lengths = numbers.map((each) => String(magnitude(each)).replace(without, '').length);
  return lengths.reduce((most, each) => Math.max(most, each), 0);
}

export function magnitude(integer: bigint): bigint {
  return integer < 0n ? -integer : integer;
}
