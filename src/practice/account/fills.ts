import type Big from 'big.js';
import { tradeFee } from '../market/fees.ts';
import {
  idAt,
  idsPerMs,
  marginAsset,
  partsPerOrder,
  type Instrument,
  type Side,
} from '../market/instruments.ts';
import { sum } from '../market/money.ts';
import type { SeededRandom } from '../market/seededRandom.ts';
import { applyFill, type NetPosition } from './netPosition.ts';
import type { Trade } from './tradingRecords.ts';

type OrderExecution = {
  readonly instrument: Instrument;
  readonly orderId: bigint;
  readonly side: Side;
  readonly amount: Big;
  /** The price of the first trade. */
  readonly price: Big;
  readonly maker: boolean;
  readonly time: number;
};

const maxTrades = 4;

/**
 * The trades of one order. They have the same time, so that an order is never half filled. A maker
 * gets its own price; a taker gets a price at least a tick worse for each further trade.
 */
export function fillOrder(
  execution: OrderExecution,
  position: NetPosition,
  random: SeededRandom,
): { trades: readonly Trade[]; positionAfter: NetPosition } {
  const trades: Trade[] = [];
  const firstId = lowIdDigits(position, random);
  const onePart = execution.amount.div(partsPerOrder);
  let positionAfter = position;
  let price = execution.price;
  for (const parts of splitParts(random)) {
    const fill = { side: execution.side, amount: onePart.times(parts), price };
    const applied = applyFill(positionAfter, fill, execution.instrument);
    trades.push(tradeOf(execution, firstId + trades.length, fill, applied.rpnl));
    positionAfter = applied.position;
    if (!execution.maker) price = worsePrice(execution, price, random);
  }
  return { trades, positionAfter };
}

/** The exact average price, weighted by amount, of trades with the total amount `filled`. */
export function averagePrice(trades: readonly Trade[], filled: Big): Big {
  return sum(trades.map(({ amount, price }) => amount.times(price))).div(filled);
}

/**
 * The last digits of an order's or a trade's id. A position can close and open again in the same
 * millisecond: the order that opens it gets the higher id.
 */
export function lowIdDigits(position: NetPosition, random: SeededRandom): number {
  const half = idsPerMs / 2;
  const digits = random.integer(0, half - maxTrades);
  return position.amount.eq(0) ? digits + half : digits;
}

function tradeOf(
  { instrument, orderId, side, maker, time }: OrderExecution,
  low: number,
  { amount, price }: { readonly amount: Big; readonly price: Big },
  rpnl: Big,
): Trade {
  return {
    tradeId: idAt(time, instrument, low),
    orderId,
    symbol: instrument.symbol,
    amount,
    price,
    side,
    maker,
    fee: tradeFee(amount.times(price), maker),
    rpnl,
    feeAsset: marginAsset,
    type: 'ORDER_BOOK',
    time,
  };
}

/** Splits an order into one to four trades. Their sizes add up to `partsPerOrder`. */
function splitParts(random: SeededRandom): number[] {
  const cuts = Array.from({ length: random.integer(0, maxTrades - 1) }, () =>
    random.integer(1, partsPerOrder - 1),
  );
  const edges = [...new Set([0, ...cuts, partsPerOrder])].sort((one, other) => one - other);
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
}

function worsePrice({ instrument, side }: OrderExecution, price: Big, random: SeededRandom): Big {
  const step = instrument.tickSize.times(random.integer(1, 3));
  return side === 'BUY' ? price.plus(step) : price.minus(step);
}
