import Big from 'big.js';

/** A JSON number as the exchange wrote it, digit for digit: `1.10`, `-0`, `1E-7`, ids beyond 2^53. */
export type NumberText = string;

const shape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?0*\d{1,3})?$/;
const maxLength = 400;

/**
 * Whether `text` is a number in JSON's notation that the functions here accept: up to 400 characters
 * and an exponent of three digits, so that its plain notation stays short enough to hold.
 */
export function isNumberText(text: string): text is NumberText {
  return text.length <= maxLength && shape.test(text);
}

/** The same value without an exponent and with every digit: `1E-7` gives `0.0000001`, `1.10` stays. */
export function plain(text: NumberText): string {
  return /[eE]/.test(text) ? new Big(text).toFixed() : text;
}

/** −1, 0 or 1; `-0` is 0. */
export function sign(text: NumberText): -1 | 0 | 1 {
  const value = new Big(text);
  if (value.eq(0)) return 0;
  return value.gt(0) ? 1 : -1;
}

/** Whether the value is 0, in any notation. */
export function isZero(text: NumberText): boolean {
  return /^-?0(?:\.0+)?(?:[eE]|$)/.test(text);
}

/** The value with the other sign, digit for digit. */
export function negated(text: NumberText): NumberText {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** An exact number, which is faster to add than its text: the integer times 10 to the power of `-fraction`. */
export type Amount = { readonly integer: bigint; readonly fraction: number };

export const zeroAmount: Amount = { integer: 0n, fraction: 0 };

/** With the decimals that it is written with. */
export function amountOf(text: NumberText): Amount {
  const written = plain(text);
  const point = written.indexOf('.');
  if (point < 0) return { integer: BigInt(written), fraction: 0 };
  const digits = written.slice(0, point) + written.slice(point + 1);
  return { integer: BigInt(digits), fraction: written.length - point - 1 };
}

export function added(one: Amount, other: Amount): Amount {
  const fraction = Math.max(one.fraction, other.fraction);
  return { integer: integerAt(one, fraction) + integerAt(other, fraction), fraction };
}

export function less(one: Amount, other: Amount): Amount {
  return added(one, negative(other));
}

export function times(one: Amount, other: Amount): Amount {
  return { integer: one.integer * other.integer, fraction: one.fraction + other.fraction };
}

export function negative({ integer, fraction }: Amount): Amount {
  return { integer: -integer, fraction };
}

/** The value without its sign. */
export function sizeOf(amount: Amount): Amount {
  return amount.integer < 0n ? negative(amount) : amount;
}

/** Rounded to 20 decimals; throws if the divisor is 0. */
export function divided(one: Amount, other: Amount): Amount {
  const [dividend, divisor] = [sizeOf(one).integer, sizeOf(other).integer];
  const scale = 20 + other.fraction - one.fraction;
  const [above, below] = [powerOfTen(Math.max(0, scale)), powerOfTen(Math.max(0, -scale))];
  const rounded = (2n * dividend * above + divisor * below) / (2n * divisor * below);
  const isNegative = one.integer < 0n !== other.integer < 0n;
  return { integer: isNegative ? -rounded : rounded, fraction: 20 };
}

export function signOf({ integer }: Amount): -1 | 0 | 1 {
  if (integer === 0n) return 0;
  return integer > 0n ? 1 : -1;
}

/** The integer that the amount has with this fraction, which is not less than its own. */
export function integerAt({ integer, fraction }: Amount, wanted: number): bigint {
  return fraction === wanted ? integer : integer * powerOfTen(wanted - fraction);
}

const fewPowers: readonly bigint[] = Array.from(
  { length: 32 },
  (_none, index) => 10n ** BigInt(index),
);

export function powerOfTen(exponent: number): bigint {
  return fewPowers[exponent] ?? 10n ** BigInt(exponent);
}

/** The exact sum in plain notation; `0` for an empty list. */
export function sum(texts: readonly NumberText[]): NumberText {
  return textOf(texts.map(amountOf).reduce(added, zeroAmount));
}

/** The integers of amounts with one fraction: unlike amounts, they can be compared and be members of sets. */
export type Scale = {
  readonly integerOf: (text: NumberText) => bigint;
  readonly textOf: (integer: bigint) => NumberText;
};

/** With the most decimals that one of the numbers is written with. */
export function scaleOf(texts: readonly NumberText[]): Scale {
  const fraction = mostDecimals(texts);
  return {
    integerOf: (text) => integerAt(amountOf(text), fraction),
    textOf: (integer) => textOf({ integer, fraction }),
  };
}

/** In plain notation, without zeros at its end. */
export function textOf({ integer, fraction }: Amount): NumberText {
  if (fraction === 0 || integer === 0n) return String(integer);
  const isNegative = integer < 0n;
  const digits = String(isNegative ? -integer : integer).padStart(fraction + 1, '0');
  let end = digits.length;
  while (end > digits.length - fraction && digits[end - 1] === '0') end -= 1;
  const point = digits.length - fraction;
  const decimals = end > point ? `.${digits.slice(point, end)}` : '';
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}${decimals}`;
}

/** The value without its sign, in plain notation. */
export function absolute(text: NumberText): NumberText {
  return plain(text).replace(/^-/, '');
}

/** −1, 0 or 1 as the first is less than, equal to or greater than the second. */
export function compare(first: NumberText, second: NumberText): -1 | 0 | 1 {
  return new Big(first).cmp(second);
}

/** The least and the greatest of at least one number, each as it is written; the first of equal ones. */
export function extremes(texts: readonly NumberText[]): { min: NumberText; max: NumberText } {
  const integers = texts.map(scaleOf(texts).integerOf);
  const first = integers[0] ?? 0n;
  let [least, greatest] = [first, first];
  for (const integer of integers)
    if (integer < least) least = integer;
    else if (integer > greatest) greatest = integer;
  const written = (integer: bigint): NumberText => texts[integers.indexOf(integer)] ?? '0';
  return { min: written(least), max: written(greatest) };
}

/** Whether two texts are the same number, such as `10` and `10.0`, or the same text. */
export function isSame(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  return isNumberText(one) && isNumberText(other) && compare(one, other) === 0;
}

/** The exact difference in plain notation. */
export function difference(first: NumberText, second: NumberText): NumberText {
  return textOf(less(amountOf(first), amountOf(second)));
}

/** The exact product in plain notation. */
export function product(first: NumberText, second: NumberText): NumberText {
  return textOf(times(amountOf(first), amountOf(second)));
}

/** The quotient in plain notation, rounded to 20 decimals; throws if the divisor is 0. */
export function quotient(dividend: NumberText, divisor: NumberText): NumberText {
  return textOf(divided(amountOf(dividend), amountOf(divisor)));
}

/** How many digits follow the decimal point in plain notation. */
export function fractionDigits(text: NumberText): number {
  const written = plain(text);
  const point = written.indexOf('.');
  return point < 0 ? 0 : written.length - point - 1;
}

/** The most of them that a number has; 0 for an empty list. */
export function mostDecimals(texts: readonly NumberText[]): number {
  return texts.reduce((most, text) => Math.max(most, fractionDigits(text)), 0);
}

/**
 * The average of at least one number with this exact sum, with up to four decimals more than the number
 * that has the most. `isExact` is false if it had to be rounded.
 */
export function average(
  texts: readonly NumberText[],
  exactSum: NumberText,
): { text: NumberText; isExact: boolean } {
  const Rounding = Big();
  Rounding.DP = 4 + mostDecimals(texts);
  const total = new Rounding(exactSum);
  const result = total.div(texts.length);
  return { text: result.toFixed(), isExact: result.times(texts.length).eq(total) };
}

/** A count as the exchange writes one; undefined for anything else. */
export function parseCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Shown for an unknown value: never 0. */
export const unknownText = '—';

/**
 * How many decimals of a figure in plain notation are shown at first: two, or what four significant digits
 * need, up to `most`. A figure that is not 0 has at least its first digit other than 0.
 */
export function compactDecimals(text: NumberText, most = Number.POSITIVE_INFINITY): number {
  const point = text.indexOf('.');
  if (point < 0) return 0;
  const start = text.startsWith('-') ? 1 : 0;
  const decimals = text.length - point - 1;
  let zeros = 0;
  while (text[point + 1 + zeros] === '0') zeros += 1;
  const isFraction = text[start] === '0' && zeros < decimals;
  const significant = isFraction ? zeros + 4 : 4 - (point - start);
  const wanted = Math.max(Math.min(Math.max(2, significant), most), isFraction ? zeros + 1 : 0);
  return Math.min(wanted, decimals);
}

/** With `decimals` from 1 up, and two significant digits below, cut toward zero; a whole number has none. */
export function shortPercentage(text: NumberText, decimals: number): NumberText {
  const value = new Big(text);
  if (value.eq(value.round(0, Big.roundDown))) return value.eq(0) ? '0' : value.toFixed();
  if (value.e < 0) return value.round(1 - value.e, Big.roundDown).toFixed();
  return value.round(decimals, Big.roundDown).toFixed(decimals);
}

/** From 10,000 on in thousands or millions, with three significant digits cut toward zero. */
export function inThousands(text: NumberText): {
  readonly scaled: NumberText;
  readonly unit: '' | 'k' | 'M';
  readonly isExact: boolean;
} {
  const value = new Big(text);
  const size = value.abs();
  if (size.lt(10_000)) return { scaled: text, unit: '', isExact: true };
  const isMillions = size.gte(1_000_000);
  const scaled = value.div(isMillions ? 1_000_000 : 1000);
  const cut = scaled.round(Math.max(0, 2 - scaled.e), Big.roundDown);
  return { scaled: cut.toFixed(), unit: isMillions ? 'M' : 'k', isExact: cut.eq(scaled) };
}
