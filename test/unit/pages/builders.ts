import type { TableDescription, TablePage, TableQuery } from '../../../src/protocol/table.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from '../host/panelsVscode.ts';
import { reduce } from '../../../src/pages/table/reduce.ts';
import type { OpenState, PageState, Step } from '../../../src/pages/table/state.ts';
import { wordsOf } from '../../../src/pages/table/words.ts';

standInForVscode();
const { tableTexts } = await import('../../../src/host/panels/tableTexts.ts');

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
      label: 'Statuses',
      kind: 'choices',
      options: ['EXECUTED', 'CANCELED'],
    },
    { parameter: 'dateFrom', label: 'From', kind: 'instant', options: [] },
    { parameter: 'dateTo', label: 'To', kind: 'instant', options: [] },
  ],
  pageSizes: [20, 50],
  canExport: true,
  context: { profile: 'Practice', environment: 'PRACTICE', session: 1 },
  display: aDisplay().settings,
  startWith: null,
};

/** A table with a switch before its filters. */
export const switched: TableDescription = {
  ...description,
  table: 'transactions',
  filters: [
    { parameter: 'accountType', label: 'Account', kind: 'switch', options: ['FUTURE', 'SPOT'] },
    { parameter: 'asset', label: 'Asset', kind: 'text', options: [] },
  ],
};

/** A table that comes whole. */
export const whole: TableDescription = {
  ...description,
  table: 'feeTiers',
  filters: [],
  pageSizes: [],
  canExport: false,
};

export const firstQuery: TableQuery = { filters: {}, page: 0, size: 20 };

export function pageOf(rows: number, totals: Partial<TablePage> = {}): TablePage {
  return {
    number: 1,
    rows: Array.from({ length: rows }, (_, index) => [String(index), '1.10']),
    marks: [],
    startRow: null,
    facts: [],
    notes: [],
    leftOut: 0,
    rowsBefore: null,
    size: '20',
    totalPages: '3',
    totalElements: '45',
    badRecords: [],
    readAt: 0,
    ...totals,
  };
}

/** The open state of a step; fails where it is another. */
export function openState(step: Step): OpenState {
  if (step.state.kind !== 'open') throw new Error(`The page is ${step.state.kind}.`);
  return step.state;
}

/** What a page of orders says. */
export const words = wordsOf(tableTexts('orders'), 'en');

/** A page before it knows its table. */
export function openingState(table = description): PageState {
  return {
    kind: 'opening',
    words: table === description ? words : wordsOf(tableTexts(table.table), 'en'),
  };
}

/** A page that is open and loads, as it is right after `table/open` was answered. */
export function openedState(query: TableQuery = firstQuery, table = description): OpenState {
  const kept = { v: 1, table: table.table, query };
  return openState(reduce(openingState(table), { kind: 'opened', description: table, kept }));
}

/** An open page with these rows on it. */
export function stateWith(
  page: TablePage,
  query: TableQuery = firstQuery,
  table = description,
): OpenState {
  return openState(reduce(openedState(query, table), { kind: 'answered', page }));
}
