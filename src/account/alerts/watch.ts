const minuteMs = 60_000;

/** For so long nothing is said again of the same subject, however often it comes and goes. */
export const coolDownMs = 10 * minuteMs;

/** Whoever sees something for the first time holds it for known where it was told within this time. */
export const rememberMs = 60 * minuteMs;

/** Whether something was within that time; a later moment is one of a clock that was set back since. */
export function isOfLastHour(at: number, now: number): boolean {
  return at <= now && now - at <= rememberMs;
}

/** What passed its limit is back only so many percentage points on the other side, so that a figure on the edge crosses it once. */
export const leavingPoints = '1';

/** When something was told last, in any window: epoch milliseconds by subject. */
export type Told = ReadonlyMap<string, number>;

/** What one window knows of something that is worth a notice once it begins. */
export type Watch = {
  readonly holds: boolean;
  /** What was told before this moment was of an earlier time: when it was last seen not to hold. */
  readonly newSince: number;
};

/**
 * The watch after another look; `firstSince` is its `newSince` where it holds at the first look. Where
 * the clock was set back it is now new: what is told from now on is not of an earlier time.
 */
export function looked(
  before: Watch | undefined,
  holds: boolean,
  { now, firstSince }: { readonly now: number; readonly firstSince: number },
): Watch {
  return { holds, newSince: holds ? Math.min(before?.newSince ?? firstSince, now) : now };
}

/**
 * Whether it is to be told: it holds, nobody told of it since it began, and what was told of it
 * before is long enough ago. A notice that the cool-down holds back is due after it if it still holds.
 */
export function isDue(
  { holds, newSince }: Watch,
  toldAt: number | undefined,
  now: number,
): boolean {
  if (!holds) return false;
  if (toldAt === undefined) return true;
  return toldAt < newSince && now - toldAt >= coolDownMs;
}
