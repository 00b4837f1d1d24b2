import type { AccountSession } from '../../account/session/accountSession.ts';
import { dayMs, minuteMs, secondMs, systemClock } from '../../base/time.ts';
import { longestUnreadMs, type CoveragePart } from '../../ledger/coverage/coverageParts.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import type { TableContext, TableDescription, TableFilters } from '../../protocol/table.ts';
import { pageSizes, type TableChoices } from '../webview/tableChoices.ts';
import { knownSymbols, withSymbolUnits, type FilterSuggestions } from './definition.ts';
import { historyQuery } from './exchangeRows.ts';
import { filtersOf } from './histories.ts';
import { coversPeriod, currentFrom, queriedParts } from './ledgerRows.ts';
import type { PanelRows } from './panelRows.ts';
import { maxFilterLength } from '../../protocol/values.ts';

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
  const { source, initialFilters } = await openingOf(rows, choices, session);
  const { isOfStoredRow, startAt, query } = rows.state;
  rows.update({ isDescribed: true });
  return {
    table: name,
    title: table.title,
    note: table.note ?? '',
    columns: withSymbolUnits(table.columns, session ? knownSymbols(session) : []),
    filters: isHistory ? filtersOf(table, suggestions) : [],
    pageSizes: isHistory ? pageSizes : [],
    pageSize: choices.pageSize(name).get(),
    source,
    context: context(),
    display: display.current.settings,
    query,
    areDetailsOpen: isOfStoredRow && startAt !== undefined,
    initialFilters,
    layout: choices.layout(name).get(),
    kept: rows.kept,
  };
}

/**
 * The last choice; without one the ledger, where it has the whole period. A panel that opens without a period gets the
 * one that the ledger has, if that is current.
 */
async function openingOf(
  { options: { name, table, ledger }, state, isKept }: PanelRows,
  choices: TableChoices,
  session: AccountSession | undefined,
): Promise<Pick<TableDescription, 'source' | 'initialFilters'>> {
  const { current } = ledger;
  const { pending: initialFilters, query, startAt, isOfStoredRow } = state;
  if (!current || table.kind === 'reference') return { source: null, initialFilters };
  const isOfLedger = isOfStoredRow || (isKept && !initialFilters && query?.ledger);
  const chosen = isOfLedger ? 'ledger' : choices.source(name).get();
  const filters: TableFilters = initialFilters ?? query?.filters ?? {};
  const isWithoutPeriod = filters.dateFrom === undefined && filters.dateTo === undefined;
  const isOpening = isWithoutPeriod && !startAt && !isKept && (initialFilters ?? !query);
  if (chosen === 'exchange' || (chosen && !isOpening)) return { source: chosen, initialFilters };
  try {
    const asked = historyQuery(table, filters);
    const history = ledgerHistoryOf(asked.request);
    const now = (): number => session?.serverNow() ?? systemClock.now();
    const partsNow = async (): Promise<readonly CoveragePart[]> =>
      queriedParts(asked, await current.writer.coverage(history), now());
    const parts = await partsNow();
    if (coversPeriod(parts)) return { source: 'ledger', initialFilters };
    if (isOpening && currentFrom(parts, longestUnreadMs) !== undefined) {
      // The account has not changed since: one request shows whether there are newer rows.
      if (currentFrom(parts, minuteMs) === undefined)
        await current.synchronise([history], AbortSignal.timeout(secondMs));
      const from = currentFrom(await partsNow(), minuteMs);
      // A ledger that has just begun has few rows or none.
      if (from !== undefined && now() - from >= dayMs) {
        const dateFrom = new Date(from).toISOString();
        return { source: 'ledger', initialFilters: { ...initialFilters, dateFrom } };
      }
    }
  } catch {
    // The panel opens as without a ledger.
  }
  return { source: chosen ?? 'exchange', initialFilters };
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
