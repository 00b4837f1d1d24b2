import { createHash } from 'node:crypto';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { Dialect } from '../../exchange/dialect/dialect.ts';
import { longestPeriodMs } from '../../exchange/dialect/slices.ts';
import type { HistoryRequest } from '../../exchange/walk/clientHistory.ts';
import type { TimeRange } from '../../exchange/walk/history.ts';
import { fewestReads } from '../../exchange/walk.ts';
import { environmentLabel, originOf } from '../profile.ts';
import type { Session } from '../session.ts';
import type { FormatName } from './rowWriter.ts';
import type { HistoryName } from '../../exchange/histories.ts';

/** What somebody asked to be exported: a history, its filters, and the period, open where a bound is undefined. */
export type ExportSubject = {
  readonly request: HistoryRequest;
  readonly period: { readonly from: number | undefined; readonly to: number | undefined };
};

/** Filters as they are told: the interface's parameters and their values. */
export type ToldFilters = Readonly<Record<string, string | readonly string[]>>;

/** One export: whose rows, which, in what form, and until when. */
export type ExportPlan = {
  readonly profile: string;
  /** LIVE, TEST or PRACTICE. */
  readonly environment: string;
  readonly origin: string;
  readonly operation: HistoryName;
  readonly filters: ToldFilters;
  readonly format: FormatName;
  /** Frozen when the export was first asked for, so that it does not change while it is read. */
  readonly range: TimeRange;
  /** The same for every export that could go on where this one stopped: a name for files. */
  readonly key: string;
};

/** A row can be committed after rows that are younger: the newest seconds are left to the next export. */
const lagMs = 5000;

/** What of an open account a plan depends on. */
export type PlannedAccount = Pick<Session, 'profile' | 'fingerprint'> & {
  readonly client: Pick<ExchangeClient, 'serverNow' | 'dialect'>;
};

/** Plans an export of all rows up to now, by the exchange's clock. */
export function planExport(
  { profile, fingerprint, client }: PlannedAccount,
  { request, period }: ExportSubject,
  format: FormatName,
): ExportPlan {
  const whose = {
    profile: profile.name,
    environment: environmentLabel(profile),
    origin: originOf(profile),
  };
  const what = { operation: request.operation, filters: toldFilters(request), format };
  const settled = client.serverNow() - lagMs;
  const range = { from: period.from, to: Math.min(period.to ?? settled, settled) };
  // A walk goes on only with the same account, asked in the same way and in the same steps of time.
  const how = {
    fingerprint,
    auth: profile.auth,
    baseUrl: profile.baseUrl,
    ...waysOf(client, request),
  };
  const asked = JSON.stringify([whose, what, period.from ?? null, period.to ?? null, how]);
  return { ...whose, ...what, range, key: createHash('sha256').update(asked).digest('hex') };
}

/** How often an export asks at least: once for every stretch that the exchange answers at once. */
export function leastReads(
  { range }: Pick<ExportPlan, 'range'>,
  dialect: Pick<Dialect, 'maxRangeDays' | 'dates'>,
): number {
  return fewestReads(range, longestPeriodMs(dialect));
}

/** The readings of dates and lists, as far as they make a difference to which rows come. */
function waysOf({ dialect }: PlannedAccount['client'], { filters }: HistoryRequest) {
  const hasList = 'statuses' in filters && (filters.statuses?.length ?? 0) > 1;
  return { dates: dialect.dates, ...(hasList ? { lists: dialect.lists } : {}) };
}

/** In the order of their names, so that the same filters are the same export. */
function toldFilters({ filters }: HistoryRequest): ToldFilters {
  const given = Object.entries<string | readonly string[] | undefined>(filters);
  const told = given.flatMap(([name, value]) =>
    value === undefined || value.length === 0 ? [] : [[name, value] as const],
  );
  return Object.fromEntries(told.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
