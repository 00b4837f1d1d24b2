import Big from 'big.js';
import { createHash } from 'node:crypto';
import { hourMs, dayMs, minuteMs } from '../../base/time.ts';
import { marginAsset } from '../market/instruments.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import { roundMoney, sum, liquidationFee } from '../market/tradingRules.ts';
import type { CompletedOrder, Trade } from './completedOrders.ts';
import type { Position } from './netPosition.ts';
import { type HistoryFilter, historyWeeks, weekEnd, weekStart } from './pagedHistory.ts';
import type { TradingHistory } from './tradingHistory.ts';

export const accountTypes = ['SPOT', 'FUTURE'] as const;
export const transactionTypes = [
  'DEPOSIT',
  'WITHDRAW',
  'FEE',
  'FUNDING_FEE',
  'REALIZED_PL',
  'LIQUIDATION_FEE',
  'TRANSFER_TO_SPOT',
  'TRANSFER_TO_FUTURE',
  'REWARD',
] as const;

export type AccountType = (typeof accountTypes)[number];
type TransactionType = (typeof transactionTypes)[number];

/** A change of one account's balance: a transaction without its id. */
type BalanceChange = {
  readonly accountType: AccountType;
  readonly type: TransactionType;
  readonly asset: string;
  readonly amount: Big;
  readonly time: number;
};

export type Transaction = ReturnType<typeof transactionOf>;

/** The filters of the transaction history (section 4.4). */
export type TransactionFilter = HistoryFilter<Transaction> & {
  readonly accountType: AccountType;
};

/** A balance change with its id. Ids are unique and grow with time. */
export type NumberedChange = BalanceChange & { readonly transactionId: bigint };

/** Higher than the number of changes that close a week, so that these get the lower ids. */
const firstNumber = 1_000;

/** The balance changes of both accounts, week by week: a function of seed and time only. */
export class TransactionHistory {
  private readonly seed: number;
  private readonly tradingHistory: TradingHistory;
  /** A cache of the changes of whole weeks, newest first. A week never changes. */
  private readonly weeks = new Map<number, readonly NumberedChange[]>();

  constructor(seed: number, tradingHistory: TradingHistory) {
    this.seed = seed;
    this.tradingHistory = tradingHistory;
  }

  /** All changes of the histories up to `now`, newest first. */
  changes(now: number): NumberedChange[] {
    return historyWeeks(now).flatMap((week) => this.changesUntil(now, week));
  }

  /** The balance of each asset in FUTURE, the margin asset first. */
  balances(now: number) {
    const changes = this.changesUntil(now, weekStart(now));
    return accountAssets.map((asset) => ({ asset, amount: balanceOf(changes, 'FUTURE', asset) }));
  }

  private changesUntil(now: number, week: number): NumberedChange[] {
    return this.changesOf(week).filter(({ time }) => time <= now);
  }

  private changesOf(week: number): readonly NumberedChange[] {
    const known = this.weeks.get(week);
    if (known) return known;
    const changes = this.changesBeforeClosing(week).sort((one, other) => one.time - other.time);
    const all = [
      ...numbered(changes, firstNumber),
      ...numbered(closingChanges(changes, weekEnd(week)), 0),
    ].reverse();
    this.weeks.set(week, all);
    return all;
  }

  private changesBeforeClosing(week: number): BalanceChange[] {
    const end = weekEnd(week);
    return [
      ...openingChanges(week),
      ...this.tradingHistory.completedOrders(week, end - 1).flatMap(orderChanges),
      ...fundingTimes(week, end).flatMap((time) =>
        fundingFees(this.seed, this.tradingHistory.positions(time), time),
      ),
      ...dailyCashFlows(this.seed, week),
    ];
  }
}

const explorer = 'https://explorer.example/transactions';

