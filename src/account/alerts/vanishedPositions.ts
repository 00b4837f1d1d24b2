import { sleep } from '../../base/abort.ts';
import { sign } from '../../base/decimal.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { HistoryPage } from '../../exchange/history/historyPage.ts';
import { parseCount, timeOf } from '../../exchange/history/historyRecords.ts';
import type { Order } from '../../exchange/records.ts';
import { unreadableRecords, type Snapshot } from '../session/accountStore.ts';
import { positionKey } from '../session/positionRisk.ts';
import type { NotificationRecord } from './alertCondition.ts';

/** How many positions have one key: more than one where the exchange lists them separately. */
type HeldPosition = { readonly key: string; readonly symbol: string; readonly count: number };

/** The positions of the last snapshot in which all of them could be read. */
export type HeldPositions = { readonly asOf: number; readonly positions: readonly HeldPosition[] };

/** A key with fewer positions than in the snapshot before. */
export type VanishedPosition = Omit<HeldPosition, 'count'> & { readonly lastSeenAt: number };

/** Undefined where a position could not be read: it is missing from the list but may still be open. */
export function heldPositions(snapshot: Snapshot): HeldPositions | undefined {
  if (unreadableRecords(snapshot, 'positions').length > 0) return undefined;
  const open = snapshot.account.positions.filter(({ amount }) => sign(amount) !== 0);
  const positions = [...Map.groupBy(open, positionKey)].map(
    ([key, { length: count, 0: first }]) => {
      return { key, symbol: first?.symbol ?? '', count };
    },
  );
  return { asOf: snapshot.asOf, positions };
}

export function vanishedBetween(before: HeldPositions, after: HeldPositions): VanishedPosition[] {
  const counts = new Map(after.positions.map(({ key, count }) => [key, count]));
  return before.positions
    .filter(({ key, count }) => (counts.get(key) ?? 0) < count)
    .map(({ key, symbol }) => ({ key, symbol, lastSeenAt: before.asOf }));
}

/**
 * What the order history shows about vanished positions. `order`: each of these symbols has an order
 * with the status LIQUIDATED. `unread`: the history could not be read completely.
 */
export type LiquidationAlert = {
  readonly by: 'order' | 'unread';
  readonly symbols: readonly string[];
};

export type OrderHistoryClient = Pick<ExchangeClient, 'history' | 'clockAheadMs'>;

export type VanishedPositionsOptions = {
  readonly orderHistory: OrderHistoryClient;
  readonly clock: Clock;
  readonly memory: NotificationRecord;
  readonly isOn: () => boolean;
  readonly alert: (alert: LiquidationAlert) => void;
  /** Called for each read that failed. */
  readonly onReadError: (error: unknown) => void;
};

/** The order history may lag behind the account: it is read at once and again 30 s later. */
const readDelaysMs: readonly number[] = [0, 30_000];
/** A snapshot shows the account up to this long before its answer arrived. */
const snapshotDelayMs = 30_000;
const pageSize = 100;

/**
 * Finds out whether vanished positions were liquidated. A position that was closed causes no alert. The
 * first window that misses a position reads the history for all windows of the account.
 */
export class VanishedPositions implements Disposable {
  private readonly disposal = new AbortController();
  private readonly options: VanishedPositionsOptions;

  constructor(options: VanishedPositionsOptions) {
    this.options = options;
  }

  dispose(): void {
    this.disposal.abort();
  }

  check(vanished: readonly VanishedPosition[], now: number): void {
    const { isOn, memory, onReadError } = this.options;
    if (vanished.length === 0 || !isOn()) return;
    const notified = memory.notifiedTimes(now);
    const unreported = vanished.filter(
      (one) => (notified.get(subjectOf(one)) ?? 0) < one.lastSeenAt,
    );
    if (unreported.length === 0) return;
    memory.recordNotified(unreported.map(subjectOf), now);
    this.explain(unreported).catch((error: unknown) => {
      if (!this.disposal.signal.aborted) onReadError(error);
    });
  }

