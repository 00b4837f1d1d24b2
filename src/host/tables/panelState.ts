import {
  filterNames,
  type PageView,
  type TableFilters,
  type TableQuery,
} from '../../protocol/table.ts';
import type { CellRow } from '../webview/recordCells.ts';
import type { RowPage } from './source.ts';

/** Names the first row that has these texts, by field; `missing` is what to say if no row has them. */
export type StartAt = {
  readonly fields: Readonly<Record<string, string>>;
  readonly missing?: string;
};

/** A page as it was read. */
export type ReadPage = {
  readonly id: number;
  readonly query: TableQuery;
  readonly rows: RowPage;
  /** The records of `rows` in the order of the columns. */
  readonly cells: readonly CellRow[];
  readonly readAt: number;
  /** Of the account when it was requested, else the first that was known after that. */
  readonly tradingState: string | undefined;
};

/** What a panel shows, also while it is hidden and has no page. */
export type PanelState = {
  /** The last one, also of before a reload; null before the first. */
  readonly query: TableQuery | null;
  readonly page: ReadPage | null;
  /** Of the last query, if that failed. */
  readonly failure: Failure | null;
  /** What the page said of itself. */
  readonly view: PageView | null;
  /** The filters that a command opened the table with, until the page requests their rows. */
  readonly pending: TableFilters | null;
  /** Whether those are of a row of the ledger, whose details are wanted. */
  readonly isOfStoredRow: boolean;
  /** The row that a command asked for. */
  readonly startAt: StartAt | undefined;
  /** Whether the page has its description: one that still loads requests it anyway. */
  readonly isDescribed: boolean;
  /** The page that may have newer rows. */
  readonly outdatedPageId: number | null;
};

type Failure = { readonly query: TableQuery; readonly error: unknown; readonly at: number };

export const initialState: PanelState = {
  query: null,
  page: null,
  failure: null,
  view: null,
  pending: null,
  isOfStoredRow: false,
  startAt: undefined,
  isDescribed: false,
  outdatedPageId: null,
};

/** What a query changes. A page may never receive its description and request it again: filters of a command wait for it. */
export function queried({ pending }: PanelState, query: TableQuery): Partial<PanelState> {
  const isAwaited = pending !== null && hasFilters(query.filters, pending);
  return { query, ...(isAwaited && { pending: null, isOfStoredRow: false }) };
}

function hasFilters(filters: TableFilters, expected: TableFilters): boolean {
  return filterNames.every(
    (name) =>
      expected[name] === undefined ||
      JSON.stringify(filters[name] ?? '') === JSON.stringify(expected[name]),
  );
}

/** There may be newer rows once orders or positions have changed since the page was requested. */
export function accountRead(
  { page }: PanelState,
  tradingState: string | undefined,
): Partial<PanelState> {
  if (!page || tradingState === undefined || tradingState === page.tradingState) return {};
  return page.tradingState === undefined
    ? { page: { ...page, tradingState } }
    : { outdatedPageId: page.id };
}

/** No rows of the account stay. The pages of another profile are others. */
export function accountChanged(
  { query }: PanelState,
  isOtherProfile: boolean,
): Partial<PanelState> {
  return {
    query: isOtherProfile && query ? { ...query, page: 0, part: undefined } : query,
    page: null,
    failure: null,
    view: null,
    startAt: undefined,
  };
}
