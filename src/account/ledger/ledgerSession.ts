import type { AccountSession } from '../session/accountSession.ts';
import type { Snapshot } from '../session/accountStore.ts';
import type { Interval } from '../../base/interval.ts';
import { abortable } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { hourMs, systemClock } from '../../base/time.ts';
import { clientKey, type ExchangeClient } from '../../exchange/client.ts';
import type { FeeTier } from '../../exchange/records.ts';
import type { LedgerHistory, LedgerWriter } from '../../ledger/ledger.ts';
import type { LedgerClient } from '../../ledger/ledgerClient.ts';
import { BackgroundWalks } from '../../ledger/sync/backgroundWalks.ts';
import { Checkpoints } from '../../ledger/sync/checkpoints.ts';
import { Download, type DownloadProgress } from '../../ledger/sync/download.ts';
import { nothingStored, type PlanOptions } from '../../ledger/sync/downloadPlan.ts';
import { readInterval } from '../../ledger/sync/ledgerPages.ts';
import { KeepCurrent } from '../../ledger/sync/keepCurrent.ts';
import { OldestRows } from '../../ledger/sync/oldestRows.ts';
import { WalkRunner } from '../../ledger/sync/walkRunner.ts';
import { WeightBudget } from '../../ledger/sync/weightBudget.ts';

type LedgerSessionOptions = {
  readonly id: string;
  readonly account: AccountSession;
  readonly store: LedgerClient;
  /** Whether the ledger is to be kept current. */
  readonly mayRead: () => boolean;
  /** A read in the background failed. It is repeated. */
  readonly onProblem: (error: unknown) => void;
};

/** The ledger of an open account, with all that reads into it. Only one window at a time writes. */
export class LedgerSession implements Disposable, PlanOptions {
  /** The same after a reload, and in other windows. */
  readonly id: string;
  readonly account: AccountSession;
  readonly reader: LedgerClient;
  /** Rejects with a LedgerError of `otherWriter` while another window writes this ledger. */
  readonly writer: LedgerWriter;
  readonly download: Download;
  private readonly didChange = new Emitter<void>();
  private readonly didProgress = new Emitter<DownloadProgress>();
  private readonly disposal = new AbortController();
  private readonly onProblem: (error: unknown) => void;
  private readonly current: KeepCurrent;
  private readonly checkpoints: Checkpoints;
  private readonly oldestRows: OldestRows;
  private lastRead: Snapshot | undefined;
  private feeTiersAskedAt = Number.NEGATIVE_INFINITY;
  private keptSymbols: ExchangeClient['symbols'] = [];
  /** The versions of the ledger when another window's writes were looked for. */
  private seen = '';
  /** This or another window read rows or periods into it. */
  readonly onDidChange: Event<void> = this.didChange.event;
  readonly onDidProgress: Event<DownloadProgress> = this.didProgress.event;

  constructor({ id, account, store, mayRead, onProblem }: LedgerSessionOptions) {
    this.id = id;
    this.account = account;
    this.reader = store;
    this.writer = store;
    this.onProblem = onProblem;
    store.onDidWrite(this.didChange.fire);
    const shared = { client: account[clientKey], writer: store };
    const runner = new WalkRunner(shared);
    const budget = new WeightBudget({ clock: systemClock, mayRead, usage: () => this.usage });
    const walks = new BackgroundWalks({ ...shared, runner, budget, onProblem });
    this.download = new Download({ ...shared, runner, onProgress: this.didProgress.fire });
    this.current = new KeepCurrent({ ...shared, budget, walks, onProblem });
    this.oldestRows = new OldestRows({ client: account[clientKey], store, budget });
    this.checkpoints = new Checkpoints({ ...shared, feeTiers: () => this.feeTiers() });
  }

  get [clientKey](): ExchangeClient {
    return this.account[clientKey];
  }

  get usage(): AccountSession['rateLimiter']['usage'] {
    return this.account.rateLimiter.usage;
  }

  /** Ends with the ledger. */
  get signal(): AbortSignal {
    return this.disposal.signal;
  }

  /** Takes a read of the account. What it makes necessary is read in the background. */
  async take(read: Snapshot): Promise<void> {
    this.lastRead = read;
    this.current.take(read);
    await this.checkpoints.take(read);
  }

  /** Whether it was noted, as once a day, which rows are the oldest that the exchange lists. */
  noteOldestRows(): Promise<boolean> {
    return this.oldestRows.look(this.signal);
  }

  /** What exchange information says of them, for symbols that it will no longer list. */
  async keepSymbols(): Promise<void> {
    const { symbols } = this[clientKey];
    if (symbols === this.keptSymbols) return;
    await this.reader.keepSymbols(
      symbols.map(({ symbol, marginAsset, quoteAsset }) => ({ symbol, marginAsset, quoteAsset })),
    );
    this.keptSymbols = symbols;
  }

  /** Reports what another window wrote since the last look. */
  async lookForWrites(): Promise<void> {
    const versions = JSON.stringify(await this.reader.versions());
    if (versions !== this.seen) this.didChange.fire();
    this.seen = versions;
  }

  /**
   * Reads at once what is new in these histories, if they were downloaded. False if another window does
   * that: then it only looks for what that wrote. Rejects with ExchangeError or LedgerError.
   */
  async synchronise(histories: readonly LedgerHistory[], signal: AbortSignal): Promise<boolean> {
    const isWriter = await this.claimWriting();
    if (isWriter) await abortable(this.current.refresh(histories), signal);
    else await this.lookForWrites();
    return isWriter;
  }

  /** Takes the right to write, unless another window has it. Whether this window has it now. Rejects with LedgerError. */
  claimWriting(): Promise<boolean> {
    return this.reader.claimWriting();
  }

  /**
   * Reads the rows of an interval once more, with the lowest priority. Rejects with ExchangeError,
   * LedgerError, or an abort.
   */
  readAgain(history: LedgerHistory, interval: Interval): Promise<void> {
    const options = { client: this[clientKey], writer: this.writer };
    return readInterval(options, history, interval, this.signal);
  }

  dispose(): void {
    void this.close();
  }

  /** Resolves once the file is no longer used. */
  close(): Promise<void> {
    this.disposal.abort();
    this.current.dispose();
    this.didChange.dispose();
    this.didProgress.dispose();
    return this.reader.close();
  }

  /** As they were read last. An exchange that cannot be read is asked again after an hour, as for new ones. */
  private feeTiers(): readonly FeeTier[] | undefined {
    const { feeTiers } = this.account;
    const now = systemClock.now();
    if (Math.abs(now - this.feeTiersAskedAt) >= hourMs) {
      this.feeTiersAskedAt = now;
      // The next read of the account may be a minute away.
      void feeTiers.get().then(() => {
        const { lastRead, checkpoints, signal } = this;
        if (lastRead && !signal.aborted) checkpoints.take(lastRead).catch(this.onProblem);
      });
    }
    return feeTiers.cached?.value;
  }
}

/** What a download is planned with while an account has no ledger. */
export function withoutLedger(account: AccountSession): PlanOptions {
  const { rateLimiter, [clientKey]: client } = account;
  return { [clientKey]: client, usage: rateLimiter.usage, writer: nothingStored };
}
