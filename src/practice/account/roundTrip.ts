import Big from 'big.js';
import { referencePrice, roundOrderAmount, type Instrument } from '../market/instruments.ts';
import { auctionPrice } from '../market/liquidationAuction.ts';
import { markPrice, maxMove } from '../market/markPrice.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import {
  canceledOrder,
  tradedOrder,
  type CompletedOrder,
  type OrderRequest,
} from './completedOrders.ts';
import { flatPosition, liquidationPrice, type NetPosition } from './netPosition.ts';
import { stepMs, stepStartMs, type RoundTripPlan } from './roundTripSchedule.ts';

/** All trading in one instrument from flat to flat: a function of seed and plan only. */
export type RoundTrip = {
  readonly instrument: Instrument;
  readonly leverage: number;
  /** From the oldest to the newest. */
  readonly completedOrders: readonly CompletedOrder[];
};

const orderPercent = 8;
const canceledPercent = 12;
const increasePercent = 55;
/** A position is liquidated this much before its liquidation price, so that no mark price crosses that. */
const marginCallShare = maxMove(stepMs + stepStartMs);

export function simulateRoundTrip(seed: number, plan: RoundTripPlan): RoundTrip {
  const trader = new Trader(seed, plan);
  trader.open(plan.opensAt);
  const lastStep = Math.floor(plan.closesAt / stepMs) - 1;
  for (let step = Math.floor(plan.opensAt / stepMs) + 1; step <= lastStep; step++) trader.act(step);
  trader.close(plan.closesAt);
  const { leverage, completedOrders } = trader;
  return { instrument: plan.instrument, leverage, completedOrders };
}

/** Places the orders of one round trip. */
class Trader {
  readonly leverage: number;
  readonly completedOrders: CompletedOrder[] = [];
  private readonly seed: number;
  private readonly plan: RoundTripPlan;
  private readonly random: SeededRandom;
  private readonly targetAmount: Big;
  private position: NetPosition = flatPosition();
  /** The mark price at which the position is liquidated. */
  private marginCallPrice = new Big(0);

  constructor(seed: number, plan: RoundTripPlan) {
    this.seed = seed;
    this.plan = plan;
    this.random = new SeededRandom(`${plan.key}/orders`);
    this.leverage = Math.max(this.random.integer(1, 10), this.random.integer(1, 10));
    this.targetAmount = new Big(this.random.integer(600, 2_000))
      .times(this.leverage)
      .div(referencePrice(plan.instrument));
  }

  /** Opens the position, or increases it. */
  open(time: number): void {
    this.trade(this.request(time, this.plan.isLong, this.share(this.targetAmount, 20, 50)));
  }

  /** Does what this step brings, which is mostly nothing. */
  act(step: number): void {
    if (this.isMarginCalled(step * stepMs)) {
      this.liquidate(step * stepMs + this.random.integer(0, stepStartMs - 1));
    } else if (this.random.chance(orderPercent)) {
      const time = step * stepMs + this.random.integer(0, stepMs - 1);
      if (this.random.chance(canceledPercent)) this.cancel(time);
      else this.adjust(time);
    }
  }

  close(time: number): void {
    const request = this.request(time, !this.plan.isLong, this.position.amount.abs());
    this.complete(tradedOrder(request, 'EXECUTED', this.position, this.random));
  }

  /** Liquidates the position and opens it again at the same moment: the round trip continues. */
  private liquidate(time: number): void {
    const request = this.request(time, !this.plan.isLong, this.position.amount.abs());
    const price = auctionPrice(request.instrument, request.side, request.price, this.random);
    this.complete(tradedOrder({ ...request, price }, 'LIQUIDATED', this.position, this.random));
    this.open(time);
  }

  private adjust(time: number): void {
    const held = this.position.amount.abs();
    const reduction = this.share(held, 10, 50);
    const increases = held.lt(this.targetAmount) && this.random.chance(increasePercent);
    // The smallest position cannot be reduced without closing it.
    if (increases || reduction.gte(held)) this.open(time);
    else this.trade(this.request(time, !this.plan.isLong, reduction));
  }

  private cancel(time: number): void {
    const amount = this.share(this.targetAmount, 10, 40);
    const request = this.request(time, this.random.chance(50), amount);
    this.complete(canceledOrder(request, this.position, this.random));
  }

  private trade(request: OrderRequest): void {
    const status = this.random.chance(15) ? 'PARTIALLY_EXECUTED' : 'EXECUTED';
    this.complete(tradedOrder(request, status, this.position, this.random));
  }

  private request(time: number, buys: boolean, amount: Big): OrderRequest {
    const { instrument } = this.plan;
    const price = markPrice(this.seed, instrument, time);
    return { instrument, side: buys ? 'BUY' : 'SELL', amount, time, price };
  }

  private share(amount: Big, lowPercent: number, highPercent: number): Big {
    const percent = this.random.integer(lowPercent, highPercent);
    return roundOrderAmount(this.plan.instrument, amount.times(percent).div(100));
  }

  private isMarginCalled(time: number): boolean {
    const mark = markPrice(this.seed, this.plan.instrument, time);
    return this.plan.isLong ? mark.lte(this.marginCallPrice) : mark.gte(this.marginCallPrice);
  }

  private complete(order: CompletedOrder): void {
    this.completedOrders.push(order);
    this.position = order.positionAfter;
    const limit = liquidationPrice(this.position, this.leverage, this.plan.instrument);
    const early = referencePrice(this.plan.instrument).times(marginCallShare);
    this.marginCallPrice = this.plan.isLong ? limit.plus(early) : limit.minus(early);
  }
}
