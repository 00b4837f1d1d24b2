import { createHash } from 'node:crypto';
import type { Interval } from '../../base/interval.ts';
import type { ApiConventions } from '../../exchange/history/apiConventions.ts';
import {
  filtersWithSeveralValues,
  type ExchangeConventions,
} from '../../exchange/history/exchangeConventions.ts';
import { maxPeriodMs } from '../../exchange/history/requestLimits.ts';
import type { HistoryName } from '../../api/operations.ts';
import type { HistorySelection } from '../../exchange/history/records.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import { minReads } from '../../exchange/history/walk/walk.ts';
import type { AccountSession } from '../session/accountSession.ts';
import { environmentLabel, originOf } from '../session/profile.ts';
import type { ExportFormat } from './exportFormats.ts';

/** What to export: a history, its filters, and a period. */
export type ExportQuery = {
  readonly request: HistorySelection;
  readonly period: Interval;
  /** How many rows the exchange counted when it was asked last. */
  readonly matchingRows?: number;
};

/** The API's parameters and their values. */
type FilterParameters = Readonly<Record<string, string | readonly string[]>>;

export type ExportPlan = {
  readonly profile: string;
  /** LIVE, TEST or PRACTICE. */
  readonly environment: string;
  readonly origin: string;
  readonly operation: HistoryName;
  readonly filters: FilterParameters;
  readonly format: ExportFormat;
  /** Up to now at most. An export that is resumed keeps the one that it began with. */
  readonly range: Interval;
  /** Equal for exports of the same rows in any format, which can resume one another. It is part of file names. */
  readonly key: string;
};

/** What a plan needs of the open account. */
type ExportAccount = Pick<AccountSession, 'profile' | 'fingerprint' | 'serverNow'> & {
  readonly conventions: Pick<ExchangeConventions, 'current'>;
};

/** Plans an export of all rows until now, by the exchange's clock. */
export function planExport(
  account: ExportAccount,
  { request, period }: ExportQuery,
  format: ExportFormat,
): ExportPlan {
  const { profile, fingerprint } = account;
  const source = {
    profile: profile.name,
    environment: environmentLabel(profile),
    origin: originOf(profile),
  };
  const rows = { operation: request.operation, filters: filterParameters(request) };
  const newest = account.serverNow() - commitDelayMs;
  const range = { from: period.from, to: Math.min(period.to, newest) };
  // A walk resumes only with the same account, requested in the same way and in the same units of time.
  const access = {
    fingerprint,
    auth: profile.auth,
    baseUrl: profile.baseUrl,
    ...conventionsOf(account.conventions.current, request),
  };
  const identity = JSON.stringify([source, rows, period.from, period.to, access]);
  const key = createHash('sha256').update(identity).digest('hex');
  return { ...source, ...rows, format, range, key };
}

/** The least number of requests: one for each period that the exchange answers at once. */
export function minExportReads(
  gaps: readonly Interval[],
  conventions: Pick<ApiConventions, 'maxRangeDays' | 'dates'>,
): number {
  const longestMs = maxPeriodMs(conventions);
  return gaps.reduce((sum, gap) => sum + minReads(gap, longestMs), 0);
}

/** The conventions that decide which rows an answer has. */
function conventionsOf({ dates, lists }: ApiConventions, { filters }: HistorySelection) {
  return filtersWithSeveralValues(filters).length > 0 ? { dates, lists } : { dates };
}

/** Sorted by name, so that equal filters give equal keys. */
function filterParameters({ filters }: HistorySelection): FilterParameters {
  const given = Object.entries<string | readonly string[] | undefined>(filters);
  const parameters = given.flatMap(([name, value]) =>
    value === undefined || value.length === 0 ? [] : [[name, value] as const],
  );
  return Object.fromEntries(parameters.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
