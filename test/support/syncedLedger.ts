import { minuteMs, systemClock, type Clock } from '../../src/base/time.ts';
import { clientKey, type ExchangeClient } from '../../src/exchange/client.ts';
import { practiceConventions } from '../../src/host/profiles/practiceExchange.ts';
import type { AccountRead } from '../../src/ledger/sync/accountChanges.ts';
import { BackgroundWalks } from '../../src/ledger/sync/backgroundWalks.ts';
import {
  Download,
  type DownloadEnd,
  type DownloadProgress,
} from '../../src/ledger/sync/download.ts';
import {
  costOf,
  defaultHistories,
  planDownload,
  type DownloadCost,
  type DownloadPlan,
  type DownloadRequest,
  type PlannedWalk,
} from '../../src/ledger/sync/downloadPlan.ts';
import { KeepCurrent } from '../../src/ledger/sync/keepCurrent.ts';
import { WalkRunner } from '../../src/ledger/sync/walkRunner.ts';
import { WeightBudget } from '../../src/ledger/sync/weightBudget.ts';
import { anAccount } from './builders.ts';
import { clientFor, type Target, type TestClientOptions } from './exchangeClient.ts';
import { FileLedger } from './fileLedger.ts';

const usage = { ownShare: 500, windowMs: minuteMs };

export type LedgerOptions = {
  readonly ledger?: FileLedger;
  readonly clock?: Clock;
  /** By which weight comes back. */
  readonly budgetClock?: Clock;
  readonly client?: TestClientOptions;
};

/** A ledger in memory with all that fills it, of an exchange over HTTP. */
export class SyncedLedger {
  readonly ledger: FileLedger;
  readonly client: ExchangeClient;
  readonly download: Download;
  readonly walks: BackgroundWalks;
  readonly current: KeepCurrent;
  readonly progress: DownloadProgress[] = [];
  readonly problems: unknown[] = [];
  isKeptCurrent = true;
  /** Called with each progress of a download. */
  onProgress: (progress: DownloadProgress) => void = () => undefined;
  private readonly clock: Clock;

  constructor(target: Target, options: LedgerOptions = {}) {
    const { ledger = new FileLedger(), clock = systemClock, budgetClock = clock } = options;
    const client = clientFor(target, { clock, dialect: practiceConventions, ...options.client });
    const shared = { client, writer: ledger };
    const runner = new WalkRunner(shared);
    const mayRead = (): boolean => this.isKeptCurrent;
    const budget = new WeightBudget({ clock: budgetClock, mayRead, usage: () => usage });
    const onProblem = (problem: unknown): void => void this.problems.push(problem);
    const onProgress = (progress: DownloadProgress): void => {
      this.progress.push(progress);
      this.onProgress(progress);
    };
    this.ledger = ledger;
    this.client = client;
    this.clock = clock;
    this.download = new Download({ ...shared, runner, onProgress });
    this.walks = new BackgroundWalks({ ...shared, runner, budget, onProblem });
    this.current = new KeepCurrent({ ...shared, budget, walks: this.walks, onProblem });
  }

  plan(request: Partial<DownloadRequest> = {}): Promise<DownloadPlan> {
    const asked = { period: 'days90', histories: defaultHistories, ...request } as const;
    return planDownload({ [clientKey]: this.client, writer: this.ledger, usage }, asked);
  }

  /** Of walks whose rows were not counted, unless a count is given. */
  cost(
    walks: readonly PlannedWalk[],
    rowsOf: (walk: PlannedWalk) => number | undefined = () => undefined,
  ): DownloadCost {
    return costOf(walks, { [clientKey]: this.client, usage }, rowsOf);
  }

  async downloadAll(request: Partial<DownloadRequest> = {}): Promise<DownloadEnd> {
    return this.download.start(await this.plan(request), new AbortController().signal);
  }

  /** The account as it is read now. */
  accountRead(fields: Parameters<typeof anAccount>[0] = {}): AccountRead {
    const now = this.clock.steadyNow();
    return { account: anAccount(fields), badRecords: [], sentAt: now, answeredAt: now };
  }
}
