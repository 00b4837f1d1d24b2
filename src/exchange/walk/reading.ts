import type { Unmatched } from '../dialect/historyPage.ts';
import type { History, HistoryAnswer, TimeRange } from './history.ts';
import type { Seen } from './state.ts';

/**
 * A row of an answer: its place among the items, and whether the walk's own range holds it. Its `id`
 * tells it from records that share the exchange's id: by its time, and by its count in one answer.
 */
export type Row = {
  readonly index: number;
  readonly id: string;
  readonly unit: number;
  readonly isWanted: boolean;
};

/** An answer without its records. `sent` counts every row of it, also the bad ones and those outside. */
export type Reading = {
  readonly rows: readonly Row[];
  readonly bad: number;
  readonly outside: number;
  /** Rows outside that no reading of the range's ends explains. */
  readonly ignored: number;
  /** Other filters than the range that rows break. */
  readonly unmatched: readonly Unmatched[];
  readonly sent: number;
  readonly claimed: number | null;
  readonly isRefused: boolean;
};

export function readingOf<Item>(
  answer: HistoryAnswer<Item>,
  history: History<Item>,
  range: TimeRange,
): Reading {
  const told = new Map<string, number>();
  const rows = answer.items.map((item, index) => {
    const time = history.timeOf(item);
    const key = `${history.idOf(item)} ${time}`;
    const nth = (told.get(key) ?? 0) + 1;
    told.set(key, nth);
    const isWanted = time < range.to && (range.from === undefined || time >= range.from);
    const id = nth === 1 ? key : `${key} ${nth}`;
    return { index, id, unit: history.unitOf(time).from, isWanted };
  });
  const bad = answer.badRecords.length;
  const { outside, totalElements } = answer;
  const ends = answer.unmatched.filter(isEnd);
  return {
    ...{ rows, bad, outside, sent: rows.length + bad + outside, claimed: countOf(totalElements) },
    ignored: ends.reduce((sum, end) => sum + end.rows, 0),
    isRefused: answer.isRefused ?? false,
    unmatched: answer.unmatched.filter((filter) => !isEnd(filter)),
  };
}

function isEnd({ parameter }: Unmatched): boolean {
  return parameter === 'dateFrom' || parameter === 'dateTo';
}

function countOf(claim: number | null): number | null {
  return claim !== null && Number.isSafeInteger(claim) && claim >= 0 ? claim : null;
}

/** The rows that are not among the seen, each once. */
export function unseen(rows: readonly Row[], seen: readonly Seen[]): Row[] {
  const known = new Set(seen.map(([, id]) => id));
  return rows.filter(({ id }) => {
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
}

/** Whether a row that was seen there, where this answer shows every row, is gone. */
export function isAnyGone(
  seen: readonly Seen[],
  { rows }: Reading,
  isShown: (unit: number) => boolean,
): boolean {
  const shown = new Set(rows.map(({ id }) => id));
  return seen.some(([unit, id]) => isShown(unit) && !shown.has(id));
}
