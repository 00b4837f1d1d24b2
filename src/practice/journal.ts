import { runCampaign, type Campaign } from './campaigns.ts';
import type { OrderEnd } from './orderEnds.ts';
import { positionAt, type Position } from './positions.ts';
import { markPrice } from './prices.ts';
import { campaignsWithin } from './schedule.ts';

/** All that happened and happens without the venue's guest: a function of seed and time only. */
export class Journal {
  private readonly seed: number;
  /** What was worked out already; a campaign never changes. */
  private readonly campaigns = new Map<number, Campaign>();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Every order that came to its end from `from` to `to`, both belonging to it, in no order. */
  orderEnds(from: number, to: number): OrderEnd[] {
    return this.within(from, to).flatMap(({ ends }) =>
      ends.filter(({ order }) => order.time >= from && order.time <= to),
    );
  }

  /** What is held at `time`, at that moment's mark prices, in the order of the instruments. */
  positions(time: number): Position[] {
    return this.within(time, time)
      .toSorted((one, other) => one.instrument.index - other.instrument.index)
      .flatMap((campaign) => this.position(campaign, time) ?? []);
  }

  private position({ instrument, leverage, ends }: Campaign, time: number): Position | undefined {
    const held = ends.findLast(({ order }) => order.time <= time)?.held;
    if (!held || held.amount.eq(0)) return undefined;
    return positionAt(markPrice(this.seed, instrument, time), held, leverage, instrument);
  }

  private within(from: number, to: number): Campaign[] {
    return campaignsWithin(from, to).map((index) => this.campaign(index));
  }

  private campaign(index: number): Campaign {
    const known = this.campaigns.get(index);
    if (known) return known;
    const campaign = runCampaign(this.seed, index);
    this.campaigns.set(index, campaign);
    return campaign;
  }
}
