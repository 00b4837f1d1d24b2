import type { Disposable } from '../../base/disposable.ts';
import { minuteMs } from '../../base/time.ts';
import { ledgerHistoryNames, weightOf, type LedgerHistory } from '../ledger.ts';
import { AccountChanges, type AccountRead } from './accountChanges.ts';
import type { BackgroundWalks } from './backgroundWalks.ts';
import { EndedOrders } from './endedOrders.ts';
import { TailReader, type TailRead, type TailReaderOptions } from './tailReader.ts';
import { KeepCurrentOffError, type WeightBudget } from './weightBudget.ts';

type KeepCurrentOptions = TailReaderOptions & {
  readonly budget: WeightBudget;
  readonly walks: BackgroundWalks;
  /** A read failed. It is repeated after the next read of the account. */
  readonly onProblem: (error: unknown) => void;
};

/** What a change of the account shows in. Trades come first: they name orders. */
const changedHistories: readonly LedgerHistory[] = ['trades', 'orders', 'futureTransactions'];
const slowHistories = ledgerHistoryNames.filter((name) => !changedHistories.includes(name));
const historiesByPriority = [...changedHistories, ...slowHistories];
const slowEveryMs = 15 * minuteMs;
/** Histories that sums are made of: they are read also without a change, so that they are known to be complete. */
const summedHistories = ['trades', 'futureTransactions'] as const;
const summedEveryMs = 30 * minuteMs;

/** Keeps a downloaded ledger current: reads what is new whenever the account changed, one run at a time. */
export class KeepCurrent implements Disposable {
  private readonly options: KeepCurrentOptions;
  private readonly changes = new AccountChanges();
  private readonly tails: TailReader;
  private readonly endedOrders = new EndedOrders();
  private readonly disposal = new AbortController();
  private readonly due = new Set<LedgerHistory>();
  private running: Promise<void> | undefined;
  private slowAt = Number.NEGATIVE_INFINITY;
  private summedAt = Number.NEGATIVE_INFINITY;
  private areTradesAwaited = false;
  private areSlowWalksDue = false;
  /** Since the slow histories were due. */
  private hasMarginMoved = false;

  constructor(options: KeepCurrentOptions) {
    this.options = options;
    this.tails = new TailReader(options);
  }

  get isReading(): boolean {
    return this.running !== undefined;
  }

  /** Takes each new read of the account. What it makes necessary is read in the background. */
  take(read: AccountRead): void {
    const { isChanged, hasMarginMoved, hasLockFallen } = this.changes.take(read);
    this.hasMarginMoved ||= hasMarginMoved;
    if (isChanged) this.addDue(changedHistories);
    if (this.isDue(this.summedAt, summedEveryMs)) this.addDue(summedHistories);
    if (this.areTradesAwaited) this.addDue(['trades']);
    this.areTradesAwaited = false;
    if (hasLockFallen) this.endedOrders.expect();
    if (this.endedOrders.isExpected) this.addDue(['orders']);
    if (this.isDue(this.slowAt, slowEveryMs)) this.addSlow();
    if (this.due.size === 0 || this.running) return;
    this.run().catch((error: unknown) => {
      const isStopped = this.disposal.signal.aborted || error instanceof KeepCurrentOffError;
      if (!isStopped) this.options.onProblem(error);
    });
  }

  /**
   * Reads what is new in these histories at once, as far as they were downloaded: a person waits, and the
   * budget only counts it. Rejects with ExchangeError.
   */
  async refresh(histories: readonly LedgerHistory[]): Promise<void> {
    const { budget, walks } = this.options;
    for (const history of histories) {
      if (!(await this.tails.isDownloaded(history))) continue;
      budget.count(weightOf(history));
      await this.readPage(history, 'interactive');
    }
    void walks.run(this.disposal.signal);
  }

  /** Ends all reads. What was begun continues with the next session. */
  dispose(): void {
    this.disposal.abort();
  }

  private addDue(histories: readonly LedgerHistory[]): void {
    for (const history of histories) this.due.add(history);
    if (histories.includes('trades')) this.summedAt = this.options.client.serverNow();
  }

  private addSlow(): void {
    this.addDue(this.hasMarginMoved ? historiesByPriority : slowHistories);
    this.slowAt = this.options.client.serverNow();
    this.hasMarginMoved = false;
    this.areSlowWalksDue = true;
  }

  /** Also true after a clock was set back as far. */
  private isDue(lastAt: number, everyMs: number): boolean {
    return Math.abs(this.options.client.serverNow() - lastAt) >= everyMs;
  }

  private run(): Promise<void> {
    this.running ??= this.readDue().finally(() => (this.running = undefined));
    return this.running;
  }

  /** What becomes due meanwhile is read as well. What fails stays due. */
  private async readDue(): Promise<void> {
    const { signal } = this.disposal;
    while (this.due.size > 0) {
      for (const history of historiesByPriority.filter((name) => this.due.has(name)))
        await this.readTail(history);
      if (this.areSlowWalksDue) await this.beginSlowWalks();
      void this.options.walks.run(signal);
    }
  }

  private async readTail(history: LedgerHistory): Promise<void> {
    const { signal } = this.disposal;
    this.due.delete(history);
    if (!(await this.tails.isDownloaded(history))) {
      // Soon after their download, they are known beyond a first checkpoint.
      if (history === 'trades') this.areTradesAwaited = true;
      return;
    }
    try {
      await this.options.budget.take(weightOf(history), false, signal);
      const read = await this.readPage(history, 'bulk');
      if (read && history === 'orders') this.endedOrders.takePage(read);
    } catch (error) {
      this.due.add(history);
      throw error;
    }
  }

  private async readPage(
    history: LedgerHistory,
    priority: 'interactive' | 'bulk',
  ): Promise<TailRead | undefined> {
    const read = await this.tails.read(history, priority, this.disposal.signal);
    if (!read) return undefined;
    this.options.budget.count((read.reads - 1) * weightOf(history));
    if (history === 'trades') this.endedOrders.addTrades(read.newItems);
    return read;
  }

  private async beginSlowWalks(): Promise<void> {
    const { walks, client } = this.options;
    this.areSlowWalksDue = false;
    // The answers since have the time of the exchange, which our clock may not have.
    this.slowAt = client.serverNow();
    for (const history of ledgerHistoryNames) await walks.proveTail(history);
    if (await walks.readAgain('orders', this.endedOrders.isOverdue)) this.endedOrders.forget();
    await walks.readAgain('lots', false);
  }
}
