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

type PanelEvent =
  | {
      readonly kind: 'commanded';
      readonly filters: TableFilters;
      readonly startAt: StartAt | undefined;
      readonly isOfStoredRow: boolean;
    }
  | { readonly kind: 'described' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'queried'; readonly query: TableQuery }
  | { readonly kind: 'read'; readonly page: ReadPage }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'viewed'; readonly view: PageView }
  | { readonly kind: 'accountRead'; readonly tradingState: string | undefined }
  | { readonly kind: 'accountChanged'; readonly isOtherProfile: boolean };

export function initialState(restored: TableQuery | null): PanelState {
  return {
    query: restored,
    page: null,
    failure: null,
    view: null,
    pending: null,
    isOfStoredRow: false,
    startAt: undefined,
    isDescribed: false,
    outdatedPageId: null,
  };
}

export function reduce(state: PanelState, event: PanelEvent): PanelState {
  switch (event.kind) {
    case 'commanded': {
      const { filters, startAt, isOfStoredRow } = event;
      return { ...state, pending: filters, startAt, isOfStoredRow };
    }
    case 'described':
      return { ...state, isDescribed: true };
    case 'hidden':
      // VS Code discards a hidden page and loads it again when it is shown.
      return { ...state, isDescribed: false };
    case 'queried':
      return { ...withoutPending(state, event.query), query: event.query };
    case 'read':
      return { ...state, page: event.page, failure: null };
    case 'failed':
      return { ...state, failure: event.failure };
    case 'viewed':
      return { ...state, view: event.view };
    case 'accountRead':
      return withTradingState(state, event.tradingState);
    case 'accountChanged': {
      const query = event.isOtherProfile ? firstPage(state.query) : state.query;
      return { ...state, query, page: null, failure: null, view: null, startAt: undefined };
    }
  }
}

/** A page may never receive its description and request it again, so only this query ends the wait. */
function withoutPending(state: PanelState, { filters }: TableQuery): PanelState {
  const { pending } = state;
  if (!pending || !hasFilters(filters, pending)) return state;
  return { ...state, pending: null, isOfStoredRow: false };
}

function hasFilters(filters: TableFilters, expected: TableFilters): boolean {
  return filterNames.every(
    (name) =>
      expected[name] === undefined ||
      JSON.stringify(filters[name] ?? '') === JSON.stringify(expected[name]),
  );
}

/** There may be newer rows once orders or positions have changed since the page was requested. */
function withTradingState(state: PanelState, tradingState: string | undefined): PanelState {
  const { page } = state;
  if (!page || tradingState === undefined || tradingState === page.tradingState) return state;
  return page.tradingState === undefined
    ? { ...state, page: { ...page, tradingState } }
    : { ...state, outdatedPageId: page.id };
}

/** The pages of another account are others. */
function firstPage(query: TableQuery | null): TableQuery | null {
  if (!query) return null;
  const { part: _part, ...whole } = query;
  return { ...whole, page: 0 };
}