/** The change as the API shows it (section 2.5). The two changes of one transfer share their UUID and link. */
export function transactionOf(seed: number, change: NumberedChange) {
  const { transactionId, asset, amount, type, time } = change;
  const identity = isTransfer(change) ? `${type}/${asset}/${time}` : String(transactionId);
  const key = `${seed}/transaction/${identity}`;
  const hash = createHash('sha256').update(key).digest('hex');
  const transactionUuid = new SeededRandom(key).uuid();
  return { transactionId, transactionUuid, asset, link: `${explorer}/${hash}`, amount, type, time };
}

function numbered(changes: readonly BalanceChange[], first: number): NumberedChange[] {
  return changes.map((change, index) => ({
    ...change,
    transactionId: BigInt(change.time) * 1_000_000n + BigInt(first + index),
  }));
}

const intervalMs = 8 * hourMs;

/** The funding times from `from` to `before` (excluded): 00:00, 08:00 and 16:00 UTC. */
function fundingTimes(from: number, before: number): number[] {
  const first = Math.ceil(from / intervalMs);
  const count = Math.max(0, Math.ceil(before / intervalMs) - first);
  return Array.from({ length: count }, (_, index) => (first + index) * intervalMs);
}

/** The funding fees of positions: the value at the mark price times the rate. */
function fundingFees(seed: number, positions: readonly Position[], time: number): BalanceChange[] {
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
function openingChanges(time: number): BalanceChange[] {
  return openingAmounts.flatMap(({ asset, deposit, toFuture }) => [
    { accountType: 'SPOT', type: 'DEPOSIT', asset, amount: new Big(deposit), time } as const,
    ...transfer('TRANSFER_TO_FUTURE', asset, new Big(toFuture), time),
  ]);
}

/** The changes that bring all balances to zero at `time`, after `changes`. */
function closingChanges(changes: readonly BalanceChange[], time: number): BalanceChange[] {
  return accountAssets.flatMap((asset) => {
    const future = balanceOf(changes, 'FUTURE', asset);
    const amount = balanceOf(changes, 'SPOT', asset).plus(future).neg();
    return [
      ...transfer('TRANSFER_TO_SPOT', asset, future, time),
      { accountType: 'SPOT', type: 'WITHDRAW', asset, amount, time } as const,
    ];
  });
}

function balanceOf(
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
function dailyCashFlows(seed: number, week: number): BalanceChange[] {
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

type Transfer = 'TRANSFER_TO_SPOT' | 'TRANSFER_TO_FUTURE';

/** The two changes of a transfer of `amount` from one account to the other. */
function transfer(type: Transfer, asset: string, amount: Big, time: number): BalanceChange[] {
  const toFuture = type === 'TRANSFER_TO_FUTURE' ? amount : amount.neg();
  return [
    { accountType: 'SPOT', type, asset, amount: toFuture.neg(), time },
    { accountType: 'FUTURE', type, asset, amount: toFuture, time },
  ];
}

function isTransfer({ type }: Pick<BalanceChange, 'type'>): boolean {
  return type === 'TRANSFER_TO_SPOT' || type === 'TRANSFER_TO_FUTURE';
}

function orderChanges({ order, trades }: CompletedOrder): BalanceChange[] {
  const tradeParts = trades.flatMap(tradeChanges);
  if (order.status !== 'LIQUIDATED') return tradeParts;
  const fee = {
    accountType: 'FUTURE',
    type: 'LIQUIDATION_FEE',
    asset: marginAsset,
    amount: liquidationFee(order.filled.times(order.averageExecutionPrice)).neg(),
    time: order.time,
  } as const;
  return [...tradeParts, fee];
}

function tradeChanges({ rpnl, fee, feeAsset, time }: Trade): BalanceChange[] {
  const inFuture = { accountType: 'FUTURE', time } as const;
  const realized = { ...inFuture, type: 'REALIZED_PL', asset: marginAsset, amount: rpnl } as const;
  const charged = { ...inFuture, type: 'FEE', asset: feeAsset, amount: fee.neg() } as const;
  return [realized, charged].filter(({ amount }) => !amount.eq(0));
}
