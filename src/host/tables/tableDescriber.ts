import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type {
  TableContext,
  TableDescription,
  TableFilters,
  TableSource,
} from '../../protocol/table.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { systemClock } from '../../base/time.ts';
import { historyQuery } from './historyRows.ts';
import { coversPeriod, queriedParts } from './ledgerCoverage.ts';
import type { PanelLedger } from './ledgerRows.ts';
import type { PanelIdentity } from './panelTab.ts';
import { pageSizes, type TableChoices } from '../webview/tableChoices.ts';
import { knownSymbols, withSymbolUnits } from './symbolUnits.ts';
import type { TableDefinition } from './tableDefinition.ts';
import {
  filterSuggestions,
  knownSuggestions,
  type FilterSuggestions,
  type PendingFilters,
} from './tableFilters.ts';
import type { TablePageReader } from './tablePageReader.ts';

type DescriberOptions = {
  readonly active: ActiveAccount;
  readonly ledger: PanelLedger;
  readonly display: DisplayState;
  readonly choices: TableChoices;
  readonly identity: PanelIdentity;
  readonly table: TableDefinition;
  readonly context: { readonly current: TableContext };
  readonly pendingFilters: PendingFilters;
  readonly pageReader: TablePageReader;
};

/** What a page needs before its rows. A page that was hidden has no request sent when it comes back. */
export async function describeTable(options: DescriberOptions): Promise<TableDescription> {
  const { identity, table, context, display, choices, pendingFilters, pageReader } = options;
  const isHistory = table.kind === 'history';
  const query = pageReader.lastQuery ?? identity.restored ?? null;
  const session = await options.active.session().catch(() => undefined);
  const suggestions = await suggestionsFor(session, pageReader);
  const source = await sourceFor(options, pendingFilters.filters ?? query?.filters ?? {});
  return {
    table: identity.table,
    title: table.title,
    note: isHistory ? (table.note ?? '') : '',
    columns: withSymbolUnits(table.columns, session ? knownSymbols(session) : []),
    filters: isHistory ? table.filters(suggestions) : [],
    pageSizes: isHistory ? pageSizes : [],
    pageSize: choices.pageSize(identity.table).get(),
    canExport: isHistory,
    source,
    context: context.current,
    display: display.current.settings,
    query,
    areDetailsOpen: pendingFilters.areOfStoredRow && pageReader.startAt !== undefined,
    initialFilters: pendingFilters.takeForDescription(),
    layout: choices.layout(identity.table).get(),
    kept: pageReader.kept,
  };
}

/** The last choice; without one the ledger, where it has the whole period. */
async function sourceFor(
  { ledger: { current }, table, choices, identity, pendingFilters }: DescriberOptions,
  filters: TableFilters,
): Promise<TableSource | null> {
  if (!current || table.kind === 'reference') return null;
  if (pendingFilters.areOfStoredRow) return 'ledger';
  const chosen = choices.source(identity.table).get();
  if (chosen) return chosen;
  const { writer } = current;
  const isCovered = async (): Promise<boolean> => {
    const query = historyQuery(table, filters);
    const reads = await writer.coverage(ledgerHistoryOf(query.request));
    return coversPeriod(queriedParts(query, reads, systemClock.now()));
  };
  return (await isCovered().catch(() => false)) ? 'ledger' : 'exchange';
}

async function suggestionsFor(
  session: AccountSession | undefined,
  { kept }: TablePageReader,
): Promise<FilterSuggestions> {
  if (!session) return { symbols: [], assets: [] };
  return kept ? knownSuggestions(session) : filterSuggestions(session);
}
