import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Display } from '../../base/display.ts';
import type { TableQuery } from '../../protocol/table.ts';
import { readHistoryRows, type PageReadOptions } from './historyRows.ts';
import { readLedgerRows, type PanelLedger } from './ledgerRows.ts';
import { readReferenceRows } from './referenceRows.ts';
import { knownSymbols, withSymbolUnits } from './symbolUnits.ts';
import type { HistoryTable, PageRecords, TableDefinition } from './tableDefinition.ts';

type PageSources = {
  readonly session: AccountSession;
  readonly ledger: PanelLedger;
  readonly display: Display;
};

/** Reads a page from where its query asks for. Rejects with ExchangeError, UserFacingError or the signal's reason. */
export function readPageRecords(
  table: TableDefinition,
  { ledger, ...query }: TableQuery,
  { session, ledger: source, display }: PageSources,
  options: PageReadOptions,
): Promise<PageRecords> {
  const { client } = session;
  if (table.kind === 'reference') return readReferenceRows(table, session, display, options.signal);
  return ledger
    ? readLedgerRows(
        withUnits(table, session),
        { ...query, ledger },
        source,
        display,
        client.serverNow(),
      )
    : readHistoryRows(table, query, client, display, options);
}

function withUnits(table: HistoryTable, session: AccountSession): HistoryTable {
  return { ...table, columns: withSymbolUnits(table.columns, knownSymbols(session)) };
}
