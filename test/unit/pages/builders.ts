import { formValue } from '../../../src/pages/table/state/filterForm.ts';
import { recordCount } from '../../../src/pages/table/state/shownRows.ts';
import type {
  FormValue,
  OpenState,
  PageState,
  Transition,
} from '../../../src/pages/table/state/pageState.ts';
import { formatTexts } from '../../../src/pages/table/state/pageTexts.ts';
import { emptyText } from '../../../src/pages/table/state/receivedRows.ts';
import { reduce } from '../../../src/pages/table/state/reducer.ts';
import type { TableDescription, TablePage, TableQuery } from '../../../src/protocol/table.ts';
import { aDisplay } from '../../support/display.ts';
import { tablePage } from '../../support/tablePage.ts';
import { tableTexts } from '../../../src/host/tables/tables.ts';

export const description: TableDescription = {
  table: 'orders',
  title: 'Order History',
  note: '',
  columns: [
    { field: 'time', label: 'Time', kind: 'time' },
    { field: 'price', label: 'Price', kind: 'decimal' },
  ],
  filters: [
    { parameter: 'symbol', label: 'Symbol', kind: 'text', options: ['btc_usdt', 'eth_usdt'] },
    { parameter: 'side', label: 'Side', kind: 'choice', options: ['BUY', 'SELL'] },
    {
      parameter: 'statuses',
      field: 'status',
      label: 'Statuses',
      kind: 'choices',
      options: ['EXECUTED', 'CANCELED'],
    },
    { parameter: 'dateFrom', label: 'From', kind: 'instant', options: [] },
    { parameter: 'dateTo', label: 'To', kind: 'instant', options: [] },
  ],
  pageSizes: [20, 50],
  pageSize: 20,
  source: null,
  context: { profile: 'Practice', environment: 'PRACTICE', session: 1 },
  display: aDisplay().settings,
  query: null,
  initialFilters: null,
  areDetailsOpen: false,
  layout: { order: [], hidden: [], widths: {} },
  kept: null,
};

export const tableWithSwitch: TableDescription = {
  ...description,
  table: 'transactions',
  filters: [
    { parameter: 'accountType', label: 'Account', kind: 'switch', options: ['FUTURE', 'SPOT'] },
    { parameter: 'asset', label: 'Asset', kind: 'text', options: [] },
  ],
};

export const tableWithoutPages: TableDescription = {
  ...description,
  table: 'feeTiers',
  filters: [],
  pageSizes: [],
};

export const firstQuery: TableQuery = { filters: {}, page: 0, size: 20 };

export function pageOf(rows: number, totals: Partial<TablePage> = {}): TablePage {
  return tablePage(
    Array.from({ length: rows }, (_, index) => [String(index), '1.10']),
    { size: '20', totalPages: '3', totalElements: '45', ...totals },
  );
}

/** The state after a transition; fails if the page is not open. */
export function openState({ state }: Transition): OpenState {
  if (state.kind !== 'open') throw new Error(`The page is ${state.kind}.`);
  return state;
}

export const texts = formatTexts(tableTexts('orders'), 'en');

/** What the page says in place of rows; undefined if it shows some. */
export function whyEmpty(state: OpenState): string | undefined {
  const { body, shown } = state;
  const hasNoRows = body.kind === 'rows' && shown && recordCount(shown.page) === 0;
  return hasNoRows ? emptyText(state, shown).title : undefined;
}

/** What the control of a filter shows. */
export function formValueOf(state: OpenState, parameter: string): FormValue | undefined {
  const filter = state.description.filters.find((each) => each.parameter === parameter);
  return filter && formValue(filter, state);
}

/** A page without a description. */
export function openingState(table = description): PageState {
  return {
    kind: 'unopened',
    failure: null,
    texts: table === description ? texts : formatTexts(tableTexts(table.table), 'en'),
  };
}

/** A page that has its description and loads its first rows. */
export function loadingState(query: TableQuery = firstQuery, table = description): OpenState {
  const action = { kind: 'descriptionReceived', description: { ...table, query } } as const;
  return openState(reduce(openingState(table), action));
}

/** An open page with these rows. */
export function stateWithRows(
  page: TablePage,
  query: TableQuery = firstQuery,
  table = description,
): OpenState {
  return openState(reduce(loadingState(query, table), { kind: 'rowsReceived', page }));
}
