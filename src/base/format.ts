import Big from 'big.js';
import type { NumberText } from './decimal.ts';

/** What stands where a value is unknown: never 0. */
export const unknownValue = '—';

/**
 * A short form for a glance, cut toward zero so that it never promises more than there is: two
 * decimals from 1 up, else four significant digits. The full value must be one hover away.
 */
export function glance(text: NumberText): string {
  const value = new Big(text);
  if (value.eq(0)) return '0';
  const decimals = value.abs().gte(1) ? 2 : 3 - value.e;
  const cut = value.round(decimals, Big.roundDown);
  return value.abs().gte(1) ? cut.toFixed(2) : cut.toFixed();
}
