import { dayMs } from '../../base/durations.ts';
import type { DialectBook } from './dialectBook.ts';
import type { Observation } from './facts.ts';
import type { Attempt } from './listForms.ts';

const shorterDays = [180, 90, 30, 7] as const;
const tenYearsMs = 3650 * dayMs;

type Range = { readonly from: number | undefined; readonly to: number };

/**
 * How many days may be asked at once, when this range was refused: the longest of the usual bounds
 * that is `accepted`. Undefined when it was not for its length: its first day is refused too, which may
 * be too long ago; or no shorter range is refused, and a long one is accepted now. Asks five times at
 * most.
 */
async function findRangeDays(
  { from, to }: Range,
  accepted: (range: Range) => Promise<boolean>,
): Promise<number | undefined> {
  const lengthMs = to - (from ?? -Infinity);
  const firstDay = from ?? to - dayMs;
  if (lengthMs <= dayMs) return undefined;
  if (!(await accepted({ from: firstDay, to: firstDay + dayMs }))) return undefined;
  const shorter = shorterDays.filter((days) => days * dayMs < lengthMs);
  let refusals = 0;
  for (const days of shorter) {
    if (await accepted({ from: to - days * dayMs, to })) {
      if (refusals > 0) return days;
      break;
    }
    refusals += 1;
  }
  if (refusals === 0 && (await accepted({ from: from ?? to - tenYearsMs, to }))) return undefined;
  return refusals > 0 ? 1 : (shorter[0] ?? 1);
}

/** A period that was refused, on the first page, and how a shorter one is asked for. */
export type RefusedRange = Range & {
  readonly refused: Observation;
  readonly attempt: (range: Range) => Promise<Attempt<unknown>>;
};

/** Remembers how many days may be asked at once, if the refusal was for that. */
export async function learnRange(
  book: DialectBook,
  { refused, attempt, ...asked }: RefusedRange,
  now: () => number,
): Promise<void> {
  const evidence = [refused];
  const days = await findRangeDays(asked, async (range) => {
    const answer = await attempt(range);
    evidence.push(answer.observation);
    return 'page' in answer;
  });
  if (days === undefined) return;
  book.learn('maxRangeDays', {
    ...{ concluded: days, reason: 'rangeRefused', evidence },
    seenAt: now(),
  });
}
