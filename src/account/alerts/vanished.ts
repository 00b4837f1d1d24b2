import { sign } from '../../base/decimal.ts';
import { epochMsOf } from '../../base/instant.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { Snapshot } from '../accountStore.ts';

/** How many positions each symbol had when all of them could be read last. */
export type HeldPositions = {
  readonly asOf: number;
  readonly counts: ReadonlyMap<string, number>;
};

/** A symbol with fewer positions than in the last snapshot before. */
export type Vanished = { readonly symbol: string; readonly lastSeenAt: number };

/**
 * What the account's own records say of positions that vanished: `order`, an order with the status
 * LIQUIDATED in each of these symbols; `fee`, only a LIQUIDATION_FEE, which names no symbol; `unread`,
 * nothing, as they could not be read.
 */
export type LiquidationAlert = {
  readonly by: 'order' | 'fee' | 'unread';
  readonly symbols: readonly string[];
};

export type AccountRecords = Pick<ExchangeClient, 'orders' | 'transactions' | 'clockAheadMs'>;

/** A snapshot is of the time at which its request was answered, and that may take so long. */
const slackMs = 30_000;
const size = 100;

/** Undefined where some position could not be read: it is missing from the list, and need not be gone. */
export function heldPositions({ account, badRecords, asOf }: Snapshot): HeldPositions | undefined {
  if (badRecords.some(({ path }) => path.startsWith('$.positions'))) return undefined;
  const counts = new Map<string, number>();
  for (const { symbol, amount } of account.positions)
    if (sign(amount) !== 0) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return { asOf, counts };
}

export function vanished(before: HeldPositions, after: HeldPositions): Vanished[] {
  return [...before.counts]
    .filter(([symbol, count]) => (after.counts.get(symbol) ?? 0) < count)
    .map(([symbol]) => ({ symbol, lastSeenAt: before.asOf }));
}

/**
 * Reads why positions vanished: one page of orders, and where those say nothing and it may have been
 * a fee that tells, one of transactions.
 * Undefined where neither tells of a liquidation: a position that was closed is no news. Liquidation
 * lots are not asked: they are the venue's. Rejects with ExchangeError, or the signal's reason.
 */
export async function whyVanished(
  records: AccountRecords,
  gone: readonly Vanished[],
  mayBeFee: boolean,
  signal: AbortSignal,
): Promise<LiquidationAlert | undefined> {
  const liquidated = await liquidatedSymbols(records, gone, signal);
  if (liquidated.length > 0) return { by: 'order', symbols: liquidated };
  if (!mayBeFee) return undefined;
  const isCharged = await isFeeCharged(records, earliest(records, gone), signal);
  return isCharged ? { by: 'fee', symbols: gone.map(({ symbol }) => symbol) } : undefined;
}

async function liquidatedSymbols(
  records: AccountRecords,
  gone: readonly Vanished[],
  signal: AbortSignal,
): Promise<string[]> {
  const [only, ...others] = gone;
  const symbol = others.length === 0 ? only?.symbol : undefined;
  const query = { symbol, statuses: ['LIQUIDATED'], dateFrom: earliest(records, gone) };
  const { value } = await records.orders({ ...query, page: 0, size }, signal);
  return gone
    .filter((one) =>
      value.content.some(
        (order) =>
          order.symbol === one.symbol &&
          order.status === 'LIQUIDATED' &&
          isSince(order.time, goneSince(records, one)),
      ),
    )
    .map((one) => one.symbol);
}

async function isFeeCharged(
  records: AccountRecords,
  dateFrom: number,
  signal: AbortSignal,
): Promise<boolean> {
  const query = { accountType: 'FUTURE', type: 'LIQUIDATION_FEE', dateFrom } as const;
  const { value } = await records.transactions({ ...query, page: 0, size }, signal);
  return value.content.some(({ type, time }) => type === query.type && isSince(time, dateFrom));
}

function earliest(records: AccountRecords, gone: readonly Vanished[]): number {
  return Math.min(...gone.map((one) => goneSince(records, one)));
}

/** By the exchange's clock, which the records' times go by. */
function goneSince({ clockAheadMs }: AccountRecords, { lastSeenAt }: Vanished): number {
  return lastSeenAt + clockAheadMs - slackMs;
}

function isSince(time: string, sinceMs: number): boolean {
  return (epochMsOf(time) ?? 0) >= sinceMs;
}
