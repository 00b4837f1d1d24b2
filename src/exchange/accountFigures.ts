import type { LockedFigures, Position } from './records.ts';

/** What trades change of a position: prices, and what follows from them, always move. */
export function tradedFigures({ symbol, marginMode, amount }: Position) {
  return { symbol, marginMode, amount };
}

/** What orders and trades change of the open orders of a symbol. */
export function figuresOfOrders(orders: LockedFigures): LockedFigures {
  const { symbol, lockedAsk, sumSizeAsk, lockedBid, sumSizeBid } = orders;
  return { symbol, lockedAsk, sumSizeAsk, lockedBid, sumSizeBid };
}
