import { phrase } from '../base/phrase.ts';

/**
 * The texts of a page, by name. The host sends them in the language of VS Code. They are here once, in English,
 * so that the page knows their names and what fills their places.
 */

/** The texts of a grid. */
export const gridPhrases = {
  oneRow: phrase('1 row'),
  rows: phrase('{0} rows'),
  hidden: phrase('hidden'),
  sortedAscending: phrase('Rows of this page sorted, ascending'),
  sortedDescending: phrase('Rows of this page sorted, descending'),
  unsorted: phrase('Rows in the order of the exchange'),
  cells: phrase('{0} cells'),
  figures: phrase('Figures of the selection'),
  sums: phrase('{0}: sum {1} · min {2} · max {3} · avg {4}'),
  lacking: phrase('{0} · rows without a value: {1}'),
  find: phrase('Find in this page'),
  noMatches: phrase('No matches'),
  matchOf: phrase('{0} of {1}'),
  nextMatch: phrase('Next Match'),
  previousMatch: phrase('Previous Match'),
  close: phrase('Close'),
  copied: phrase('Copied'),
  copiedCell: phrase('Copied 1 cell'),
  copiedCells: phrase('Copied {0} cells'),
  copiedRow: phrase('Copied 1 row'),
  copiedRows: phrase('Copied {0} rows'),
  details: phrase('Details'),
  timeAsIso: phrase('ISO 8601'),
  timeAsEpoch: phrase('Epoch'),
  otherFields: phrase('Fields that the API document does not name'),
  copyField: phrase('Copy {0}'),
  copyIso: phrase('Copy Time as ISO 8601'),
  copyEpoch: phrase('Copy Time as the Exchange Wrote It'),
};

/** The texts of every page. */
const sharedPhrases = {
  ...gridPhrases,
  labelled: phrase('{0}: {1}'),
  retry: phrase('Retry'),
  inZone: phrase('{0} ({1})'),
  custom: phrase('Custom'),
  since: phrase('From {0}'),
  until: phrase('Until {0}'),
  fromTo: phrase('{0} – {1}'),
  instantFormat: phrase('2026-11-20T10:00'),
  invalidInstant: phrase('{0} is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.'),
  fromAfterTo: phrase('{0} is later than {1}.'),
};

