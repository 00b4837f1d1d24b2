import Big from 'big.js';
import { rawNumber } from '../base/rawJson.ts';

/** A value as JSON text; a Big or a bigint becomes a number with every digit, in plain notation. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, written: unknown) {
    // `written` is what toJSON made of it: a Big would have become a string already.
    const own = this[key];
    if (own instanceof Big) return rawNumber(own.eq(0) ? '0' : own.toFixed());
    return typeof own === 'bigint' ? rawNumber(own.toString()) : written;
  });
}
