/** Ten digits are seconds from 2001 to 2286; three, six or nine more are their thousandths and so on. */
const timestamp = /^[1-9]\d{9}(?:\d{3}){0,3}$/;

/**
 * Whether `text` is a timestamp: a whole number of seconds, milliseconds, microseconds or
 * nanoseconds since the epoch, told apart by its 10, 13, 16 or 19 digits. The interface promises 13.
 */
export function isTimestamp(text: string): boolean {
  return timestamp.test(text);
}

/** A timestamp in epoch milliseconds, cut to the whole one; undefined for what is none. */
export function epochMsOf(text: string): number | undefined {
  return isTimestamp(text) ? Number(text.padEnd(13, '0').slice(0, 13)) : undefined;
}

/** What a timestamp tells beyond whole seconds, as it came: `.123`, `.123456`, or nothing. */
export function fractionOf(timestamp: string): string {
  return timestamp.length > 10 ? `.${timestamp.slice(10)}` : '';
}
