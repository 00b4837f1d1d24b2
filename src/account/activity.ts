import type { Snapshot } from './accountStore.ts';

/**
 * What orders and trades change of an account, as text to compare: the positions' amounts and what
 * open orders lock. Prices, and what follows from them, always move and are not part of it.
 */
export function activityOf({ account: { positions, orders } }: Snapshot): string {
  return JSON.stringify([
    positions.map(({ symbol, marginMode, amount }) => [symbol, marginMode, amount]),
    orders.map((order) => [
      order.symbol,
      order.lockedAsk,
      order.sumSizeAsk,
      order.lockedBid,
      order.sumSizeBid,
    ]),
  ]);
}
