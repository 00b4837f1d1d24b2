import { ExchangeError } from '../../exchange/exchangeError.ts';
import { minReads } from '../../exchange/history/walk/walk.ts';
import { leastBulkMs, type RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import { weightOf, type LedgerHistory, type SavedWalk } from '../ledger.ts';
import type { DownloadPlan } from './downloadPlan.ts';
import { type WalkProgress, type WalkRunner, type WalkRunnerOptions } from './walkRunner.ts';

export type DownloadProgress = {
  readonly history: LedgerHistory;
  /** How much of the history's period is read, from 0 to 1. */
  readonly fraction: number;
  readonly rows: number;
  /** What the whole download still takes, by its pace so far; for what has not started, the least that it takes. */
  readonly weightLeft: number;
};

const temporaryKinds = ['network', 'timeout', 'server', 'rateLimited'];

/** Whether a download that failed may continue once the exchange answers again. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ExchangeError && temporaryKinds.includes(error.failure.kind);
}

/** How long the rest takes at least, at the share of the rate limit. */
export function leastMsLeft(
  { weightLeft }: Pick<DownloadProgress, 'weightLeft'>,
  usage: Pick<RateLimitUsage, 'ownShare' | 'windowMs'>,
): number {
  return leastBulkMs(weightLeft, usage);
}

type DownloadOptions = WalkRunnerOptions & {
  readonly runner: WalkRunner;
  readonly onProgress: (progress: DownloadProgress) => void;
};

/** `none`: there is nothing to download. */
export type DownloadEnd = 'finished' | 'paused' | 'none';

/** The download of a ledger: its walks are stored, so that it continues after any interruption. */
export class Download {
  private readonly options: DownloadOptions;
  private running: Promise<DownloadEnd> | undefined;
  private stop = new AbortController();
  /** A walk may have been begun since the last look. */
  private isLookDue = false;

  constructor(options: DownloadOptions) {
    this.options = options;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Whether something was begun and not finished, in this or another window. */
  async isUnfinished(): Promise<boolean> {
    return (await this.walks()).length > 0;
  }

  /** The same, unless it is paused. */
  async isBegun(): Promise<boolean> {
    return (await this.walks()).some(({ isPaused }) => !isPaused);
  }

  /** Begins what is planned, beside what was begun before, and runs as `resume` does. */
  async start({ walks, asOf }: DownloadPlan, signal: AbortSignal): Promise<DownloadEnd> {
    for (const walk of walks)
      await this.options.writer.beginWalk({ ...walk, asOf, purpose: 'download' });
    return this.resume(signal);
  }

  /** Continues unfinished reads, also paused ones. Ends as `run` does. */
  async resume(signal: AbortSignal): Promise<DownloadEnd> {
    for (const { id, isPaused } of await this.walks())
      if (isPaused) await this.options.writer.pauseWalk(id, false);
    return this.run(signal);
  }

  /**
   * Continues what was begun and not paused, or joins the current run. Rejects with
   * ExchangeError or the signal's reason; what is left can then be resumed.
   */
  run(signal: AbortSignal): Promise<DownloadEnd> {
    this.isLookDue = true;
    this.running ??= this.runAll(signal).finally(() => (this.running = undefined));
    return this.running;
  }

  /** Stops at once. What is left stays paused until it is resumed, also in another window. */
  async pause(): Promise<void> {
    this.stop.abort();
    for (const { id } of await this.walks()) await this.options.writer.pauseWalk(id, true);
    await this.running?.catch(() => undefined);
  }

  private async runAll(signal: AbortSignal): Promise<DownloadEnd> {
    const stop = new AbortController();
    this.stop = stop;
    let end: DownloadEnd = 'none';
    try {
      while (this.isLookDue && !stop.signal.aborted) {
        this.isLookDue = false;
        const [walk, ...others] = (await this.walks()).filter(({ isPaused }) => !isPaused);
        if (!walk) continue;
        await this.runWalk(walk, others, AbortSignal.any([signal, stop.signal]));
        this.isLookDue = true;
        end = 'finished';
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    return stop.signal.aborted ? 'paused' : end;
  }

  private runWalk(walk: SavedWalk, others: readonly SavedWalk[], signal: AbortSignal) {
    const weightOfOthers = others.reduce((sum, other) => sum + this.leastWeight(other), 0);
    return this.options.runner.run(walk, {
      signal,
      onProgress: (progress) => {
        const weightLeft = this.weightLeft(walk, progress) + weightOfOthers;
        const { fraction, rows } = progress;
        this.options.onProgress({ history: walk.history, fraction, rows, weightLeft });
      },
    });
  }

  private weightLeft(walk: SavedWalk, { fraction, reads }: WalkProgress): number {
    if (fraction === 0) return this.leastWeight(walk);
    return Math.ceil((reads / fraction) * (1 - fraction)) * weightOf(walk.history);
  }

  private leastWeight(walk: SavedWalk): number {
    const { longestPeriodMs } = this.options.client.conventions;
    return minReads(walk, longestPeriodMs) * weightOf(walk.history);
  }

  private async walks(): Promise<readonly SavedWalk[]> {
    const walks = await this.options.writer.unfinishedWalks();
    return walks.filter(({ purpose }) => purpose === 'download');
  }
}
