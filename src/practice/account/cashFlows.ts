import Big from 'big.js';
import { dayMs, minuteMs } from '../../base/time.ts';
import { marginAsset } from '../market/instruments.ts';
import { sum } from '../market/money.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import { transfer, type AccountType, type BalanceChange } from './balanceChanges.ts';

/**
 * Both accounts start again every Monday 00:00 UTC:
 *
 * 1. The week opens with a DEPOSIT of each asset to SPOT and a transfer of a part of it to FUTURE.
 * 2. Trades, funding fees and daily cash flows follow.
 * 3. At the next Monday 00:00, all of FUTURE is transferred to SPOT, and all of SPOT is withdrawn.
 *
 * So a balance is the sum of the current week's changes, and the changes of a past week add up to
 * zero. A history of whole weeks therefore adds up to the balance, wherever it starts. A week's last
 * changes have the time of the next week's first ones, with lower ids, so that the account is never
 * seen empty.
 */
const openingAmounts = [
  { asset: marginAsset, deposit: '40000', toFuture: '25000' },
  { asset: 'btc', deposit: '0.5', toFuture: '0.35127' },
  { asset: 'eth', deposit: '5.25', toFuture: '4.120394857610293847' },
  { asset: 'sol', deposit: '80', toFuture: '61.5' },
] as const;

/** The assets of the account, the margin asset first. */
export const accountAssets: readonly string[] = openingAmounts.map(({ asset }) => asset);

/** The changes that open the week that starts at `time`. */
export function openingChanges(time: number): BalanceChange[] {
  return openingAmounts.flatMap(({ asset, deposit, toFuture }) => [
    { accountType: 'SPOT', type: 'DEPOSIT', asset, amount: new Big(deposit), time } as const,
    ...transfer('TRANSFER_TO_FUTURE', asset, new Big(toFuture), time),
  ]);
}

/** The changes that bring all balances to zero at `time`, after `changes`. */
export function closingChanges(changes: readonly BalanceChange[], time: number): BalanceChange[] {
  return accountAssets.flatMap((asset) => {
    const future = balanceOf(changes, 'FUTURE', asset);
    const amount = balanceOf(changes, 'SPOT', asset).plus(future).neg();
    return [
      ...transfer('TRANSFER_TO_SPOT', asset, future, time),
      { accountType: 'SPOT', type: 'WITHDRAW', asset, amount, time } as const,
    ];
  });
}

export function balanceOf(
  changes: readonly BalanceChange[],
  accountType: AccountType,
  asset: string,
): Big {
  return sum(
    changes
      .filter((change) => change.accountType === accountType && change.asset === asset)
      .map(({ amount }) => amount),
  );
}

const rewardTimeMs = 4 * 60 * minuteMs;
const stakedAsset = 'eth';

/** The rewards, deposits and withdrawals of the week that starts at `week`. */
export function dailyCashFlows(seed: number, week: number): BalanceChange[] {
  return Array.from({ length: 7 }, (_, index) => {
    const day = week + index * dayMs;
    const random = new SeededRandom(`${seed}/cash/${day}`);
    return [...rewards(day + rewardTimeMs, random), ...depositOrWithdrawal(day, random)];
  }).flat();
}

/** At most one a day: two transfers of a kind with the same time would get the same UUID. */
function depositOrWithdrawal(day: number, random: SeededRandom): BalanceChange[] {
  const time = day + random.integer(60 * minuteMs, 22 * 60 * minuteMs);
  const later = time + random.integer(minuteMs, 60 * minuteMs);
  const percent = random.integer(1, 100);
  if (percent <= 35) return deposit(time, later, random);
  return percent <= 65 ? withdrawal(time, later, random) : [];
}

function deposit(time: number, later: number, random: SeededRandom): BalanceChange[] {
  const amount = cents(random.integer(50_000, 250_000));
  const transferred = amount.times(random.integer(1, 4)).div(10).round(2, Big.roundDown);
  return [
    { accountType: 'SPOT', type: 'DEPOSIT', asset: marginAsset, amount, time },
    ...transfer('TRANSFER_TO_FUTURE', marginAsset, transferred, later),
  ];
}

function withdrawal(time: number, later: number, random: SeededRandom): BalanceChange[] {
  const transferred = cents(random.integer(10_000, 40_000));
  const amount = transferred.times(random.integer(5, 10)).div(10).round(2, Big.roundDown).neg();
  return [
    ...transfer('TRANSFER_TO_SPOT', marginAsset, transferred, time),
    { accountType: 'SPOT', type: 'WITHDRAW', asset: marginAsset, amount, time: later },
  ];
}

function rewards(time: number, random: SeededRandom): BalanceChange[] {
  const staked = new Big(random.integer(100_000_000, 999_999_999)).times('0.000000000001234567');
  const traded = cents(random.integer(10, 500));
  return [
    { accountType: 'SPOT', type: 'REWARD', asset: stakedAsset, amount: staked, time },
    { accountType: 'FUTURE', type: 'REWARD', asset: marginAsset, amount: traded, time },
  ];
}

function cents(count: number): Big {
  return new Big(count).div(100);
}
