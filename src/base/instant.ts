/**
 * A timestamp in epoch milliseconds, by its magnitude: 10 digits are seconds, 13 milliseconds, 16
 * micro- and 19 nanoseconds. Undefined where it is none of them.
 */
export function epochMsOf(text: string): number | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  if (text.length <= 11) return Number(text) * 1000;
  if (text.length <= 14) return Number(text);
  return Number(text.slice(0, text.length <= 17 ? -3 : -6));
}
