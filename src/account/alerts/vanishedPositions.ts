import { sleep } from '../../base/abort.ts';
import { sign } from '../../base/decimal.ts';
import { always } from '../../base/interval.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { clientKey, ExchangeClient } from '../../exchange/client.ts';
import { orderOf } from '../../exchange/history/page.ts';
import { timeOf } from '../../exchange/history/records.ts';
import type { Order, Position } from '../../exchange/records.ts';
import {
  readBoundedPage,
  type BoundedPage,
  type HistoryAccount,
} from '../history/boundedPeriod.ts';
import type { DirectedPosition } from '../session/positionDirections.ts';
import { positionKey, identityOf, type PositionIdentity } from '../session/positionRisk.ts';
import type { NotificationRecord } from './alertCondition.ts';

/**
 * What the order history shows about vanished positions. `order`: each of these symbols has an order
 * with the status LIQUIDATED. `unread`: the history could not be read completely.
 */
export type LiquidationAlert = {
  readonly by: 'order' | 'unread';
  readonly symbols: readonly string[];
};

export type AlertedAccount = HistoryAccount & {
  readonly [clientKey]: Pick<ExchangeClient, 'clockAheadMs'>;
};

type VanishedPositionsOptions = {
  readonly account: AlertedAccount;
  readonly clock: Clock;
  readonly memory: NotificationRecord;
  /** The time of `memory` and of the snapshots. */
  readonly now: () => number;
  /** How far the exchange's clock is ahead of that time. */
  readonly exchangeAheadMs: () => number;
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
    const notified = memory.notifiedTimes();
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
    const { clock, isOn, memory, alert, now, exchangeAheadMs } = this.options;
    const lastSeenAt = Math.min(...vanished.map((one) => one.lastSeenAt));
    let unexplained = symbolsOf(vanished);
    let isComplete = false;
    for (const delayMs of readDelaysMs) {
      if (delayMs > 0) await sleep(clock, delayMs, this.disposal.signal);
      if (!isOn()) return;
      const page = await this.readOrders(unexplained);
      // In the exchange's time, as the times of its records are.
      const since = lastSeenAt + exchangeAheadMs() - snapshotDelayMs;
      isComplete = page !== undefined && reachesBackTo(page, since);
      const liquidations = this.liquidationsIn(page?.records ?? [], unexplained, since);
      if (liquidations.length === 0) continue;
      const symbols = symbolsOf(liquidations);
      memory.recordNotified(liquidations.map(orderSubject), now());
      alert({ by: 'order', symbols });
      unexplained = unexplained.filter((symbol) => !symbols.includes(symbol));
      if (unexplained.length === 0) return;
    }
    if (!isComplete) alert({ by: 'unread', symbols: unexplained });
  }

  /**
   * Orders with the status LIQUIDATED, of one symbol if there is one; undefined if the read failed.
   * Without a date unless the exchange requires one, as it may misread it: what counts is the time of
   * each order.
   */
  private async readOrders(symbols: readonly string[]): Promise<BoundedPage<Order> | undefined> {
    const { signal } = this.disposal;
    const symbol = symbols.length === 1 ? symbols[0] : undefined;
    const filters = { symbol, statuses: ['LIQUIDATED'] };
    const request = {
      operation: 'orders',
      filters,
      period: always,
      page: 0,
      size: pageSize,
    } as const;
    try {
      const { account } = this.options;
      const options = { priority: 'refresh', signal } as const;
      const page = await readBoundedPage(account, request, undefined, options);
      signal.throwIfAborted();
      return page;
    } catch (error) {
      signal.throwIfAborted();
      this.options.onReadError(error);
      return undefined;
    }
  }

  /** The liquidations of these symbols since then that no window has shown yet. */
  private liquidationsIn(orders: readonly Order[], symbols: readonly string[], since: number) {
    const notified = this.options.memory.notifiedTimes();
    return orders
      .filter(({ symbol, status }) => symbols.includes(symbol) && status === 'LIQUIDATED')
      .filter((order) => (timeOf(order) ?? 0) >= since && !notified.has(orderSubject(order)));
  }
}

