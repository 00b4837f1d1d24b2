import type { IgnoredFilter } from '../filterRules.ts';
import type { HistorySource, HistorySourcePage, TimeRange } from './historySource.ts';
import type { SeenRow, WalkState } from './walkState.ts';

/**
 * A row of a page: its index among the items, and whether the walk returns it. Records may share the
 * exchange's id, so that `id` also has the time, and a number for repeats on one page.
 */
export type WalkRow = {
  readonly index: number;
  readonly id: string;
  readonly unit: number;
  readonly isWanted: boolean;
};

/** A page without its records. `sent` counts every row, also those that are unreadable or outside the range. */
export type PageReading = {
  readonly rows: readonly WalkRow[];
  readonly bad: number;
  readonly rowsOutsidePeriod: number;
  /** Rows outside the range, however the exchange reads its ends. */
  readonly ignored: number;
  /** Filters other than the range that rows contradict. */
  readonly ignoredFilters: readonly IgnoredFilter[];
  readonly sent: number;
  readonly claimed: number | null;
  readonly isRefused: boolean;
};

export function pageReadingOf<Item>(
  page: HistorySourcePage<Item>,
  history: HistorySource<Item>,
  range: TimeRange,
): PageReading {
  const repeats = new Map<string, number>();
  const rows = page.items.map((item, index) => {
    const time = history.timeOf(item);
    const key = `${history.idOf(item)} ${time}`;
    const nth = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, nth);
    const isInRange = time < range.to && (range.from === undefined || time >= range.from);
    const isWanted = isInRange && history.isWanted(item);
    const id = nth === 1 ? key : `${key} ${nth}`;
    return { index, id, unit: history.unitOf(time).from, isWanted };
  });
  const bad = page.badRecords.length;
  const { rowsOutsidePeriod, totalElements } = page;
  const ends = page.ignoredFilters.filter(isEnd);
  return {
    ...{
      rows,
      bad,
      rowsOutsidePeriod,
      sent: rows.length + bad + rowsOutsidePeriod,
      claimed: countOf(totalElements),
    },
    ignored: ends.reduce((sum, end) => sum + end.rows, 0),
    isRefused: page.isRefused ?? false,
    ignoredFilters: page.ignoredFilters.filter((filter) => !isEnd(filter)),
  };
}

function isEnd({ parameter }: IgnoredFilter): boolean {
  return parameter === 'dateFrom' || parameter === 'dateTo';
}

function countOf(claim: number | null): number | null {
  return claim !== null && Number.isSafeInteger(claim) && claim >= 0 ? claim : null;
}

/** The rows that were not seen before, each once. */
export function unseen(rows: readonly WalkRow[], seen: readonly SeenRow[]): WalkRow[] {
  const known = new Set(seen.map(([, id]) => id));
  return rows.filter(({ id }) => {
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
}

/** Whether a row seen before is gone from a part of the range that this page shows in full. */
export function isAnyGone(
  seen: readonly SeenRow[],
  { rows }: PageReading,
  isShown: (unit: number) => boolean,
): boolean {
  const shown = new Set(rows.map(({ id }) => id));
  return seen.some(([unit, id]) => isShown(unit) && !shown.has(id));
}

/** What follows from a page: the next state, and its rows that count unless they were seen before. */
export type PageOutcome = {
  readonly state: WalkState;
  readonly acceptedRows: readonly WalkRow[];
  /** False where the same rows are read again, so that no bad record is reported twice. */
  readonly reportsBadRecords: boolean;
};

export function acceptAll(state: WalkState, { rows }: PageReading): PageOutcome {
  return { state, acceptedRows: rows, reportsBadRecords: true };
}

/** Returns the rows although they are read again: if one is missing then, the history has changed. */
export function acceptEarly(state: WalkState, { rows }: PageReading): PageOutcome {
  return { state, acceptedRows: rows, reportsBadRecords: false };
}

export function acceptNone(state: WalkState): PageOutcome {
  return { state, acceptedRows: [], reportsBadRecords: false };
}

/** Whether a page is as long as the longest, or as one that was cut. A shorter one may still be cut. */
export function isFull({ sent }: PageReading, { largestPage, shortestCut }: WalkState): boolean {
  return sent > 0 && sent >= Math.min(largestPage, shortestCut ?? largestPage);
}
