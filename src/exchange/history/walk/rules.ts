import { lengthOf, type Interval } from '../../../base/interval.ts';
import { areSame, hasAll, rowsIn, type HistoryPage, type Row } from '../page.ts';
import type { WalkCursor, WalkPart } from './cursor.ts';
import { hourMs, minuteMs } from '../../../base/time.ts';

type Rows = readonly Row<unknown>[];
type WalkOrder = WalkCursor['order'];

/** The pages of a question, from the first to an empty one. */
type Pass = readonly HistoryPage<unknown>[];

export type UnitOf = (timeMs: number) => Interval;

/** No exchange cuts the ends of a range further than to a day, which has up to 25 hours. */
export const maxTruncationMs = 25 * hourMs;

/** Units to which an exchange may cut the ends of a range: days of every zone begin on a quarter of an hour. */
const truncationUnitsMs = [minuteMs, 15 * minuteMs] as const;

/** How often pages are read again until they agree, before the walk continues with `unknown`. */
export const maxTries = 12;

/**
 * Rule 1. The end was reached: a question that lies right beyond every row that was read is answered
 * without rows, or rows in a proven order passed the window. A short page may be cut, and a refusal or a
 * list that is null says nothing.
 */
export function endIsReached(
  { sent, isEndOpen, rows }: HistoryPage<unknown>,
  window?: Interval,
  provenOrder?: WalkOrder,
): boolean {
  if (sent === 0) return !isEndOpen;
  return window !== undefined && rows.some((row) => isBeyond(window, row, provenOrder));
}

/** Whether a row comes after all rows of a window, if rows come in order of time. */
export function isBeyond({ from, to }: Interval, { time }: Row<unknown>, order?: WalkOrder) {
  if (order === 'newestFirst') return time < from;
  return order === 'oldestFirst' && time >= to;
}

/**
 * Rule 2. The count agrees: the exchange counted no more rows at the start than were found. A smaller count at
 * the end only shows that rows left: others may be missing.
 */
export function countAgrees(part: WalkPart, count: number | null): boolean {
  return count === null || count <= countOf(part);
}

/** With the rows beside the part that its questions include. */
export function countOf({ rows, before, after, bad }: WalkPart): number {
  return rows + before + after + bad;
}

/**
 * Rule 3. The edges are proven: an exchange that cuts an end of the window to a longer unit, and includes
 * that unit or not, would have left out a row that came.
 */
export function edgesAreProven({ from, to }: Interval, rows: Rows, unitOf: UnitOf): boolean {
  const within = rowsIn(rows, { from, to });
  return truncationUnitsMs.every((ms) => {
    if (ms <= lengthOf(unitOf(to - 1))) return true;
    const nextBegin = Math.floor((from - 1) / ms) * ms + ms;
    const isFromShown = within.some(({ time }) => time < nextBegin);
    return isFromShown && within.some(({ time }) => time > to - (to % ms));
  });
}

/** Rule 3 where one question follows another: the answer repeats the rows at the end of the one before. */
export function edgeCameAgain(edge: Rows, shown: Rows): boolean {
  return hasAll(shown, edge);
}

/** Rule 4. The order is proven: the answer repeated known rows where it had room for others, and had no others. */
export function orderIsProven(known: Rows, shown: Rows): boolean {
  return areSame(known, shown);
}

/**
 * Rule 4 without an order: the same window is read until two passes agree. As rows may change places with
 * every answer, further passes show those that these miss. Rows of the first may have left before its end.
 */
export function passesAgree(passes: readonly Pass[]): boolean {
  const [places = 0] = passes.map(placesIn);
  const later = passes.slice(1);
  return (
    later.length > 0 && [passes, later].every((some) => distinctRows(some.flat()).length === places)
  );
}

/** How many rows the pages of a pass have. */
export function placesIn(pass: Pass): number {
  return pass.reduce((sum, { rows }) => sum + rows.length, 0);
}

/**
 * Rule 5. Identity is sound: records are distinguished by id, time and content, and equal ones count as
 * often as one answer shows them.
 */
export class DistinctRows<Item> {
  private readonly byIdentity = new Map<string, readonly Row<Item>[]>();

  /** Returns whether the answer has a row that is new. */
  add({ rows }: HistoryPage<Item>): boolean {
    const more = [...Map.groupBy(rows, ({ identity }) => identity)].filter(
      ([identity, equal]) => equal.length > (this.byIdentity.get(identity)?.length ?? 0),
    );
    for (const [identity, equal] of more) this.byIdentity.set(identity, equal);
    return more.length > 0;
  }

  get all(): readonly Row<Item>[] {
    return [...this.byIdentity.values()].flat();
  }
}

/** The different rows of these answers. */
export function distinctRows<Item>(answers: readonly HistoryPage<Item>[]): readonly Row<Item>[] {
  const rows = new DistinctRows<Item>();
  for (const answer of answers) rows.add(answer);
  return rows.all;
}

/** Rule 6. Nothing moved unseen: an answer begins with the rows that were in its places before. */
export function nothingMoved(known: Rows, again: HistoryPage<unknown>): boolean {
  return areSame(known, again.rows.slice(0, known.length));
}

/** Rule 6 over the whole walk: every row of the period that an answer showed was returned. */
export function nothingVanished(shown: ReadonlySet<string>): boolean {
  return shown.size === 0;
}

/**
 * Rule 7. Depth: an exchange may limit the rows of one question. The depth is proven if it gave more in one
 * answer before.
 */
export function depthIsProven({ sent }: HistoryPage<unknown>, largestPage: number): boolean {
  return sent < largestPage;
}
