import { l10n } from 'vscode';
import type { TableName } from '../../protocol/table.ts';
import type { TableTexts } from '../../protocol/tableTexts.ts';

/** The texts of a table's page in the language of this window. */
export function tableTexts(table: TableName): TableTexts {
  return { ...ofTable(table), ...ofFailures(), ...ofFilters(), ...ofPager() };
}

type RowsText = 'loading' | 'nothingYet' | 'nothingYetCure' | 'noMatch';

/** Whole sentences for each table: no language has to bend a name into another's sentence. */
function ofTable(
  table: TableName,
): Pick<TableTexts, RowsText | keyof ReturnType<typeof ofAnyTable>> {
  return { ...ofAnyTable(), ...ofRows(table) };
}

function ofAnyTable() {
  const { t } = l10n;
  return {
    opening: t('Opening…'),
    asOf: t('as of {0}'),
    refresh: t('Refresh'),
    newerRows: t('There may be newer rows'),
    exportAll: t('Export All…'),
    noAccount: t('No account is open'),
    noAccountCure: t(
      'Run “Margin Desk: Add Profile” from the Command Palette for an account of your own, or “Margin Desk: Try the Practice Exchange” to see one at work.',
    ),
    noMatchCure: t('Widen the period or change another filter and apply, or reset them all.'),
    pastEnd: t('Page {0} is past the end'),
    pastEndCure: t('There is nothing on this page or after it.'),
    badRecord: t('1 record could not be read:'),
    badRecords: t('{0} records could not be read:'),
    andMore: t('and {0} more'),
    copied: t('Copied'),
    hidden: t('hidden'),
  };
}

/** Who has none: an account its own records, the venue its lots and its reference data. */
function ofRows(table: TableName): Pick<TableTexts, RowsText> {
  const { t } = l10n;
  switch (table) {
    case 'orders':
      return {
        loading: t('Loading orders…'),
        nothingYet: t('No orders yet in this account'),
        nothingYetCure: t('Place one at the exchange, then refresh.'),
        noMatch: t('No orders match these filters'),
      };
    case 'trades':
      return {
        loading: t('Loading trades…'),
        nothingYet: t('No trades yet in this account'),
        nothingYetCure: t('Refresh once an order was filled, in whole or in part.'),
        noMatch: t('No trades match these filters'),
      };
    case 'lots':
      return {
        loading: t('Loading lots…'),
        nothingYet: t('The venue has no lots'),
        nothingYetCure: t('Nobody’s position was liquidated yet: refresh later.'),
        noMatch: t('No lots match these filters'),
      };
    case 'transactions':
      return {
        loading: t('Loading transactions…'),
        nothingYet: t('No transactions yet in this account'),
        nothingYetCure: t(
          'Look at the other account type, or refresh once something was deposited, withdrawn, paid or transferred.',
        ),
        noMatch: t('No transactions match these filters'),
      };
    case 'exchangeInformation':
      return unfiltered(t('Loading symbols…'), t('The venue lists no symbols'));
    case 'leverageRules':
      return unfiltered(t('Loading leverage rules…'), t('The venue lists no leverage rules'));
    case 'feeTiers':
      return unfiltered(t('Loading fee tiers…'), t('The venue lists no fee tiers'));
    default:
      return table satisfies never;
  }
}

/** A table that comes whole: nothing can fail to match, and no exchange has none. */
function unfiltered(loading: string, nothingYet: string): Pick<TableTexts, RowsText> {
  const nothingYetCure = l10n.t('Refresh; if it stays so, check the base URL of the profile.');
  return { loading, nothingYet, nothingYetCure, noMatch: nothingYet };
}

function ofFailures() {
  const { t } = l10n;
  return {
    failed: t('The rows could not be read'),
    failedAuth: t('The exchange did not accept the credentials'),
    failedRateLimited: t('The exchange asks for a pause'),
    failedNetwork: t('The exchange cannot be reached'),
    failedTimeout: t('The answer took too long'),
    noAnswer: t('Margin Desk did not answer in time. Retry.'),
    unexpected: t('The page met an error of its own. Retry; the log of Margin Desk has more.'),
    retry: t('Retry'),
    retryIn: t('Trying again in {0} s'),
  };
}

function ofFilters() {
  const { t } = l10n;
  return {
    filters: t('Filters'),
    filtersSet: t('Filters ({0})'),
    any: t('Any'),
    inZone: t('{0} ({1})'),
    period: t('Period'),
    today: t('Today'),
    days: t('{0} days'),
    apply: t('Apply'),
    reset: t('Reset'),
    resetFilters: t('Reset filters'),
    incompleteInstant: t('{0} is not a complete date and time.'),
    fromAfterTo: t('{0} is later than {1}.'),
  };
}

function ofPager() {
  const { t } = l10n;
  return {
    pages: t('Pages'),
    first: t('First'),
    firstPage: t('First page'),
    previous: t('Previous'),
    next: t('Next'),
    last: t('Last'),
    goToPage: t('Go to page'),
    page: t('Page'),
    ofPages: t('of {0}'),
    badPage: t('A page is a whole number from 1.'),
    pageSize: t('Rows per page'),
    range: t('rows {0}–{1} of {2}'),
    givenSize: t('the exchange gives {0} a page'),
    oneRow: t('1 row'),
    rows: t('{0} rows'),
    pageOf: t('page {0} of {1}'),
    pageOfUnknown: t('page {0} of unknown'),
  };
}