/**
 * Whether the page has every row since then: all rows there are, or the newest, back to before then. Without
 * a total, rows may be missing from any page that has some: the exchange may return fewer than asked for.
 */
function reachesBackTo(page: BoundedPage<Order>, since: number): boolean {
  const { records } = page;
  const times = records.flatMap((record) => timeOf(record) ?? []);
  const unread = page.badRecords.length + records.length - times.length;
  if (unread > 0 || page.unproven.length > 0) return false;
  if (records.length >= (page.count ?? (records.length === 0 ? 0 : Infinity))) return true;
  const isNewestFirst = orderOf(times.map((time) => ({ time }))) === 'newestFirst';
  return isNewestFirst && (times.at(-1) ?? since) < since;
}

/** Each symbol once, however many positions or orders it has. */
function symbolsOf(items: readonly { readonly symbol: string }[]): string[] {
  return [...new Set(items.map(({ symbol }) => symbol))];
}

function subjectOf(vanished: VanishedPosition): string {
  return `gone:${positionKey(vanished)}`;
}

/** The API does not say whether order ids are unique across symbols. */
function orderSubject({ symbol, orderId }: Order): string {
  return `order:${symbol}:${orderId}`;
}

/** The open positions of the last snapshot whose positions are known. */
export type HeldPositions = {
  readonly asOf: number;
  /** Also those that a record without a readable symbol may be. */
  readonly positions: readonly PositionIdentity[];
  /** How many records without a readable symbol may be none of them. */
  readonly unexplained: number;
};

/** A position that the next snapshot did not list. */
export type VanishedPosition = PositionIdentity & { readonly lastSeenAt: number };

/** A position whose amount cannot be read is open. */
export function isOpen({ amount }: Position): boolean {
  return amount === null || sign(amount) !== 0;
}

type TrackedPositions = {
  /** The identity of each position, in their order. */
  readonly identities: readonly PositionIdentity[];
  readonly held: Omit<HeldPositions, 'asOf'>;
  readonly vanished: readonly PositionIdentity[];
};

/**
 * Finds the positions of the snapshot before. A position whose mode or direction is unknown now, or was before,
 * keeps the identity that it had. Each further record without a readable symbol may be a position that is
 * missing: if more are missing, each of them may have vanished.
 */
export function trackPositions(
  positions: readonly DirectedPosition[],
  unidentified: number,
  before: Omit<HeldPositions, 'asOf'> = { positions: [], unexplained: 0 },
): TrackedPositions {
  const left = [...before.positions];
  const take = (isIt: (one: PositionIdentity) => boolean): PositionIdentity | undefined => {
    const index = left.findIndex(isIt);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const read = positions.map(identityOf);
  const unchanged = read.map((own) => take((one) => positionKey(one) === positionKey(own)));
  const known = read.map((own, index) => unchanged[index] ?? take((one) => mayBeOne(one, own)));
  const identities = read.map((own, index) => known[index] ?? own);
  const added = known.filter((one) => one === undefined).length;
  const unexplained = Math.max(0, before.unexplained - added);
  const assumed = left.splice(0, Math.max(0, unidentified - unexplained));
  const held = {
    positions: [...identities, ...assumed],
    unexplained: unidentified - assumed.length,
  };
  return { identities, held, vanished: left.length > 0 ? [...assumed, ...left] : [] };
}

/** Whether both have the same positions, in any order. */
export function hasSamePositions(one: HeldPositions, other: HeldPositions): boolean {
  const [keys, others] = [one, other].map(({ positions }) => positions.map(positionKey).toSorted());
  return keys?.join() === others?.join() && one.unexplained === other.unexplained;
}

function mayBeOne(one: PositionIdentity, other: PositionIdentity): boolean {
  const mayAgree = (a: unknown, b: unknown): boolean => a === null || b === null || a === b;
  return (
    one.symbol === other.symbol &&
    mayAgree(one.marginMode, other.marginMode) &&
    mayAgree(one.side, other.side)
  );
}
