import Big from 'big.js';
import { booked } from './cash.ts';
import type { Entry } from './entries.ts';
import { marginAsset } from './instruments.ts';
import type { Position } from './positions.ts';
import { Draws } from './random.ts';

const intervalMs = 8 * 60 * 60_000;

/** The moments at which funding is paid: every eight hours, at 00:00, 08:00 and 16:00 UTC. */
export function fundingTimes(from: number, before: number): number[] {
  const first = Math.ceil(from / intervalMs);
  const count = Math.max(0, Math.ceil(before / intervalMs) - first);
  return Array.from({ length: count }, (_, index) => (first + index) * intervalMs);
}

/** What the positions held at `time` pay, or are paid: their value at the mark times the rate. */
export function fundingEntries(
  seed: number,
  positions: readonly Position[],
  time: number,
): Entry[] {
  return positions
    .map(({ symbol, amount, markPrice }) => ({
      accountType: 'FUTURE' as const,
      type: 'FUNDING_FEE' as const,
      asset: marginAsset,
      amount: booked(
        amount
          .times(markPrice)
          .times(fundingRate(seed, symbol, time))
          .neg(),
      ),
      time,
    }))
    .filter(({ amount }) => !amount.eq(0));
}

/** From −0.01 % to 0.03 %: above zero the long side pays the short one. */
function fundingRate(seed: number, symbol: string, time: number): Big {
  const draws = new Draws(`${seed}/funding/${symbol}/${time}`);
  return new Big(draws.whole(-100, 300)).div(1_000_000);
}
