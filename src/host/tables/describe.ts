import type { AccountSession } from '../../account/session/accountSession.ts';
import { systemClock } from '../../base/time.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import {
  maxFilterLength,
  type TableContext,
  type TableDescription,
  type TableFilters,
  type TableSource,
} from '../../protocol/table.ts';
import { pageSizes, type TableChoices } from '../webview/tableChoices.ts';
import { knownSymbols, withSymbolUnits, type FilterSuggestions } from './definition.ts';
import { historyQuery } from './exchangeRows.ts';
import { coversPeriod, queriedParts } from './ledgerRows.ts';
import type { PanelRows } from './panelRows.ts';

/** What a page needs before its rows. A page that was hidden has no request sent when it comes back. */
export async function describeTable(
  rows: PanelRows,
  choices: TableChoices,
  context: () => TableContext,
): Promise<TableDescription> {
  const { name, table, active, display } = rows.options;
  const isHistory = table.kind === 'history';
  const session = await active.session().catch(() => undefined);
  const suggestions = await filterSuggestions(session, rows.isKept);
  const source = await sourceFor(rows, choices);
  const { pending, isOfStoredRow, startAt, query } = rows.state;
  rows.update({ isDescribed: true });
  return {
    table: name,
    title: table.title,
    note: table.note ?? '',
    columns: withSymbolUnits(table.columns, session ? knownSymbols(session) : []),
    filters: isHistory ? table.filters(suggestions) : [],
    pageSizes: isHistory ? pageSizes : [],
    pageSize: choices.pageSize(name).get(),
    source,
    context: context(),
    display: display.current.settings,
    query,
    areDetailsOpen: isOfStoredRow && startAt !== undefined,
    initialFilters: pending,
    layout: choices.layout(name).get(),
    kept: rows.kept,
  };
}

/** The last choice; without one the ledger, where it has the whole period. */
async function sourceFor(
  { options: { name, table, ledger }, state }: PanelRows,
  choices: TableChoices,
): Promise<TableSource | null> {
  const { current } = ledger;
  if (!current || table.kind === 'reference') return null;
  if (state.isOfStoredRow) return 'ledger';
  const chosen = choices.source(name).get();
  if (chosen) return chosen;
  const filters: TableFilters = state.pending ?? state.query?.filters ?? {};
  try {
    const query = historyQuery(table, filters);
    const reads = await current.writer.coverage(ledgerHistoryOf(query.request));
    const isCovered = coversPeriod(queriedParts(query, reads, systemClock.now()));
    return isCovered ? 'ledger' : 'exchange';
  } catch {
    return 'exchange';
  }
}

/**
 * From the account's newest snapshot and from exchange information. That is read unless `isKept`; if it cannot
 * be read, or not within a second, its names are missing.
 */
export async function filterSuggestions(
  session: AccountSession | undefined,
  isKept = false,
): Promise<FilterSuggestions> {
  if (!isKept) await session?.exchangeInformation.getOrCached();
  const { positions, assets } = session?.store.state.snapshot?.account ?? {};
  const listed = session ? knownSymbols(session) : [];
  return {
    symbols: uniqueNames([...(positions ?? []), ...listed].map(({ symbol }) => symbol)),
    assets: uniqueNames([
      ...(assets ?? []).map(({ name }) => name),
      ...listed.flatMap(({ marginAsset, quoteAsset }) => [marginAsset, quoteAsset]),
    ]),
  };
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '' && name.length <= maxFilterLength);
}