  private async explain(vanished: readonly VanishedPosition[]): Promise<void> {
    const { clock, isOn, memory, alert } = this.options;
    let unexplained = vanished;
    let isComplete = false;
    for (const delayMs of readDelaysMs) {
      if (delayMs > 0) await sleep(clock, delayMs, this.disposal.signal);
      if (!isOn()) return;
      const liquidations = await this.readLiquidations(unexplained);
      isComplete = liquidations.isComplete;
      const symbols = symbolsOf(liquidations.orders);
      if (symbols.length === 0) continue;
      memory.recordNotified(liquidations.orders.map(orderSubject), clock.now());
      alert({ by: 'order', symbols });
      unexplained = unexplained.filter(({ symbol }) => !symbols.includes(symbol));
      if (unexplained.length === 0) return;
    }
    if (!isComplete) alert({ by: 'unread', symbols: symbolsOf(unexplained) });
  }

  /** Not complete where a read failed or rows may be missing. Rejects only with the signal's reason. */
  private async readLiquidations(vanished: readonly VanishedPosition[]) {
    const { signal } = this.disposal;
    const since = Math.min(...vanished.map((one) => this.vanishedSince(one)));
    const orders: Order[] = [];
    const read = async (from: number | undefined): Promise<HistoryPage<Order>> => {
      const page = await this.readPage(symbolsOf(vanished), from);
      signal.throwIfAborted();
      orders.push(...this.liquidationsIn(page, vanished));
      return page;
    };
    try {
      const dated = await read(since);
      // Where the exchange may misread dates, it is asked without one.
      const page = mayMisreadDates(dated) ? await read(undefined) : dated;
      return { orders, isComplete: isWhole(page, since) };
    } catch (error) {
      signal.throwIfAborted();
      this.options.onReadError(error);
      return { orders, isComplete: false };
    }
  }

  private readPage(symbols: readonly string[], from: number | undefined) {
    const symbol = symbols.length === 1 ? symbols[0] : undefined;
    const filters = { symbol, statuses: ['LIQUIDATED'] };
    return this.options.orderHistory.history(
      { operation: 'orders', filters, period: { from }, page: 0, size: pageSize },
      { priority: 'refresh', signal: this.disposal.signal },
    );
  }

  /** The orders that liquidated one of these positions and that no window has shown yet. */
  private liquidationsIn(
    { value: { content } }: HistoryPage<Order>,
    vanished: readonly VanishedPosition[],
  ): Order[] {
    const { memory, clock } = this.options;
    const notified = memory.notifiedTimes(clock.now());
    return content.filter(
      (order) =>
        order.status === 'LIQUIDATED' &&
        !notified.has(orderSubject(order)) &&
        vanished.some(
          (one) => order.symbol === one.symbol && (timeOf(order) ?? 0) >= this.vanishedSince(one),
        ),
    );
  }

  /** In epoch milliseconds of the exchange's clock, as the times of its records are. */
  private vanishedSince({ lastSeenAt }: VanishedPosition): number {
    return lastSeenAt + this.options.orderHistory.clockAheadMs - snapshotDelayMs;
  }
}

function mayMisreadDates({ ignoredFilters, unproven }: HistoryPage<Order>): boolean {
  return unproven.length > 0 || ignoredFilters.some(({ parameter }) => parameter === 'dateFrom');
}

/** Every row since then was read: all rows are on the page, or they are newest first and reach back. */
function isWhole({ value, badRecords, rowsOutsidePeriod }: HistoryPage<Order>, since: number) {
  const { content, totalElements } = value;
  const times = content.map(timeOf).filter((time) => time !== undefined);
  if (badRecords.length > 0 || times.length < content.length) return false;
  const total = parseCount(totalElements) ?? (content.length < pageSize ? 0 : Infinity);
  if (content.length + rowsOutsidePeriod >= total) return true;
  const isNewestFirst = times.every((time, index) => time <= (times[index - 1] ?? Infinity));
  const [newest = 0, oldest = 0] = [times[0], times.at(-1)];
  return isNewestFirst && newest > oldest && oldest < since;
}

/** Each symbol once, however many positions or orders it has. */
function symbolsOf(items: readonly { readonly symbol: string }[]): string[] {
  return [...new Set(items.map(({ symbol }) => symbol))];
}

function subjectOf({ key }: VanishedPosition): string {
  return `gone:${key}`;
}

/** The API does not say whether order ids are unique across symbols. */
function orderSubject({ symbol, orderId }: Order): string {
  return `order:${symbol}:${orderId}`;
}
