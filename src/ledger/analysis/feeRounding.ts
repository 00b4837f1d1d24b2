import { absolute, fractionDigits, isZero, plain, type NumberText } from '../../base/decimal.ts';
import { less, signOf, type ExactAmount } from './exactAmount.ts';

/** How many digits a number keeps in binary floating point: with more, it may be the nearest representable one. */
const exactDigits = 15;
/** How many fees before and after a fee show how it was rounded. */
export const neighbourCount = 9;
/** The fewest of them whose last digit is written: one in ten ends in 0, which is not written. */
const fewestWithDigits = 7;

/** How fees are rounded: to at least `decimals` decimals, or to `digits` significant digits. */
export type Precision = { readonly decimals: number; readonly digits: number };

/** To how many decimals a fee was rounded at least: those that it is written with. */
export function writtenDecimals(fee: NumberText): number {
  return lastDecimal(fee) - Math.max(0, significantDigits(fee) - exactDigits);
}

/** The highest precision that any of these fees is written with. */
export function highestPrecision(fees: readonly NumberText[]): Precision {
  return {
    decimals: Math.max(0, ...fees.map(writtenDecimals)),
    digits: Math.max(0, ...fees.map(significantDigits)),
  };
}

/**
 * The precision that most of the neighbours of a fee are written with. It may change: only what holds before and
 * after a fee holds for it. Undefined if there are not enough neighbours.
 */
export function neighbourPrecision({
  before,
  after,
}: Readonly<Record<'before' | 'after', readonly NumberText[]>>): Precision | undefined {
  if (Math.min(before.length, after.length) < fewestWithDigits) return undefined;
  const held = (count: (fee: NumberText) => number): number =>
    Math.min(...[before, after].map((fees) => heldByMost(fees.map(count))));
  return { decimals: held(writtenDecimals), digits: held(significantDigits) };
}

/** To how many decimals a fee was rounded at least if fees have this precision. */
export function decimalsAt(fee: NumberText, { decimals, digits }: Precision): number {
  const written = writtenDecimals(fee);
  // Rounding to significant digits never makes a fee 0.
  if (isZero(fee)) return Math.max(written, decimals);
  return Math.max(written, Math.min(decimals, Math.min(digits, exactDigits) - wholeDigits(fee)));
}

/**
 * Whether a number differs from 0 by more than a unit of this decimal. No rounding does, not even upwards after
 * arithmetic that was not exact.
 */
export function isBeyond({ integer, fraction }: ExactAmount, decimals: number): boolean {
  const size = { integer: integer < 0n ? -integer : integer, fraction };
  return signOf(less(size, { integer: 1n, fraction: decimals })) > 0;
}

function heldByMost(counts: readonly number[]): number {
  return counts.toSorted((one, other) => other - one)[fewestWithDigits - 1] ?? 0;
}

/** The place of the last digit. The zeros at the end of a whole number may be there for its size only. */
function lastDecimal(text: NumberText): number {
  const zeros = /^-?\d*[1-9](0+)$/.exec(plain(text))?.[1] ?? '';
  return zeros === '' ? fractionDigits(text) : -zeros.length;
}

function significantDigits(text: NumberText): number {
  return isZero(text) ? 0 : lastDecimal(text) + wholeDigits(text);
}

/** How many digits stand before the point; negative by the zeros after it. */
function wholeDigits(text: NumberText): number {
  const [whole = '', fraction = ''] = absolute(text).split('.');
  return whole === '0' ? -fraction.replace(/[1-9].*$/, '').length : whole.length;
}
