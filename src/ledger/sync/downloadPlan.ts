import { clip, openStart, subtract, union, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import { clientKey, type ExchangeClient } from '../../exchange/client.ts';
import { omittedRows } from '../../exchange/history/page.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import { minReads } from '../../exchange/history/walk/walk.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import { coverageParts } from '../coverage/coverageParts.ts';
import {
  ledgerHistories,
  ledgerHistoryNames,
  operationOf,
  weightOf,
  type LedgerHistory,
  type LedgerWriter,
  type SavedWalk,
} from '../ledger.ts';

/** How far back to download, in days. */
export const downloadPeriods = { days90: 90, year: 365, everything: null } as const;

export type DownloadPeriod = keyof typeof downloadPeriods;

export type DownloadRequest = {
  readonly period: DownloadPeriod;
  readonly histories: readonly LedgerHistory[];
};

/** Lots are all the exchange's, and may be many. */
export const defaultHistories: readonly LedgerHistory[] = ledgerHistoryNames.filter(
  (history) => history !== 'lots',
);

/** What reads take: the least if their rows were not counted. */
export type DownloadCost = {
  readonly isCounted: boolean;
  /** Of the walks whose rows were counted. */
  readonly rows: number;
  readonly pages: number;
  readonly weight: number;
  /** At the share of the rate limit. */
  readonly durationMs: number;
};

export type PlannedWalk = Interval & { readonly history: LedgerHistory };

export type DownloadPlan = {
  /** When it was planned, in epoch milliseconds of the exchange. */
  readonly asOf: number;
  readonly walks: readonly PlannedWalk[];
  /** The walks that were begun before, maybe paused, and have a part of what was asked for. */
  readonly begun: readonly SavedWalk[];
};

export type PlanOptions = {
  readonly [clientKey]: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow' | 'renewTime'>;
  /** `nothingStored` before there is a ledger. */
  readonly writer: Pick<LedgerWriter, 'coverage' | 'unfinishedWalks'>;
  readonly usage: Pick<RateLimitUsage, 'ownShare' | 'windowMs'>;
};

export const nothingStored: PlanOptions['writer'] = {
  coverage: () => Promise.resolve([]),
  unfinishedWalks: () => Promise.resolve([]),
};

/** Plans to read what is neither complete nor being read yet, up to now. */
export function planDownload(
  options: PlanOptions,
  { period, histories }: DownloadRequest,
): Promise<DownloadPlan> {
  const days = downloadPeriods[period];
  return planReads(options, (now) => {
    const from = days === null ? openStart : now - days * dayMs;
    return histories.map((history) => ({ history, from, to: now }));
  });
}

/** The same between the first and the last moment of each history that was read, and within these intervals. */
export async function planGaps(
  options: PlanOptions,
  also: readonly PlannedWalk[] = [],
): Promise<DownloadPlan> {
  const intervals: PlannedWalk[] = [...also];
  for (const history of ledgerHistoryNames) {
    const reads = await options.writer.coverage(history);
    const from = Math.min(...reads.map((read) => read.from));
    intervals.push({ history, from, to: Math.max(0, ...reads.map(({ to }) => to)) });
  }
  return planIntervals(options, intervals);
}

/** The same within these intervals, which may be before the first moment that was read, or after the last. */
export function planIntervals(
  options: PlanOptions,
  intervals: readonly PlannedWalk[],
): Promise<DownloadPlan> {
  return planReads(options, () => intervals);
}

async function planReads(
  options: PlanOptions,
  intervalsAt: (now: number) => readonly PlannedWalk[],
): Promise<DownloadPlan> {
  const { [clientKey]: client } = options;
  await client.renewTime();
  const asOf = client.serverNow();
  const unfinished = await options.writer.unfinishedWalks();
  const walks: PlannedWalk[] = [];
  const begun = new Set<SavedWalk>();
  const asked = Map.groupBy(intervalsAt(asOf), ({ history }) => history);
  // Trades are many as a rule: they prove that the exchange does not cut long periods, also of other histories.
  const isTrades = ([history]: readonly [LedgerHistory, unknown]): number =>
    Number(history === 'trades');
  for (const [history, intervals] of [...asked].toSorted((a, b) => isTrades(b) - isTrades(a))) {
    const own = unfinished.filter((walk) => walk.history === history);
    for (const period of clip(intervals, { from: openStart, to: asOf - commitDelayMs })) {
      const unproven = await unprovenIn(options.writer, history, period);
      for (const interval of subtract(unproven, own)) walks.push({ history, ...interval });
      for (const walk of own) if (clip(unproven, walk).length > 0) begun.add(walk);
    }
  }
  return { asOf, walks, begun: [...begun] };
}

async function unprovenIn(
  writer: PlanOptions['writer'],
  history: LedgerHistory,
  period: Interval,
): Promise<readonly Interval[]> {
  const parts = coverageParts(history, await writer.coverage(history), period);
  return union(parts.filter(({ completeness }) => completeness !== 'complete'));
}

/** What a walk reads beside its full pages, to prove that no row is missing at their ends. */
const provingReads = 3;

type CostOptions = Pick<PlanOptions, 'usage'> & {
  readonly [clientKey]: Pick<ExchangeClient, 'conventions'>;
};

/**
 * What walks take: a page for each period that the exchange answers at once, or for as many rows as a page
 * has. `rowsOf` is undefined for a walk whose rows were not counted.
 */
export function costOf(
  walks: readonly PlannedWalk[],
  { usage, [clientKey]: client }: CostOptions,
  rowsOf: (walk: PlannedWalk) => number | undefined,
): DownloadCost {
  const { conventions } = client;
  const counts = walks.map(rowsOf);
  const costs = walks.map((walk, index) => {
    const rows = counts[index];
    const full =
      rows === undefined ? 0 : Math.ceil(rows / conventions.pageSize(operationOf(walk.history)));
    const proving = rows === undefined ? 0 : provingReads;
    const pages = Math.max(minReads(walk, conventions.longestPeriodMs), full) + proving;
    return { pages, weight: pages * weightOf(walk.history) };
  });
  const weight = costs.reduce((sum, cost) => sum + cost.weight, 0);
  return {
    isCounted: !counts.includes(undefined),
    rows: counts.reduce<number>((sum, rows) => sum + (rows ?? 0), 0),
    pages: costs.reduce((sum, { pages }) => sum + pages, 0),
    weight,
    durationMs: leastBulkMs(weight, usage),
  };
}

/**
 * Asks the exchange how many rows a walk has. Undefined if one answer does not say it: the period is too long
 * for one, or nothing is counted, or rows of other periods are. Rejects with ExchangeError.
 */
export async function countRows(
  { [clientKey]: client }: Pick<PlanOptions, typeof clientKey>,
  walk: PlannedWalk,
): Promise<number | undefined> {
  const period = { from: walk.from, to: walk.to };
  if (minReads(walk, client.conventions.longestPeriodMs) > 1) return undefined;
  const request = { ...ledgerHistories[walk.history], period, page: 0, size: 1 };
  const page = await client.history(request, {});
  const { outside } = omittedRows(page);
  const isCount = page.ignoredFilters.length + outside + page.unproven.length === 0;
  return isCount ? (page.count ?? undefined) : undefined;
}