/** The texts of a table page that are the same for every table. */
export const tablePhrases = {
  ...sharedPhrases,
  opening: phrase('Opening…'),
  thisPage: phrase('this page'),
  allRows: phrase('all rows'),
  refresh: phrase('Refresh'),
  newerRows: phrase('There may be newer rows'),
  exportAll: phrase('Export All…'),
  noAccount: phrase('No account is open'),
  noAccountHint: phrase(
    'The practice account needs no key, and nothing leaves this machine. To use your own, run “Margin Desk: Add Profile…”.',
  ),
  openPractice: phrase('Open Practice Account'),
  noMatchHint: phrase('Extend the period or change another filter, or clear all filters.'),
  pastEnd: phrase('Page {0} is past the end'),
  pastEndHint: phrase('There are no rows on this page or after it.'),
  emptyPart: phrase('No rows in this part of the period'),
  emptyPartHint: phrase('Older or newer parts may have rows.'),
  badRecord: phrase('1 record could not be read:'),
  badRecords: phrase('{0} records could not be read:'),
  andMore: phrase('and {0} more'),
  failed: phrase('Couldn’t load the rows'),
  failedAuth: phrase('The exchange rejected the credentials'),
  failedRateLimited: phrase('Rate limited by the exchange'),
  failedNetwork: phrase('Couldn’t connect to the exchange'),
  failedTimeout: phrase('The exchange didn’t respond in time'),
  noAnswer: phrase('Margin Desk did not respond in time. Retry.'),
  unexpected: phrase(
    'Something went wrong on this page. Retry. For details, run “Margin Desk: Show Log”.',
  ),
  retryIn: phrase('Retrying in {0} s'),
  tryAgainIn: phrase('Try again in {0} s.'),
  earlierRows: phrase('The rows below were read at {0}.'),
  earlierFilters: phrase('The rows below are of the earlier filters, read at {0}.'),
  filters: phrase('Filters'),
  filtersSet: phrase('Filters ({0})'),
  any: phrase('Any'),
  removeFilter: phrase('Remove filter “{0}”'),
  clear: phrase('Clear'),
  clearFilters: phrase('Clear Filters'),
  period: phrase('Period'),
  today: phrase('Today'),
  lastDays: phrase('Last {0} days'),
  all: phrase('All'),
  parts: phrase('Parts of the period'),
  shownPart: phrase('Showing {0} to {1}. The exchange limits the period of one request.'),
  older: phrase('Older'),
  newer: phrase('Newer'),
  pages: phrase('Pages'),
  firstPage: phrase('First page'),
  previous: phrase('Previous page'),
  next: phrase('Next page'),
  goToPage: phrase('Go to page'),
  page: phrase('Page'),
  invalidPage: phrase('Enter a page number from 1.'),
  pageSize: phrase('Rows per page'),
  perPage: phrase('{0} per page'),
  readAt: phrase('Read at {0}'),
  range: phrase('{0}–{1} of {2}'),
  serverPageSize: phrase('the exchange returns {0} per page'),
  pageOf: phrase('page {0} of {1}'),
  pageOfUnknown: phrase('page {0}, number of pages unknown'),
  columns: phrase('Columns'),
  moveEarlier: phrase('Move {0} Up'),
  moveLater: phrase('Move {0} Down'),
  resetColumns: phrase('Reset Columns'),
  source: phrase('Source'),
  exchange: phrase('Exchange'),
  ledger: phrase('Ledger'),
  search: phrase('Search all rows'),
  searchHint: phrase(
    'Ids and links by their beginning; symbols, assets, sides, types and statuses by a part',
  ),
  olderRows: phrase('Rows before {0} are read from the exchange.'),
  showOlder: phrase('Show Older Rows'),
  figuresOfAll: phrase('Figures of all rows'),
  allSums: phrase('{0}: sum {1} · min {2} · max {3}'),
  bySide: phrase('{0}: bought {1} · sold {2} · net {3}'),
  net: phrase('{0} net {1}'),
  readAtTime: phrase('read {0}'),
  emptyLedger: phrase('No rows in the ledger'),
  emptyLedgerHint: phrase(
    'The exchange may have some. Run “Margin Desk: Download History…”, or show the rows of the exchange.',
  ),
  showExchange: phrase('Show Exchange'),
};

/** Each table has its own sentences, because a name cannot be inserted into a sentence in every language. */
export type RowTexts = Readonly<
  Record<'loading' | 'nothingYet' | 'nothingYetHint' | 'noMatch', string>
>;

export type GridTextName = keyof typeof gridPhrases;

/** As a page gets them. */
export type TableTexts = RowTexts & Readonly<Record<keyof typeof tablePhrases, string>>;

/** The texts of a document and of its grid, whose rows are all on one page. */
export const documentPhrases = {
  ...sharedPhrases,
  sortedAscending: phrase('Rows sorted, ascending'),
  sortedDescending: phrase('Rows sorted, descending'),
  unsorted: phrase('Rows in order of time'),
  find: phrase('Find in the rows'),
  choices: phrase('What is shown: {0}'),
  loading: phrase('Computing…'),
  hint: phrase(
    '← and → move along the chart, Home and End to its ends. Enter or a click shows the rows.',
  ),
  calendarHint: phrase(
    '← and → move from day to day, ↑ and ↓ by a week, Home and End to the first and last day. Enter or a click shows the rows.',
  ),
  hintWithoutRows: phrase('← and → move along the chart, Home and End to its ends.'),
  showRowsOf: phrase('Show Rows of {0}'),
  widerRows: phrase('With other rows of this period'),
  noFigure: phrase('no figure'),
  notKnown: phrase('not known'),
  incomplete: phrase('incomplete'),
  from: phrase('From'),
  to: phrase('To'),
};
