export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
/** A day of the clock: a day of the calendar is an hour more or less when clocks change. */
export const dayMs = 24 * hourMs;

/** Earlier than any exchange of this kind. */
export const earliestMs = Date.UTC(2009, 0, 1);

/** The last moment that a Date can hold. */
export const lastDateMs = 8.64e15;

/** Timestamps have 13 digits since 9 September 2001: older records cannot be read. Dates some days before this one have as many. */
export const firstTimestampMs = Date.UTC(2001, 8, 12);

/** Time as the code sees it, and timers that a test can own. */
export type Clock = {
  /** Milliseconds since the Unix epoch: what is shown, stored and shared. Anybody may set this clock at any time. */
  now(): number;
  /** Milliseconds that only grow: how much time has passed. `createMachineClock` also counts the sleep of the machine. */
  steadyNow(): number;
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  steadyNow: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Epoch milliseconds as of now, and from then on by the steady clock. */
export function steadyTimeOf(clock: Clock): () => number {
  const startMs = clock.now() - clock.steadyNow();
  return () => Math.round(startMs + clock.steadyNow());
}

/** Ten digits are seconds from 2001 to 2286; three, six or nine more are their thousandths and so on. */
const timestamp = /^[1-9]\d{9}(?:\d{3}){0,3}$/;

/** As languages write floats: `1790000000000.5`, `1.79E12`. */
const float = /^([1-9]\d*)(?:\.(\d+))?(?:[eE]\+?(\d{1,2}))?$/;

/**
 * Whether `text` is a timestamp: seconds, milliseconds, microseconds or nanoseconds since the epoch,
 * recognised by the 10, 13, 16 or 19 digits of its whole part. The API promises 13, and no fraction.
 */
export function isTimestamp(text: string): boolean {
  return digitsOf(text) !== undefined;
}

/** A timestamp in epoch milliseconds, truncated; undefined if the text is not a timestamp. */
export function parseTimestampMs(text: string): number | undefined {
  const digits = digitsOf(text);
  return digits === undefined ? undefined : Number(digits.padEnd(13, '0').slice(0, 13));
}

/** The part of a timestamp after whole seconds, with every digit: `.123`, `.123456`, or nothing. */
export function fractionOfSecond(text: string): string {
  const fraction = digitsOf(text)?.slice(10);
  return fraction ? `.${fraction}` : '';
}

/** The ten digits of a timestamp's seconds and all after them, in plain notation. */
function digitsOf(text: string): string | undefined {
  if (timestamp.test(text)) return text;
  const [, whole = '', fraction = '', exponent = '0'] = float.exec(text) ?? [];
  const length = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(length, '0');
  return timestamp.test(digits.slice(0, length)) ? digits : undefined;
}

/**
 * A timestamp as ISO 8601 in UTC, with every digit of its fraction: `2026-11-20T10:00:00.123Z`. Text that
 * is not a timestamp is returned unchanged.
 */
export function isoTime(text: string): string {
  const epochMs = parseTimestampMs(text);
  if (epochMs === undefined) return text;
  return `${new Date(epochMs).toISOString().slice(0, 19)}${fractionOfSecond(text)}Z`;
}
