import Big from 'big.js';
import { hourMs } from '../../base/time.ts';
import { marginAsset } from '../market/instruments.ts';
import { roundMoney } from '../market/money.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import type { BalanceChange } from './balanceChanges.ts';
import type { Position } from './netPosition.ts';

const intervalMs = 8 * hourMs;

/** The funding times from `from` to `before` (excluded): 00:00, 08:00 and 16:00 UTC. */
export function fundingTimes(from: number, before: number): number[] {
  const first = Math.ceil(from / intervalMs);
  const count = Math.max(0, Math.ceil(before / intervalMs) - first);
  return Array.from({ length: count }, (_, index) => (first + index) * intervalMs);
}

/** The funding fees of positions: the value at the mark price times the rate. */
export function fundingFees(
  seed: number,
  positions: readonly Position[],
  time: number,
): BalanceChange[] {
  return positions
    .map(({ symbol, amount, markPrice }) => ({
      accountType: 'FUTURE' as const,
      type: 'FUNDING_FEE' as const,
      asset: marginAsset,
      amount: roundMoney(
        amount
          .times(markPrice)
          .times(fundingRate(seed, symbol, time))
          .neg(),
      ),
      time,
    }))
    .filter(({ amount }) => !amount.eq(0));
}

/** From −0.01 % to 0.03 %. At a positive rate, long positions pay short ones. */
function fundingRate(seed: number, symbol: string, time: number): Big {
  const random = new SeededRandom(`${seed}/funding/${symbol}/${time}`);
  return new Big(random.integer(-100, 300)).div(1_000_000);
}
