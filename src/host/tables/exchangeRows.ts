import { openEnd, openStart } from '../../base/interval.ts';
import type { ExportQuery } from '../../account/export/exportPlan.ts';
import {
  readBoundedPage,
  type BoundedPage,
  type HistoryAccount,
} from '../../account/history/boundedPeriod.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { secondMs } from '../../base/time.ts';
import { missingRecords } from '../../exchange/badRecords.ts';
import type { IgnoredFilter } from '../../exchange/history/filterRules.ts';
import type { UnprovenConvention } from '../../exchange/history/page.ts';
import type { HistorySelection } from '../../exchange/history/records.ts';
import { parametersOf, type HistoryName } from '../../api/operations.ts';
import type { TableFilters, TableQuery } from '../../protocol/table.ts';
import { t } from '../shared/translate.ts';
import { localized } from '../text/messageText.ts';
import type { HistoryTable } from './definition.ts';
import type { ReadContext, RowPage } from './panelState.ts';

type ExchangeContext = Omit<ReadContext, 'session' | 'ledger'> & {
  readonly session: HistoryAccount;
};

/** Reads a page of a history. Rejects with ExchangeError, UserFacingError or the signal's reason. */
export async function readExchangeRows(
  table: HistoryTable,
  { filters, page: number, size: askedSize, part: position }: TableQuery,
  { session, display, ...options }: ExchangeContext,
): Promise<RowPage> {
  const { request: selection, period } = historyQuery(table, filters);
  const request = { ...selection, period, page: number, size: askedSize };
  const page = await readBoundedPage(session, request, position, options);
  const { records, part, badRecords, ignoredFilters, filteredHere, count, outside, filtered } =
    page;
  const areFiltersApplied = filteredHere.length + outside + ignoredFilters.length === 0;
  return {
    records,
    part,
    ...page.totals,
    totalElements: count === null ? null : String(count),
    summary: [],
    notes: pageNotes(page, askedSize, display),
    omittedRows: outside + filtered + missingRecords(badRecords).length,
    // Else the exchange counts rows that do not match.
    matchingRows: areFiltersApplied ? (count ?? undefined) : undefined,
    badRecords: badRecords.map(({ problem }) => localized(problem, display)),
  };
}

/**
 * What a page or an export reads for these filters. The half-open period includes the whole second of
 * its last instant. Throws UserFacingError for an invalid date: to ignore it would widen the query.
 */
export function historyQuery(
  { operation }: Pick<HistoryTable, 'operation'>,
  { dateFrom, dateTo, ...values }: TableFilters,
): ExportQuery {
  const chosen = Object.entries(values)
    .filter(([, value]) => value.length > 0)
    .map(([parameter, value]) => [parameter, filterValue(operation, parameter, value)] as const);
  const filters = { ...requiredFilters(operation), ...Object.fromEntries(chosen) };
  const last = parseInstant(dateTo);
  return {
    request: { operation, filters } as HistorySelection,
    period: {
      from: parseInstant(dateFrom) ?? openStart,
      to: last === undefined ? openEnd : last + secondMs,
    },
  };
}

/** Throws if the operation has no such filter: to leave it out would widen the query. */
function filterValue(
  operation: HistoryName,
  parameter: string,
  value: string | string[],
): string | string[] {
  const { kind } = parametersOf(operation).get(parameter) ?? {};
  if (kind === 'list') return [value].flat();
  if (kind === 'text' && typeof value === 'string') return value;
  throw new Error(`${operation} cannot be filtered by ${parameter}.`);
}

function requiredFilters(operation: HistoryName): object {
  const required = [...parametersOf(operation)].flatMap(([parameter, description]) =>
    'isRequired' in description && description.values ? [[parameter, description.values[0]]] : [],
  );
  return Object.fromEntries(required) as object;
}

function parseInstant(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const epochMs = Date.parse(value);
  if (Number.isNaN(epochMs))
    throw new UserFacingError(t('A date filter is not a valid date. Set it again.'));
  return epochMs;
}

type NotedPage = Pick<
  BoundedPage,
  'ignoredFilters' | 'unproven' | 'filteredHere' | 'maxPageSize' | 'outside' | 'filtered'
>;

/** What the user must know about a page: ignored filters, omitted rows, and what is not verified. */
export function pageNotes(
  { ignoredFilters, unproven, filteredHere, maxPageSize, outside, filtered }: NotedPage,
  askedSize: number,
  display: Display,
): readonly string[] {
  const isPeriodIgnored = ignoredFilters.some(isDate);
  return [
    ...ignoredFilters.map((filter) => ignoredFilterText(filter, display)),
    ...unproven.map(unverifiedText),
    ...(filteredHere.length === 0 ? [] : [filteredHereText(filtered, display)]),
    ...(outside > 0 && !isPeriodIgnored ? [omittedText(outside, display)] : []),
    ...(maxPageSize !== null && maxPageSize < askedSize
      ? [t('The exchange returns at most {0} rows per page.', display.count(maxPageSize))]
      : []),
  ];
}

function isDate({ parameter }: IgnoredFilter): boolean {
  return parameter === 'dateFrom' || parameter === 'dateTo';
}

function ignoredFilterText(filter: IgnoredFilter, display: Display): string {
  const { parameter, rows } = filter;
  const count = display.count(rows);
  return isDate(filter)
    ? t(
        'The exchange ignored {0}: {1} rows of this page are outside the period and left out.',
        parameter,
        count,
      )
    : t(
        'The exchange ignored the filter {0}: {1} rows of this page do not match it.',
        parameter,
        count,
      );
}

function filteredHereText(rows: number, display: Display): string {
  return t(
    'Rows with other statuses are left out here, {0} on this page; the total counts every status. To have the exchange filter several statuses, set “lists” of “dialect” in the profile’s settings.',
    display.count(rows),
  );
}

function omittedText(rows: number, display: Display): string {
  return rows === 1
    ? t('1 row at the edge of the period is left out.')
    : t('{0} rows at the edge of the period are left out.', display.count(rows));
}

function unverifiedText(unproven: UnprovenConvention): string {
  return {
    datesUndecided: t(
      'The date format of this API is not verified: rows of this period may be missing. Run “Margin Desk: Test Connection”, or set “dialect” in the profile’s settings.',
    ),
    zoneUnknown: t(
      'The time zone of the exchange is not known, so dates are sent in UTC: rows of this period may be missing.',
    ),
  }[unproven];
}
