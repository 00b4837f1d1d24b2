import type { Display, DisplaySettings } from '../../../base/display.ts';
import type { RpcFailure, AccountAction } from '../../../protocol/messages.ts';
import type {
  ShownRows,
  PageView,
  TableContext,
  TableDescription,
  TablePage,
  TableQuery,
} from '../../../protocol/table.ts';
import type { RowOfPage } from '../../../protocol/gridMessages.ts';
import type { Answer, GridAction, GridDetails, GridState } from '../../grid/model.ts';
import type { PageTexts } from './pageTexts.ts';
import type { TableSource } from '../../../protocol/values.ts';

/** `open` requests the description of the table, `page` its rows. */
export type RequestKind = 'open' | 'page';

/** What the page shows below the filters, and what it waits for. */
type TableBody =
  | { readonly kind: 'noAccount' | 'rows' }
  | { readonly kind: 'loading'; readonly request: RequestKind }
  | { readonly kind: 'failed'; readonly request: RequestKind; readonly failure: RpcFailure };

/** What the user typed but did not apply, by parameter. */
type FormValues = PageView['formValues'];
/** Of one control. */
export type FormValue = FormValues[string];

/** The field “Go to page” among the typed values. */
export const pageParameter = 'page';
/** “Search all rows” among them. */
export const searchParameter = 'search';

/** The details of one row, masked for `display`. They are never shown for another display. */
export type DetailsState = {
  readonly row: RowOfPage;
  readonly display: Display;
  readonly answer: Answer<GridDetails>;
};
export type DetailsOwner = Pick<DetailsState, 'row' | 'display'>;

export type OpenState = {
  readonly kind: 'open';
  /** As received, but with the latest context. */
  readonly description: TableDescription;
  readonly texts: PageTexts;
  readonly display: Display;
  /** The applied filters, the page and its size. */
  readonly query: TableQuery;
  readonly formValues: FormValues;
  /** By parameter, a sentence that says why the value is invalid. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly body: TableBody;
  /** Rows of this account: they stay until the new ones arrive, also after a failure. */
  readonly shown: ShownRows | null;
  readonly grid: GridState;
  readonly details: DetailsState | null;
  /** Why a link was not opened, a cell not copied or an export not started; else empty. */
  readonly actionError: string;
  /** What the next page costs and what is left of the share; empty until the user asks. */
  readonly weight: string;
  /** For screen readers. */
  readonly announcement: string;
  /** The page that the exchange may have newer rows than. */
  readonly outdatedPageId?: number | null;
};

export type PageState =
  /** The description of the table has not arrived. */
  | { readonly kind: 'unopened'; readonly texts: PageTexts; readonly failure: RpcFailure | null }
  | OpenState;

/** What the host sent. */
type HostAction =
  | { readonly kind: 'descriptionReceived'; readonly description: TableDescription }
  /** With `isStart`, only the first rows of the page: the others follow. */
  | { readonly kind: 'rowsReceived'; readonly page: TablePage; readonly isStart?: true }
  | { readonly kind: 'requestFailed'; readonly failure: RpcFailure }
  | { readonly kind: 'actionFailed'; readonly sentence: string }
  | { readonly kind: 'weightReceived'; readonly text: string }
  | { readonly kind: 'contextChanged'; readonly context: TableContext }
  /** `page` is the last page that the host sent, redrawn with these settings. */
  | {
      readonly kind: 'displayChanged';
      readonly display: DisplaySettings;
      readonly page: TablePage | null;
    }
  | { readonly kind: 'newerRowsAvailable' | 'ledgerChanged'; readonly pageId: number }
  | { readonly kind: 'reopenRequested' };

/** What the user did. */
type UserAction =
  | { readonly kind: 'filterEdited'; readonly parameter: string; readonly value: FormValue }
  /** Edited and applied at once. */
  | { readonly kind: 'filterChosen'; readonly parameter: string; readonly value: FormValue }
  | { readonly kind: 'filtersApplied'; readonly parameters: readonly string[] }
  | { readonly kind: 'filtersReset' }
  /** As a filter. */
  | { readonly kind: 'activeCellChosen' }
  /** The last days, or all if null. `now` is in epoch milliseconds. */
  | { readonly kind: 'periodChosen'; readonly days: number | null; readonly now: number }
  | { readonly kind: 'pageChosen'; readonly page: number }
  | { readonly kind: 'pageTyped'; readonly text: string }
  | { readonly kind: 'pageSizeChosen'; readonly size: number }
  /** The part of the period that ends at `to`. */
  | { readonly kind: 'partChosen'; readonly to: number }
  | { readonly kind: 'refreshed' }
  | { readonly kind: 'sourceChosen'; readonly source: TableSource }
  /** The rows of the exchange before a moment, in epoch milliseconds. */
  | { readonly kind: 'olderChosen'; readonly before: number }
  | { readonly kind: 'searchChosen'; readonly text: string }
  | { readonly kind: 'grid'; readonly action: GridAction }
  | { readonly kind: 'weightRequested' }
  | { readonly kind: 'accountActionChosen'; readonly action: AccountAction }
  | { readonly kind: 'exportRequested' }
  | { readonly kind: 'openRequested'; readonly what: 'openTrades' | 'openPosition' };

export type DetailsAction =
  | ({ readonly kind: 'detailsRequested' } & DetailsOwner)
  | ({ readonly kind: 'detailsAnswered' } & DetailsState);

export type Action = HostAction | UserAction | DetailsAction;
export type Dispatch = (action: Action) => void;

export function failureOf(state: PageState): RpcFailure | null {
  if (state.kind === 'unopened') return state.failure;
  return state.body.kind === 'failed' ? state.body.failure : null;
}

/**
 * The next state and its request. A new request aborts the one that runs, `abort` only aborts it, and
 * null lets it run.
 */
export type Transition<State = PageState> = {
  readonly state: State;
  readonly request: RequestKind | 'abort' | null;
};

export function withoutRequest(state: PageState): Transition {
  return { state, request: null };
}

/** Requests the rows of the state's query with this change, but first the description if that is still missing. */
export function requestRows(before: OpenState, change: Partial<TableQuery> = {}) {
  const state = { ...before, query: { ...before.query, ...change } };
  const { body, shown, query } = state;
  const lacksDescription = 'request' in body && body.request === 'open';
  const { [pageParameter]: typed, ...others } = state.formValues;
  const isOtherPage = typed !== undefined && shown && shown.query.page !== query.page;
  const formValues = isOtherPage ? others : state.formValues;
  return load({ ...state, formValues, fieldErrors: {} }, lacksDescription ? 'open' : 'page');
}

/** Removes the rows at once: they may belong to another account or to other filters. */
export function requestDescription(state: OpenState): Transition {
  return load({ ...state, shown: null }, 'open');
}

function load(state: OpenState, request: RequestKind): Transition<OpenState> {
  const body: TableBody = { kind: 'loading', request };
  return { state: { ...state, body, actionError: '', announcement: '' }, request };
}
