import { l10n } from 'vscode';
import type { TableName } from '../../protocol/table.ts';
import type { GridTextName, TableTexts } from '../../protocol/texts.ts';

/** The texts of a table page in the display language. */
export function tableTexts(table: TableName): TableTexts {
  return {
    ...commonTexts(),
    ...rowTexts(table),
    ...failureTexts(),
    ...filterTexts(),
    ...pagerTexts(),
    ...gridTexts(),
    ...columnTexts(),
    ...ledgerTexts(),
  };
}

type RowsText = 'loading' | 'nothingYet' | 'nothingYetHint' | 'noMatch';

function commonTexts() {
  const { t } = l10n;
  return {
    opening: t('Opening…'),
    refresh: t('Refresh'),
    newerRows: t('There may be newer rows'),
    exportAll: t('Export All…'),
    noAccount: t('No account is open'),
    noAccountHint: t(
      'To use your own account, run “Margin Desk: Add Profile” from the Command Palette. To try it out, run “Margin Desk: Try the Practice Exchange”.',
    ),
    noMatchHint: t('Extend the period or change another filter, or clear all filters.'),
    pastEnd: t('Page {0} is past the end'),
    pastEndHint: t('There are no rows on this page or after it.'),
    emptyPart: t('No rows in this part of the period'),
    emptyPartHint: t('Older or newer parts may have rows.'),
    badRecord: t('1 record could not be read:'),
    badRecords: t('{0} records could not be read:'),
    andMore: t('and {0} more'),
  };
}

/** Each table has its own sentences, because a name cannot be inserted into a sentence in every language. */
function rowTexts(table: TableName): Pick<TableTexts, RowsText> {
  const { t } = l10n;
  switch (table) {
    case 'orders':
      return {
        loading: t('Loading orders…'),
        nothingYet: t('No orders yet in this account'),
        nothingYetHint: t('Place an order at the exchange, then refresh.'),
        noMatch: t('No orders match these filters'),
      };
    case 'trades':
      return {
        loading: t('Loading trades…'),
        nothingYet: t('No trades yet in this account'),
        nothingYetHint: t('Refresh after an order was filled, completely or partially.'),
        noMatch: t('No trades match these filters'),
      };
    case 'lots':
      return {
        loading: t('Loading lots…'),
        nothingYet: t('No liquidation lots yet on this exchange'),
        nothingYetHint: t('Refresh after a position was liquidated.'),
        noMatch: t('No lots match these filters'),
      };
    case 'transactions':
      return {
        loading: t('Loading transactions…'),
        nothingYet: t('No transactions yet in this account'),
        nothingYetHint: t(
          'Select the other account type, or refresh after a deposit, withdrawal, payment or transfer.',
        ),
        noMatch: t('No transactions match these filters'),
      };
    case 'exchangeInformation':
      return textsWithoutFilters(t('Loading symbols…'), t('The exchange lists no symbols'));
    case 'leverageRules':
      return textsWithoutFilters(
        t('Loading leverage rules…'),
        t('The exchange lists no leverage rules'),
      );
    case 'feeTiers':
      return textsWithoutFilters(t('Loading fee tiers…'), t('The exchange lists no fee tiers'));
  }
}

/** A table without filters always has rows, unless something is wrong. */
function textsWithoutFilters(loading: string, nothingYet: string): Pick<TableTexts, RowsText> {
  const nothingYetHint = l10n.t(
    'Refresh. If there are still no rows, check the base URL of the profile.',
  );
  return { loading, nothingYet, nothingYetHint, noMatch: nothingYet };
}

function failureTexts() {
  const { t } = l10n;
  return {
    failed: t('Couldn’t load the rows'),
    failedAuth: t('The exchange rejected the credentials'),
    failedRateLimited: t('Rate limited by the exchange'),
    failedNetwork: t('Couldn’t connect to the exchange'),
    failedTimeout: t('The exchange didn’t respond in time'),
    noAnswer: t('Margin Desk did not respond in time. Retry.'),
    unexpected: t(
      'Something went wrong on this page. Retry. For details, run “Margin Desk: Show Log”.',
    ),
    retry: t('Retry'),
    retryIn: t('Retrying in {0} s'),
    tryAgainIn: t('Try again in {0} s.'),
    earlierRows: t('The rows below were read at {0}.'),
    earlierFilters: t('The rows below are of the earlier filters, read at {0}.'),
  };
}

