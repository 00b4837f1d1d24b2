import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { TableContext, TableDescription } from '../../protocol/table.ts';
import type { DisplayState } from '../settings/displayState.ts';
import type { PanelIdentity } from './panelTab.ts';
import { pageSizes, type TableChoices } from './tableChoices.ts';
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
  const suggestions = await suggestionsFor(options);
  return {
    table: identity.table,
    title: table.title,
    note: isHistory ? (table.note ?? '') : '',
    columns: table.columns,
    filters: isHistory ? table.filters(suggestions) : [],
    pageSizes: isHistory ? pageSizes : [],
    pageSize: choices.pageSizeOf(identity.table),
    canExport: isHistory,
    context: context.current,
    display: display.current.settings,
    query: pageReader.lastQuery ?? identity.restored ?? null,
    initialFilters: pendingFilters.takeForDescription(),
    layout: choices.layoutOf(identity.table),
    kept: pageReader.kept,
  };
}

async function suggestionsFor({
  active,
  pageReader,
}: DescriberOptions): Promise<FilterSuggestions> {
  const session = await active.session().catch(() => undefined);
  if (!session) return { symbols: [], assets: [] };
  return pageReader.kept ? knownSuggestions(session) : filterSuggestions(session);
}
