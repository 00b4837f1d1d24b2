import Big from 'big.js';
import { hourMs } from '../../base/time.ts';
import {
  idAt,
  idsPerMs,
  instrumentAt,
  instrumentOf,
  instruments,
  roundToTick,
  roundOrderAmount,
  type Instrument,
  type Side,
} from './instruments.ts';
import { markPrice } from './markPrice.ts';
import { SeededRandom } from './seededRandom.ts';

const slotMs = 2 * hourMs;
const lotPercent = 40;

/** A liquidated order, which the auction offers as a lot. */
type LiquidatedOrder = {
  readonly symbol: string;
  readonly side: Side;
  readonly amount: Big;
  readonly averageExecutionPrice: Big;
  readonly time: number;
};

/**
 * The liquidation auction of the whole exchange, a function of seed and time only: a lot for each
 * of the account's liquidated orders, and the lots of other accounts in slots of two hours.
 */
export class LiquidationAuction {
  private readonly seed: number;
  private readonly accountLiquidations: (from: number, to: number) => readonly LiquidatedOrder[];
  /** A cache of the lots of other accounts. */
  private readonly slots = new Map<number, readonly Lot[]>();

  constructor(seed: number, accountLiquidations: LiquidationAuction['accountLiquidations']) {
    this.seed = seed;
    this.accountLiquidations = accountLiquidations;
  }

  /** The lots sold from `from` to `to`, both included, in no particular order. */
  lots(from: number, to: number): Lot[] {
    const first = Math.floor(from / slotMs);
    const count = Math.floor(to / slotMs) - first + 1;
    const others = Array.from({ length: count }, (_, index) => this.slot(first + index)).flat();
    const own = this.accountLiquidations(from, to).map((order) => lotOf(this.seed, order));
    return [...others, ...own].filter(({ updatedAt }) => updatedAt >= from && updatedAt <= to);
  }

  private slot(slot: number): readonly Lot[] {
    const known = this.slots.get(slot);
    if (known) return known;
    const random = new SeededRandom(`${this.seed}/auction/${slot}`);
    const lots = random.chance(lotPercent) ? [this.othersLot(slot, random)] : [];
    this.slots.set(slot, lots);
    return lots;
  }

  private othersLot(slot: number, random: SeededRandom): Lot {
    const instrument = instrumentAt(random.integer(0, instruments.length - 1));
    const side = random.chance(50) ? 'BUY' : 'SELL';
    const time = slot * slotMs + random.integer(0, slotMs - 1);
    const mark = markPrice(this.seed, instrument, time);
    const notional = new Big(random.integer(500, 50_000));
    return lotOf(this.seed, {
      symbol: instrument.symbol,
      side,
      amount: roundOrderAmount(instrument, notional.div(mark)),
      averageExecutionPrice: auctionPrice(instrument, side, mark, random),
      time,
    });
  }
}

export type Lot = ReturnType<typeof lotOf>;

/** Section 2.4 of the API document. `discount` is a share of the margin call price. */
function lotOf(
  seed: number,
  { symbol, side, amount, averageExecutionPrice: price, time }: LiquidatedOrder,
) {
  const instrument = instrumentOf(symbol);
  const random = new SeededRandom(`${seed}/lot/${instrument.index}/${time}`);
  const mark = markPrice(seed, instrument, time);
  return {
    lotId: idAt(time, instrument, random.integer(0, idsPerMs - 1)),
    symbol,
    side,
    amount,
    totalBids: random.integer(1, 40),
    averageLiquidationPrice: price,
    marginCallPrice: mark,
    discount: mark.minus(price).abs().div(mark).round(6, Big.roundHalfEven),
    updatedAt: time,
  };
}

/** The price of a lot: 0.2 to 2 % below the mark price for a sale, above it for a purchase. */
export function auctionPrice(
  instrument: Instrument,
  side: Side,
  mark: Big,
  random: SeededRandom,
): Big {
  const discount = new Big(random.integer(20, 200)).div(10_000);
  const share = new Big(1).plus(side === 'SELL' ? discount.neg() : discount);
  return roundToTick(instrument, mark.times(share));
}
