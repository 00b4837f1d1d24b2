import Big from 'big.js';
import { auctionPrice } from './auctionPrice.ts';
import { idAt, idsPerMs } from './ids.ts';
import {
  instrumentInTurn,
  instrumentOf,
  instruments,
  orderAmount,
  type Instrument,
} from './instruments.ts';
import type { Journal } from './journal.ts';
import type { Lot } from './lots.ts';
import { markPrice } from './prices.ts';
import { Draws } from './random.ts';

const slotMs = 2 * 60 * 60_000;
const lotPercent = 40;

type Sale = Pick<Lot, 'side' | 'amount'> & {
  readonly instrument: Instrument;
  readonly price: Big;
  readonly time: number;
};

/**
 * The liquidation auction of the whole venue, a function of seed and time only: one lot for each of
 * the account's liquidated orders, and those of others in slots of two hours.
 */
export class Auction {
  private readonly seed: number;
  private readonly journal: Journal;
  /** The lots of others that were worked out already. */
  private readonly slots = new Map<number, readonly Lot[]>();

  constructor(seed: number, journal: Journal) {
    this.seed = seed;
    this.journal = journal;
  }

  /** The lots sold from `from` to `to`, both belonging to it, in no order. */
  lots(from: number, to: number): Lot[] {
    const first = Math.floor(from / slotMs);
    const count = Math.floor(to / slotMs) - first + 1;
    const others = Array.from({ length: count }, (_, index) => this.slot(first + index)).flat();
    const lots = [...others, ...this.ownLots(from, to)];
    return lots.filter(({ updatedAt }) => updatedAt >= from && updatedAt <= to);
  }

  private ownLots(from: number, to: number): Lot[] {
    return this.journal
      .orderEnds(from, to)
      .filter(({ order }) => order.status === 'LIQUIDATED')
      .map(({ order: { symbol, side, amount, averageExecutionPrice: price, time } }) =>
        this.lot({ instrument: instrumentOf(symbol), side, amount, price, time }),
      );
  }

  private slot(slot: number): readonly Lot[] {
    const known = this.slots.get(slot);
    if (known) return known;
    const draws = new Draws(`${this.seed}/auction/${slot}`);
    const lots = draws.chance(lotPercent) ? [this.othersLot(slot, draws)] : [];
    this.slots.set(slot, lots);
    return lots;
  }

  private othersLot(slot: number, draws: Draws): Lot {
    const instrument = instrumentInTurn(draws.whole(0, instruments.length - 1));
    const side = draws.chance(50) ? 'BUY' : 'SELL';
    const time = slot * slotMs + draws.whole(0, slotMs - 1);
    const mark = markPrice(this.seed, instrument, time);
    const notional = new Big(draws.whole(500, 50_000));
    return this.lot({
      instrument,
      side,
      amount: orderAmount(instrument, notional.div(mark)),
      price: auctionPrice(instrument, side, mark, draws),
      time,
    });
  }

  private lot({ instrument, time, side, amount, price }: Sale): Lot {
    const draws = new Draws(`${this.seed}/lot/${instrument.index}/${time}`);
    const mark = markPrice(this.seed, instrument, time);
    return {
      lotId: idAt(time, instrument, draws.whole(0, idsPerMs - 1)),
      symbol: instrument.symbol,
      side,
      amount,
      totalBids: draws.whole(1, 40),
      averageLiquidationPrice: price,
      marginCallPrice: mark,
      discount: mark.minus(price).abs().div(mark).round(6, Big.roundHalfEven),
      updatedAt: time,
    };
  }
}
