import { dayMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/rangeLimit.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import { minReads } from '../../exchange/history/walk/walk.ts';
import { operations } from '../../exchange/operations.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import { coverageParts } from '../coverage/coverageParts.ts';
import { clip, subtract, union } from '../coverage/intervals.ts';
import {
  ledgerHistoryNames,
  operationOf,
  type Interval,
  type LedgerHistory,
  type LedgerWriter,
  type SavedWalk,
} from '../ledger.ts';
import { rangeOf } from './walkRunner.ts';

/** How far back to download, in days. */
const downloadPeriods = { days90: 90, year: 365, everything: null } as const;

export type DownloadRequest = {
  readonly period: keyof typeof downloadPeriods;
  readonly histories: readonly LedgerHistory[];
};

/** Lots are all the exchange's, and may be many. */
export const defaultHistories: readonly LedgerHistory[] = ledgerHistoryNames.filter(
  (history) => history !== 'lots',
);

/** The least that reads take. */
export type DownloadCost = {
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
  readonly cost: DownloadCost;
  /** The same of each history that was asked for. */
  readonly costs: ReadonlyMap<LedgerHistory, DownloadCost>;
};

export type PlanOptions = {
  readonly client: Pick<ExchangeClient, 'conventions' | 'serverNow' | 'renewTime'>;
  readonly writer: Pick<LedgerWriter, 'coverage' | 'unfinishedWalks'>;
  readonly usage: Pick<RateLimitUsage, 'ownShare' | 'windowMs'>;
};

/** Plans to read what is neither complete nor being read yet, up to now. */
export function planDownload(
  options: PlanOptions,
  { period, histories }: DownloadRequest,
): Promise<DownloadPlan> {
  const days = downloadPeriods[period];
  return planReads(options, (now) => {
    const from = days === null ? 0 : now - days * dayMs;
    return histories.map((history) => ({ history, from, to: now }));
  });
}

/** The same between the first and the last moment of each history that was read. */
export async function planGaps(options: PlanOptions): Promise<DownloadPlan> {
  const intervals: PlannedWalk[] = [];
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
  await options.client.renewTime();
  const asOf = options.client.serverNow();
  const unfinished = await options.writer.unfinishedWalks();
  const walks: PlannedWalk[] = [];
  const begun = new Set<SavedWalk>();
  const asked = Map.groupBy(intervalsAt(asOf), ({ history }) => history);
  for (const [history, intervals] of asked) {
    const own = unfinished.filter((walk) => walk.history === history);
    for (const period of clip(intervals, { from: 0, to: asOf - commitDelayMs })) {
      const unproven = await unprovenIn(options.writer, history, period);
      for (const interval of subtract(unproven, own)) walks.push({ history, ...interval });
      for (const walk of own) if (clip(unproven, walk).length > 0) begun.add(walk);
    }
  }
  const costs = [...asked.keys()].map((history) => {
    const own = walks.filter((walk) => walk.history === history);
    return [history, costOf(own, options)] as const;
  });
  return { asOf, walks, begun: [...begun], cost: costOf(walks, options), costs: new Map(costs) };
}

async function unprovenIn(
  writer: PlanOptions['writer'],
  history: LedgerHistory,
  period: Interval,
): Promise<readonly Interval[]> {
  const parts = coverageParts(history, await writer.coverage(history), period);
  return union(parts.filter(({ completeness }) => completeness !== 'complete'));
}

/** The least that walks take: one page for each period that the exchange answers at once. */
function costOf(
  walks: readonly PlannedWalk[],
  { client, usage }: Pick<PlanOptions, 'client' | 'usage'>,
): DownloadCost {
  const longestMs = maxPeriodMs(client.conventions.current);
  const least = walks.map((walk) => {
    const pages = minReads(rangeOf(walk), longestMs);
    return { pages, weight: pages * operations[operationOf(walk.history)].weight };
  });
  const pages = least.reduce((sum, walk) => sum + walk.pages, 0);
  const weight = least.reduce((sum, walk) => sum + walk.weight, 0);
  return { pages, weight, durationMs: leastBulkMs(weight, usage) };
}
