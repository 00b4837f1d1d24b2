import { unknownValue } from '../../base/format.ts';
import type { TableName } from '../../protocol/table.ts';

/** Every word of the table pages, in one place so that they can be translated. */

const nouns: Readonly<Record<TableName, string>> = {
  orders: 'orders',
  trades: 'trades',
  lots: 'lots',
  transactions: 'transactions',
  exchangeInformation: 'symbols',
  leverageRules: 'leverage rules',
  feeTiers: 'fee tiers',
};

/** Who has none: an account its own records, the venue its lots and its reference data. */
const nothingYet: Readonly<Record<TableName, string>> = {
  orders: 'No orders yet in this account',
  trades: 'No trades yet in this account',
  lots: 'The venue has no lots',
  transactions: 'No transactions yet in this account',
  exchangeInformation: 'The venue lists no symbols',
  leverageRules: 'The venue lists no leverage rules',
  feeTiers: 'The venue lists no fee tiers',
};

const headings: Readonly<Record<string, string>> = {
  auth: 'The exchange did not accept the credentials',
  rateLimited: 'The exchange asks for a pause',
  network: 'The exchange cannot be reached',
  timeout: 'The answer took too long',
};

export const words = {
  opening: 'Opening…',
  loading: (table: TableName) => `Loading ${nouns[table]}…`,
  asOf: (time: string) => `as of ${time}`,
  refresh: 'Refresh',
  newerRows: 'There may be newer rows',
  exportAll: 'Export All…',

  noAccount: 'No account is open',
  noAccountCure:
    'Run “Margin Desk: Add Profile” from the Command Palette for an account of your own, or “Margin Desk: Try the Practice Exchange” to see one at work.',
  nothingYet: (table: TableName) => nothingYet[table],
  noMatch: (table: TableName) => `No ${nouns[table]} match these filters`,
  noMatchCure: 'Change a filter and apply, or reset them all.',
  pastEnd: (page: number) => `Page ${page} is past the end`,
  pastEndCure: 'There is nothing on this page or after it.',

  failure: (kind: string) => headings[kind] ?? 'The rows could not be read',
  unexpected: 'The page met an error of its own. Retry; the log of Margin Desk has more.',
  retry: 'Retry',
  retryIn: (seconds: number) => `Trying again in ${seconds} s`,

  filters: 'Filters',
  filtersSet: (count: number) => (count > 0 ? `Filters (${count})` : 'Filters'),
  any: 'Any',
  inZone: (label: string, zone: string) => `${label} (${zone})`,
  period: 'Period',
  lastDays: (count: number) => (count === 1 ? 'Today' : `${count} days`),
  apply: 'Apply',
  reset: 'Reset',
  resetFilters: 'Reset filters',
  incompleteInstant: (label: string) => `${label} is not a complete date and time.`,
  fromAfterTo: (from: string, to: string) => `${from} is later than ${to}.`,

  pages: 'Pages',
  first: 'First',
  firstPage: 'First page',
  previous: 'Previous',
  next: 'Next',
  last: 'Last',
  goToPage: 'Go to page',
  page: 'Page',
  ofPages: (pages: string) => `of ${pages}`,
  badPage: 'A page is a whole number from 1.',
  pageSize: 'Rows per page',
  range: (first: string, last: string, total: string) => `rows ${first}–${last} of ${total}`,
  givenSize: (size: string) => `the exchange gives ${size} a page`,

  badRecords: (count: number) =>
    count === 1 ? '1 record could not be read:' : `${count} records could not be read:`,
  andMore: (count: number) => `and ${count} more`,

  rowsLoaded: (rows: number, page: number, pages: string) =>
    `${rows} ${rows === 1 ? 'row' : 'rows'}, page ${page} of ${pages === unknownValue ? 'unknown' : pages}`,
  rowsRead: (rows: number) => `${rows} ${rows === 1 ? 'row' : 'rows'}`,
  copied: 'Copied',
};