function filterTexts() {
  const { t } = l10n;
  return {
    filters: t('Filters'),
    filtersSet: t('Filters ({0})'),
    any: t('Any'),
    labelled: t('{0}: {1}'),
    removeFilter: t('Remove filter “{0}”'),
    clear: t('Clear'),
    clearFilters: t('Clear Filters'),
    inZone: t('{0} ({1})'),
    ...periodTexts(),
  };
}

function periodTexts() {
  const { t } = l10n;
  return {
    period: t('Period'),
    today: t('Today'),
    lastDays: t('Last {0} days'),
    all: t('All'),
    ...customPeriodTexts(),
  };
}

export function customPeriodTexts() {
  const { t } = l10n;
  return {
    custom: t('Custom'),
    since: t('From {0}'),
    until: t('Until {0}'),
    fromTo: t('{0} – {1}'),
    instantFormat: t('2026-11-20T10:00'),
    invalidInstant: t('{0} is not a date. Enter it as 2026-11-20 or 2026-11-20T10:00.'),
    fromAfterTo: t('{0} is later than {1}.'),
  };
}

export function gridTexts(): Pick<TableTexts, GridTextName> {
  const { t } = l10n;
  return {
    oneRow: t('1 row'),
    rows: t('{0} rows'),
    hidden: t('hidden'),
    thisPage: t('this page'),
    allRows: t('all rows'),
    sortedAscending: t('Rows of this page sorted, ascending'),
    sortedDescending: t('Rows of this page sorted, descending'),
    unsorted: t('Rows in the order of the exchange'),
    cells: t('{0} cells'),
    figures: t('Figures of the selection'),
    sums: t('{0}: sum {1} · min {2} · max {3} · avg {4}'),
    lacking: t('{0} · rows without a value: {1}'),
    find: t('Find in this page'),
    noMatches: t('No matches'),
    matchOf: t('{0} of {1}'),
    nextMatch: t('Next Match'),
    previousMatch: t('Previous Match'),
    close: t('Close'),
    copied: t('Copied'),
    copiedCell: t('Copied 1 cell'),
    copiedCells: t('Copied {0} cells'),
    copiedRow: t('Copied 1 row'),
    copiedRows: t('Copied {0} rows'),
    ...detailsTexts(),
  };
}

function ledgerTexts() {
  const { t } = l10n;
  return {
    source: t('Source'),
    exchange: t('Exchange'),
    ledger: t('Ledger'),
    search: t('Search all rows'),
    searchHint: t(
      'Ids and links by their beginning; symbols, assets, sides, types and statuses by a part',
    ),
    figuresOfAll: t('Figures of all rows'),
    allSums: t('{0}: sum {1} · min {2} · max {3}'),
    emptyLedger: t('No rows in the ledger'),
    emptyLedgerHint: t(
      'The exchange may have some. Run “Margin Desk: Download History…”, or show the rows of the exchange.',
    ),
    showExchange: t('Show Exchange'),
  };
}

function columnTexts() {
  const { t } = l10n;
  return {
    columns: t('Columns'),
    moveEarlier: t('Move {0} Up'),
    moveLater: t('Move {0} Down'),
    resetColumns: t('Reset Columns'),
  };
}

function detailsTexts() {
  const { t } = l10n;
  return {
    details: t('Details'),
    timeAsIso: t('ISO 8601'),
    timeAsEpoch: t('Epoch'),
    otherFields: t('Fields that the API document does not name'),
    copyField: t('Copy {0}'),
    copyIso: t('Copy Time as ISO 8601'),
    copyEpoch: t('Copy Time as the Exchange Wrote It'),
  };
}

function pagerTexts() {
  const { t } = l10n;
  return {
    parts: t('Parts of the period'),
    shownPart: t('Showing {0} to {1}. The exchange limits the period of one request.'),
    older: t('Older'),
    newer: t('Newer'),
    pages: t('Pages'),
    firstPage: t('First page'),
    previous: t('Previous page'),
    next: t('Next page'),
    goToPage: t('Go to page'),
    page: t('Page'),
    invalidPage: t('Enter a page number from 1.'),
    pageSize: t('Rows per page'),
    perPage: t('{0} per page'),
    readAt: t('Read at {0}'),
    range: t('{0}–{1} of {2}'),
    serverPageSize: t('the exchange returns {0} per page'),
    pageOf: t('page {0} of {1}'),
    pageOfUnknown: t('page {0}, number of pages unknown'),
  };
}
