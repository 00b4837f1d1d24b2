import type { Disposable } from '../../base/disposable.ts';
import { minuteMs } from '../../base/time.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import { ledgerHistoryNames, type LedgerHistory, weightOf } from '../ledger.ts';
import { AccountChanges, type AccountRead } from './accountChanges.ts';
import type { BackgroundWalks } from './backgroundWalks.ts';
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

/** An exchange may list an order later than it frees what the order locked. */
const pagesToWait = 2;

/**
 * Orders that must have changed, and that the newest page of orders does not show: an exchange may list them by
 * the time when they were placed, in a period that was read before.
 */
class EndedOrders {
  /** Orders of new trades, by identity. */
  private readonly traded = new Set<string>();
  /** Pages of orders since a change is expected, while none shows it; null if none is. */
  private pagesSince: number | null = null;
  private overdue = false;

  /** An open order was filled or cancelled. */
  expect(): void {
    this.pagesSince ??= 0;
  }

  get isExpected(): boolean {
    return this.pagesSince !== null;
  }

  /** Whether no page shows an order that changed: it may be anywhere in the last months. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** The last months are read again. */
  forget(): void {
    this.overdue = false;
  }

  /** New trades name orders that were filled. */
  addTrades(trades: readonly HistoryRecord[]): void {
    for (const trade of trades)
      if ('tradeId' in trade && trade.orderId !== null) this.traded.add(orderIdentity(trade));
    if (this.traded.size > 0) this.expect();
  }

  /** Takes the newest page of orders. */
  takePage({ items, counts }: TailRead): void {
    const wasTraded = this.traded.size > 0;
    for (const order of items) this.traded.delete(identityOf(order));
    if (this.pagesSince === null) return;
    const isShown = this.traded.size === 0 && (wasTraded || counts.added + counts.changed > 0);
    this.pagesSince += 1;
    if (!isShown && this.pagesSince < pagesToWait) return;
    this.overdue ||= !isShown;
    this.pagesSince = null;
    this.traded.clear();
  }
}

function orderIdentity({
  orderId,
  symbol,
}: {
  readonly orderId: unknown;
  readonly symbol: unknown;
}) {
  return identityOf({ orderId, symbol });
}
