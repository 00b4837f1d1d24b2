import type Big from 'big.js';
import { total } from './cash.ts';
import { tradeFee } from './fees.ts';
import { hasAll, isWithin, newestFirst, type Period } from './filters.ts';
import { afterDeal, type Holding } from './holding.ts';
import { idAt, idsPerMs } from './ids.ts';
import { marginAsset, partsPerOrder, type Instrument } from './instruments.ts';
import type { Side } from './orders.ts';
import type { Draws } from './random.ts';

/** Section 2.3 of the interface document. */
export type Trade = {
  readonly tradeId: bigint;
  readonly orderId: bigint;
  readonly symbol: string;
  readonly amount: Big;
  readonly price: Big;
  readonly side: Side;
  readonly maker: boolean;
  readonly fee: Big;
  readonly rpnl: Big;
  readonly feeAsset: string;
  readonly type: 'ORDER_BOOK';
  readonly time: number;
};

/** What the trade history can be narrowed to (section 4.2). */
export type TradeFilter = Period & {
  readonly symbol?: string | undefined;
  readonly side?: Side | undefined;
};

export function tradeMatches(trade: Trade, { dateFrom, dateTo, ...wanted }: TradeFilter): boolean {
  return hasAll<Trade>(trade, wanted) && isWithin(trade.time, { dateFrom, dateTo });
}

export const newestTradeFirst = newestFirst<Trade>(
  ({ time }) => time,
  ({ tradeId }) => tradeId,
);

/** What an order does on the book: `amount` is what it fills, `price` the best price it meets. */
export type Execution = {
  readonly instrument: Instrument;
  readonly orderId: bigint;
  readonly side: Side;
  readonly amount: Big;
  readonly price: Big;
  readonly maker: boolean;
  readonly time: number;
};

const mostTrades = 4;

/**
 * The trades of one order, all in one instant, so that no moment sees half of an order. A maker
 * meets everybody at its own price; a taker pays at least a tick more for each further trade.
 */
export function execute(
  execution: Execution,
  held: Holding,
  draws: Draws,
): { trades: readonly Trade[]; held: Holding } {
  const trades: Trade[] = [];
  const firstId = draws.whole(0, idsPerMs - mostTrades);
  const onePart = execution.amount.div(partsPerOrder);
  let after = held;
  let price = execution.price;
  for (const parts of shares(draws)) {
    const amount = onePart.times(parts);
    const deal = { side: execution.side, amount, price };
    const { held: next, rpnl } = afterDeal(after, deal, execution.instrument);
    trades.push({
      ...tradeOf(execution, firstId + trades.length),
      amount,
      price,
      rpnl,
      fee: tradeFee(amount.times(price), execution.maker),
    });
    after = next;
    if (!execution.maker) price = worse(execution, price, draws);
  }
  return { trades, held: after };
}

/** The exact mean price, weighted by amount, of trades that add up to `filled`. */
export function averagePrice(trades: readonly Trade[], filled: Big): Big {
  return total(trades.map(({ amount, price }) => amount.times(price))).div(filled);
}

function tradeOf({ instrument, orderId, side, maker, time }: Execution, lowId: number) {
  return {
    tradeId: idAt(time, instrument, lowId),
    orderId,
    symbol: instrument.symbol,
    side,
    maker,
    feeAsset: marginAsset,
    type: 'ORDER_BOOK',
    time,
  } as const;
}

/** One to four shares of an order, in twentieths, that add up to the whole. */
function shares(draws: Draws): number[] {
  const cuts = Array.from({ length: draws.whole(0, mostTrades - 1) }, () =>
    draws.whole(1, partsPerOrder - 1),
  );
  const edges = [...new Set([0, ...cuts, partsPerOrder])].sort((one, other) => one - other);
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
}

function worse({ instrument, side }: Execution, price: Big, draws: Draws): Big {
  const step = instrument.tick.times(draws.whole(1, 3));
  return side === 'BUY' ? price.plus(step) : price.minus(step);
}
