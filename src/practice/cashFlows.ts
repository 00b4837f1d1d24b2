import Big from 'big.js';
import { dayMs } from '../base/durations.ts';
import { transfer, type Entry } from './entries.ts';
import { marginAsset } from './instruments.ts';
import { Draws } from './random.ts';

const minuteMs = 60_000;
const rewardTimeMs = 4 * 60 * minuteMs;
const stakedAsset = 'eth';

/**
 * What moves in the week that starts at `week` beside trading, a function of seed and week only: on
 * most days the owner brings money in or takes some out, and every day brings its rewards.
 */
export function cashFlows(seed: number, week: number): Entry[] {
  return Array.from({ length: 7 }, (_, index) => {
    const day = week + index * dayMs;
    const draws = new Draws(`${seed}/cash/${day}`);
    return [...rewards(day + rewardTimeMs, draws), ...ownersFlow(day, draws)];
  }).flat();
}

/** At most one a day, so that no two transfers of a kind are ever in one moment. */
function ownersFlow(day: number, draws: Draws): Entry[] {
  const time = day + draws.whole(60 * minuteMs, 22 * 60 * minuteMs);
  const later = time + draws.whole(minuteMs, 60 * minuteMs);
  const kind = draws.whole(1, 100);
  if (kind <= 35) return broughtIn(time, later, draws);
  return kind <= 65 ? takenOut(time, later, draws) : [];
}

function broughtIn(time: number, later: number, draws: Draws): Entry[] {
  const deposit = cents(draws.whole(50_000, 250_000));
  const moved = deposit.times(draws.whole(1, 4)).div(10).round(2, Big.roundDown);
  return [
    { accountType: 'SPOT', type: 'DEPOSIT', asset: marginAsset, amount: deposit, time },
    ...transfer('TRANSFER_TO_FUTURE', marginAsset, moved, later),
  ];
}

function takenOut(time: number, later: number, draws: Draws): Entry[] {
  const moved = cents(draws.whole(10_000, 40_000));
  const amount = moved.times(draws.whole(5, 10)).div(10).round(2, Big.roundDown).neg();
  return [
    ...transfer('TRANSFER_TO_SPOT', marginAsset, moved, time),
    { accountType: 'SPOT', type: 'WITHDRAW', asset: marginAsset, amount, time: later },
  ];
}

function rewards(time: number, draws: Draws): Entry[] {
  const staked = new Big(draws.whole(100_000_000, 999_999_999)).times('0.000000000001234567');
  const traded = cents(draws.whole(10, 500));
  return [
    { accountType: 'SPOT', type: 'REWARD', asset: stakedAsset, amount: staked, time },
    { accountType: 'FUTURE', type: 'REWARD', asset: marginAsset, amount: traded, time },
  ];
}

function cents(count: number): Big {
  return new Big(count).div(100);
}
