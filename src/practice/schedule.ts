import { instrumentInTurn, type Instrument } from './instruments.ts';
import { Draws } from './random.ts';

/**
 * When the account trades. Every six hours since the Unix epoch the next instrument in turn opens a
 * campaign, which lasts about a day and ends flat. Starts and ends stray by less than three hours,
 * so that three to five campaigns run at any moment. Of two campaigns that follow each other one
 * is long and one is short, so that both directions are always held.
 */
export type Plan = {
  readonly index: number;
  readonly instrument: Instrument;
  readonly isLong: boolean;
  /** First and last step; a step is `stepMs` long and counted since the Unix epoch. */
  readonly opens: number;
  readonly closes: number;
};

/** The grid of a campaign: at most one order and one look at the margin in each step. */
export const stepMs = 15 * 60_000;

const stepsBetweenCampaigns = 24;
const campaignSteps = 4 * stepsBetweenCampaigns;
const strayingSteps = stepsBetweenCampaigns / 2 - 1;

export function campaignPlan(seed: number, index: number): Plan {
  const draws = new Draws(`${seed}/plan/${index}`);
  const start = index * stepsBetweenCampaigns;
  const isFirstOfPair = index % 2 === 0;
  const isLongFirst = new Draws(`${seed}/pair/${Math.floor(index / 2)}`).chance(50);
  return {
    index,
    instrument: instrumentInTurn(index),
    isLong: isFirstOfPair === isLongFirst,
    opens: start + draws.whole(-strayingSteps, strayingSteps),
    closes: start + campaignSteps + draws.whole(-strayingSteps, strayingSteps),
  };
}

/** The indices of every campaign that may have a part in the time from `from` to `to`, in ms. */
export function campaignsWithin(from: number, to: number): number[] {
  const first = Math.floor(
    (from / stepMs - campaignSteps - strayingSteps - 1) / stepsBetweenCampaigns,
  );
  const last = Math.ceil((to / stepMs + strayingSteps) / stepsBetweenCampaigns);
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}
