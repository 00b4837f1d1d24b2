import type { DisplaySettings } from '../base/display.ts';
import type { GridEvents, GridMethods, RowOfPage } from './gridMessages.ts';
import type { SignInAction } from './messages.ts';
import type {
  RelatedRecords,
  PageView,
  RowDetails,
  TableContext,
  TableDescription,
  TableFilters,
  TablePage,
  TableQuery,
  TableSource,
} from './table.ts';

/** The requests of a table page. */
export type TableMethods = GridMethods & {
  'table/open': { params: null; result: TableDescription };
  'table/page': { params: TableQuery; result: TablePage };
  /** Reads what is new into the ledger. */
  'table/synchronise': { params: null; result: null };
  /** Keeps the choice for this table. */
  'table/source': { params: TableSource; result: null };
  /** Has the host read the next page before the user asks for it, if nothing waits for it. */
  'table/prefetch': { params: TableQuery; result: null };
  /** What the next page costs and what is left of the share, in words; empty without an account. */
  'table/weight': { params: null; result: string };
  /** Keeps this for the next page of the panel. */
  'table/keep': { params: PageView; result: null };
  /** Takes the exchange's own text. Replies as soon as the link is valid, before the user confirms. */
  'table/openLink': { params: string; result: null };
  /** Runs the command of this name. */
  'table/signIn': { params: SignInAction; result: null };
  /** Exports all rows of these filters. Replies at once; the host shows the dialogs and the progress. */
  'table/export': { params: TableFilters; result: null };
  'table/details': { params: RowOfPage; result: RowDetails };
  /** The records that belong to a row. Sends one request to the exchange unless the ledger has all of them. */
  'table/related': { params: RowOfPage; result: RelatedRecords };
  /** Opens the trades around an order, in their own panel. */
  'table/openTrades': { params: RowOfPage; result: null };
};

/** The events that the host sends to a table page. */
export type TableEvents = GridEvents & {
  /** The last page again: the display settings or the account's figures beside the rows have changed. */
  'table/display': { readonly display: DisplaySettings; readonly page: TablePage | null };
  /** Another account is open: the rows on the page are not its rows. */
  'table/context': TableContext;
  /** The account has changed since this page was read: there may be newer rows. */
  'table/newer': { readonly pageId: number };
  /** The ledger has other rows than this page: read it again. */
  'table/changed': { readonly pageId: number };
  /** The description has initial filters: request it again. */
  'table/reopen': null;
};
