import Big from 'big.js';
import { auctionPrice } from './auctionPrice.ts';
import { nothingHeld, type Holding } from './holding.ts';
import { levelPrice, orderAmount, type Instrument } from './instruments.ts';
import { liquidationPrice } from './margin.ts';
import { canceledOrder, tradedOrder, type OrderEnd, type OrderRequest } from './orderEnds.ts';
import { largestMove, markPrice } from './prices.ts';
import { Draws } from './random.ts';
import { campaignPlan, stepMs, type Plan } from './schedule.ts';

/** All trading in one instrument from flat to flat, a function of seed and index only. */
export type Campaign = {
  readonly instrument: Instrument;
  readonly leverage: number;
  /** How every order ended, in time's order, each with what was held after it. */
  readonly ends: readonly OrderEnd[];
};

const orderPercent = 8;
const canceledPercent = 12;
const growPercent = 55;
const marginCallWithinMs = 60_000;
/** A margin call comes this close to the liquidation price, so that no mark is ever beyond it. */
const marginCallShare = largestMove(stepMs + marginCallWithinMs);

export function runCampaign(seed: number, index: number): Campaign {
  const plan = campaignPlan(seed, index);
  const trader = new Trader(seed, plan);
  const ends: OrderEnd[] = [];
  for (let step = plan.opens; step <= plan.closes; step++) {
    const end = trader.act(step);
    if (end) ends.push(end);
  }
  return { instrument: plan.instrument, leverage: trader.leverage, ends };
}

/** The account's hand during one campaign. */
class Trader {
  readonly leverage: number;
  private readonly seed: number;
  private readonly plan: Plan;
  private readonly draws: Draws;
  /** The amount that the campaign aims at. */
  private readonly target: Big;
  private held: Holding = nothingHeld();
  /** The mark at which the position is sold; of no meaning while nothing is held. */
  private marginCallPrice = new Big(0);

  constructor(seed: number, plan: Plan) {
    this.seed = seed;
    this.plan = plan;
    this.draws = new Draws(`${seed}/campaign/${plan.index}`);
    this.leverage = Math.max(this.draws.whole(1, 10), this.draws.whole(1, 10));
    this.target = new Big(this.draws.whole(600, 2_000))
      .times(this.leverage)
      .div(levelPrice(plan.instrument));
  }

  /** What happens in this step, if anything. */
  act(step: number): OrderEnd | undefined {
    const end = this.next(step);
    if (end) this.hold(end.held);
    return end;
  }

  private next(step: number): OrderEnd | undefined {
    const isFlat = this.held.amount.eq(0);
    if (step === this.plan.closes) return isFlat ? undefined : this.close(step);
    if (isFlat) return this.enter(step);
    if (this.isMarginCalled(step * stepMs)) return this.liquidate(step);
    if (!this.draws.chance(orderPercent)) return undefined;
    return this.draws.chance(canceledPercent) ? this.giveUp(step) : this.adjust(step);
  }

  private enter(step: number): OrderEnd {
    return this.trade(this.request(step, this.plan.isLong, this.shareOf(this.target, 20, 50)));
  }

  private adjust(step: number): OrderEnd {
    const grows = this.held.amount.abs().lt(this.target) && this.draws.chance(growPercent);
    if (grows) return this.enter(step);
    const amount = this.shareOf(this.held.amount.abs(), 10, 50);
    // The smallest holding cannot be made smaller without being closed.
    if (amount.gte(this.held.amount.abs())) return this.enter(step);
    return this.trade(this.request(step, !this.plan.isLong, amount));
  }

  private close(step: number): OrderEnd {
    const request = this.request(step, !this.plan.isLong, this.held.amount.abs());
    return tradedOrder(request, 'EXECUTED', this.held, this.draws);
  }

  private liquidate(step: number): OrderEnd {
    const request = this.request(
      step,
      !this.plan.isLong,
      this.held.amount.abs(),
      marginCallWithinMs,
    );
    const { instrument, side, mark } = request;
    const sold = { ...request, mark: auctionPrice(instrument, side, mark, this.draws) };
    return tradedOrder(sold, 'LIQUIDATED', this.held, this.draws);
  }

  private giveUp(step: number): OrderEnd {
    const buys = this.draws.chance(50);
    return canceledOrder(
      this.request(step, buys, this.shareOf(this.target, 10, 40)),
      this.held,
      this.draws,
    );
  }

  private trade(request: OrderRequest): OrderEnd {
    const status = this.draws.chance(15) ? 'PARTIALLY_EXECUTED' : 'EXECUTED';
    return tradedOrder(request, status, this.held, this.draws);
  }

  private request(step: number, buys: boolean, amount: Big, withinMs = stepMs): OrderRequest {
    const time = step * stepMs + this.draws.whole(0, withinMs - 1);
    const { instrument } = this.plan;
    return {
      instrument,
      side: buys ? 'BUY' : 'SELL',
      amount,
      time,
      mark: markPrice(this.seed, instrument, time),
    };
  }

  private shareOf(amount: Big, lowPercent: number, highPercent: number): Big {
    const percent = this.draws.whole(lowPercent, highPercent);
    return orderAmount(this.plan.instrument, amount.times(percent).div(100));
  }

  private isMarginCalled(time: number): boolean {
    const mark = markPrice(this.seed, this.plan.instrument, time);
    return this.plan.isLong ? mark.lte(this.marginCallPrice) : mark.gte(this.marginCallPrice);
  }

  private hold(held: Holding): void {
    this.held = held;
    const limit = liquidationPrice(held, this.leverage, this.plan.instrument);
    const early = levelPrice(this.plan.instrument).times(marginCallShare);
    this.marginCallPrice = this.plan.isLong ? limit.plus(early) : limit.minus(early);
  }
}
