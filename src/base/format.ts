import Big from 'big.js';
import { plain, type NumberText } from './decimal.ts';
import { epochMsOf, fractionOf } from './instant.ts';

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

/** Groups the digits before the point by thousands, exactly: `-1234567.10` gives `-1,234,567.10`. */
export function grouped(text: NumberText): string {
  const [whole = '', fraction] = plain(text).split('.');
  const withCommas = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
}

/**
 * A timestamp of seconds or finer as `2026-11-20 10:00:00.123 UTC`, with every digit of its
 * fraction; anything else as it came.
 */
export function utcTime(text: NumberText): string {
  const epochMs = epochMsOf(text);
  if (epochMs === undefined) return text;
  const seconds = new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}${fractionOf(text)} UTC`;
}
