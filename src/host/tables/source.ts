import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { Display } from '../../base/display.ts';
import type { LedgerHistory } from '../../ledger/ledger.ts';
import type { TablePage } from '../../protocol/table.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { DisplayState } from '../settings/displayState.ts';

/** A page of rows as it was read, with every figure. */
export type RowPage = Omit<
  TablePage,
  'id' | 'readAt' | 'rows' | 'marks' | 'startRow' | 'isStartMissing'
> & {
  readonly records: readonly object[];
  /** How many rows an export of these filters has; undefined if the page does not tell. */
  readonly matchingRows?: number | undefined;
  /** Only of rows of the ledger. */
  readonly stored?: StoredRows;
};

type StoredRows = {
  readonly history: LedgerHistory;
  /** Of the history, before its rows were read. */
  readonly version: string;
  /** The indexes of the rows that the exchange no longer lists. */
  readonly unlisted: readonly number[];
};

/** The ledger of the open account, if it has one. */
export type PanelLedger = Pick<AccountLedger, 'current' | 'onDidChange' | 'onDidWrite'>;

/** What a panel shows rows of. */
export type PanelSources = {
  readonly active: ActiveAccount;
  readonly ledger: PanelLedger;
  readonly display: DisplayState;
};

/** What rows are read with. `bulk` reads wait for all others. */
export type ReadContext = {
  readonly session: AccountSession;
  readonly ledger: PanelLedger;
  readonly display: Display;
  readonly signal: AbortSignal;
  readonly priority?: 'bulk';
};
