import type { Period } from './dates.ts';
import type { Dialect } from './dialect.ts';
import type { SeenPage, SeenRow } from './seenPage.ts';

/*
 * What pages tell, as pure decisions. Each gives undefined where they do not tell: then nothing is
 * concluded.
 */

/** The order of rows by time; undefined for fewer than two times. */
export function orderOf(rows: readonly SeenRow[]): Dialect['sort'] | undefined {
  const times = rows.flatMap(({ time }) => time ?? []);
  if (new Set(times).size < 2) return undefined;
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (steps.every((step) => step <= 0)) return 'newestFirst';
  return steps.every((step) => step >= 0) ? 'oldestFirst' : 'none';
}

/** What a page of fewer rows than were asked tells of a cap. */
export type SizeSeen =
  | { readonly kind: 'cap'; readonly size: number }
  /** As many rows came as were asked. */
  | { readonly kind: 'whole' }
  /** There is a cap if there are more rows behind these. */
  | { readonly kind: 'perhaps'; readonly size: number };

/**
 * Judges the first page: on a later one there may be fewer rows for want of more. What an envelope
 * calls its size may be the number of its rows, and its total that of another filter: they tell of a
 * cap only where the number of pages agrees with both.
 */
export function sizeSeen(asked: number, firstPage: SeenPage): SizeSeen | undefined {
  const { records, size, totalElements, totalPages } = firstPage;
  if (records >= asked) return { kind: 'whole' };
  if (records === 0) return undefined;
  const hasMore = totalElements !== undefined && totalElements > records;
  const agrees = hasMore && totalPages === Math.ceil(totalElements / records);
  if (size === records && agrees) return { kind: 'cap', size };
  const mayHaveMore = hasMore || (size === records && totalElements === undefined);
  return mayHaveMore ? { kind: 'perhaps', size: records } : undefined;
}

/** Where a page begins in rows that are known from the beginning on, in pages of this size. */
export function pageBegins(
  known: readonly SeenRow[],
  size: number,
  answer: readonly SeenRow[],
): number | undefined {
  const windows = answer.flatMap(({ id }) => {
    const at = known.findIndex((row) => row.id === id);
    return at < 0 ? [] : [Math.floor(at / size)];
  });
  const counts = new Map<number, number>();
  for (const window of windows) counts.set(window, (counts.get(window) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most && most[1] * 2 > answer.length && answer.length <= size ? most[0] : undefined;
}

/**
 * Whether a page is an earlier one again, but for rows that came or left meanwhile; undefined where
 * half of its rows are there.
 */
export function repeats(
  earlier: readonly SeenRow[],
  later: readonly SeenRow[],
): boolean | undefined {
  const ids = new Set(later.map(({ id }) => id));
  const again = earlier.filter(({ id }) => ids.has(id)).length;
  return again * 2 === earlier.length ? undefined : again * 2 > earlier.length;
}

/** A range to try a form of dates with: the known rows in its first step, and those in its last. */
export type TrialRange = {
  readonly first: Required<Period>;
  /** Undefined where there are too few times: then `dateTo` names the step after `first`. */
  readonly last: Required<Period> | undefined;
};

/**
 * The shortest range that has known rows in its first step and in its last, and known rows outside
 * of it; undefined for fewer than two steps.
 */
export function trialRange(
  known: readonly SeenRow[],
  stepOf: (epochMs: number) => Required<Period>,
): TrialRange | undefined {
  const steps = stepsIn(known, stepOf);
  const [, second, third] = steps;
  if (!second) return undefined;
  if (!third) return { first: second, last: undefined };
  const inner = steps.length === 3 ? steps.slice(1) : steps.slice(1, -1);
  const pairs = inner.slice(1).map((last, index) => ({ first: inner[index] ?? last, last }));
  return pairs.sort((one, other) => lengthOf(one) - lengthOf(other))[0];
}

function stepsIn(
  known: readonly SeenRow[],
  stepOf: (epochMs: number) => Required<Period>,
): readonly Required<Period>[] {
  const times = known.flatMap(({ time }) => time ?? []).sort((a, b) => a - b);
  const steps: Required<Period>[] = [];
  for (const time of times) if (time >= (steps.at(-1)?.to ?? -Infinity)) steps.push(stepOf(time));
  return steps;
}

function lengthOf({ first, last }: { first: Required<Period>; last: Required<Period> }): number {
  return last.from - first.from;
}

/**
 * Whether the rows in the last step of a range were in the answer: all, not all, or nothing tells.
 */
export type RangeSeen = 'endIn' | 'endOut' | 'endNotSeen';

/**
 * Whether an answer heeds a trial range; undefined where it does not: a row lies outside, or one
 * that was known inside is missing.
 */
export function rangeSeen(
  known: readonly SeenRow[],
  { first, last }: TrialRange,
  { rows, records }: SeenPage,
  size: number,
): RangeSeen | undefined {
  const end = last?.to ?? first.to + 1;
  const answered = new Set(rows.map(({ id }) => id));
  const knownIn = ({ from, to }: Required<Period>) =>
    known.filter(({ time }) => time !== undefined && time >= from && time < to);
  const isThere = ({ id }: SeenRow): boolean => answered.has(id);
  const isOutside = ({ time }: SeenRow): boolean =>
    time !== undefined && (time < first.from || time >= end);
  if (rows.length === 0 || rows.some(isOutside)) return undefined;
  if (records < size && !knownIn(first).every(isThere)) return undefined;
  if (!last) return 'endNotSeen';
  if (!knownIn(last).every(isThere)) return 'endOut';
  return knownIn(last).some((row) => tellsOf(last, row)) ? 'endIn' : 'endNotSeen';
}

/** A row at the beginning of a longer step is there too where the step's name means that moment only. */
function tellsOf({ from, to }: Required<Period>, { time }: SeenRow): boolean {
  return to - from === 1 || time !== from;
}

/** Whether rows heed a filter of several statuses: every value occurs, and no other. */
export function valuesMatch(wanted: readonly string[], seen: readonly string[]): boolean {
  const values = new Set(seen);
  return wanted.every((value) => values.has(value)) && values.size === new Set(wanted).size;
}
