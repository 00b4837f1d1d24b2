import type { Row } from './reading.ts';
import type { Order } from './state.ts';

/** How these rows are ordered by the unit of their time; unknown where they are all of one. */
export function orderOf(rows: readonly Row[]): Order {
  let [rises, falls] = [false, false];
  rows.forEach(({ unit }, index) => {
    const before = rows[index - 1]?.unit ?? unit;
    rises ||= unit > before;
    falls ||= unit < before;
  });
  if (rises && falls) return 'none';
  if (rises) return 'oldestFirst';
  return falls ? 'newestFirst' : 'unknown';
}

/** Evidence from here on is taken for an order that holds: one accident in 2^40. */
export const enoughBits = 40;

/**
 * How unlikely it is that rows without an order came ordered, in bits: the logarithm of the number
 * of ways in which n rows with ties can be laid out, n! / (k₁! · k₂! · …).
 */
export function evidenceOf(rows: readonly Row[]): number {
  let bits = 0;
  let tied = 0;
  rows.forEach(({ unit }, index) => {
    tied = rows[index - 1]?.unit === unit ? tied + 1 : 1;
    bits += Math.log2(index + 1) - Math.log2(tied);
  });
  return bits;
}
