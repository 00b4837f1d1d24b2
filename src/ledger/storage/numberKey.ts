import { plain, type Amount, type NumberText } from '../../base/decimal.ts';

/** A value that SQLite stores in a column of integers. A Uint8Array is the text of what is not such an integer. */
export type SqlInteger = number | bigint | Uint8Array | null;

/**
 * A number as three integers that sort exactly, compared one after the other, and that SQLite can add: the
 * whole part, and twice nine digits of the fraction. Each has the number's sign. A number with more than 18
 * digits on a side of its point is its text instead, which SQLite sorts after all integers.
 */
type NumberKey = readonly [whole: SqlInteger, nano: number | null, atto: number | null];

/** The digits that a part of a key can have. */
const wholeDigits = 18;
const limbDigits = 9;
/** Up to how many digits every integer is exact as a JavaScript number. */
const exactDigits = 15;
const nullKey: NumberKey = [null, null, null];

export function numberKey(text: NumberText | null): NumberKey {
  if (text === null) return nullKey;
  const written = plain(text);
  const isNegative = written.startsWith('-');
  const point = written.indexOf('.');
  const whole = written.slice(isNegative ? 1 : 0, point < 0 ? undefined : point);
  const fraction = point < 0 ? '' : significant(written.slice(point + 1));
  if (whole.length > wholeDigits || fraction.length > 2 * limbDigits)
    return [textKey(text), null, null];
  const signed = (value: number): number => (isNegative && value !== 0 ? -value : value);
  const wholeKey =
    whole.length <= exactDigits ? signed(Number(whole)) : BigInt(isNegative ? `-${whole}` : whole);
  return [wholeKey, signed(limb(fraction, 0)), signed(limb(fraction, limbDigits))];
}

/** An id as one integer; ids of more than 18 digits as text, which sorts after all integers. */
export function idKey(id: string): SqlInteger {
  if (id.length <= exactDigits) return Number(id);
  return id.length > wholeDigits ? textKey(id) : BigInt(id);
}

/** The same of an id that is a text in SQL. */
export function idKeySql(id: string): string {
  return `CASE WHEN length(${id}) > ${wholeDigits}
    THEN CAST(unhex(printf('%02x', min(length(${id}), 255))) || ${id} AS BLOB) ELSE CAST(${id} AS INTEGER) END`;
}

/** The id of a key, in SQL. */
export function idTextSql(key: string): string {
  return `CAST(iif(typeof(${key}) = 'blob', substr(${key}, 2), ${key}) AS TEXT)`;
}

/** How many digits the id of a key has; 1 for one below 0, beside which there may be any. */
export function idDigitsSql(key: string): string {
  return `CASE WHEN typeof(${key}) = 'blob' THEN length(${key}) - 1 WHEN ${key} < 0 THEN 1 ELSE length(${key}) END`;
}

/** Begins with how many digits it has: longer numbers sort later, except below zero. */
export function textKey(text: string): Uint8Array {
  const digits = /^-?\d*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.from([Math.min(digits, 255)]), Buffer.from(text)]);
}

/** What `textKey` was made of. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key.subarray(1)).toString();
}

/** The value of a key, or of added keys. */
export function amountOfKey(whole: bigint, nano: bigint, atto: bigint): Amount {
  return { integer: (whole * 10n ** 9n + nano) * 10n ** 9n + atto, fraction: 2 * limbDigits };
}

/** Nine digits of a fraction from `start` on, as an integer. */
function limb(fraction: string, start: number): number {
  if (fraction.length <= start) return 0;
  return Number(fraction.slice(start, start + limbDigits).padEnd(limbDigits, '0'));
}

/** Without the zeros at its end, if there are more digits than the key has. */
function significant(fraction: string): string {
  return fraction.endsWith('0') ? fraction.replace(/0+$/, '') : fraction;
}
