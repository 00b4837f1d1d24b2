import Big from 'big.js';
import { createHash } from 'node:crypto';
import { hourMs } from '../../base/time.ts';
import { marginAsset } from '../market/instruments.ts';
import { roundMoney } from '../market/money.ts';
import { SeededRandom } from '../market/seededRandom.ts';
import {
  isTransfer,
  orderChanges,
  type AccountType,
  type BalanceChange,
  type TransactionType,
} from './balanceChanges.ts';
import {
  accountAssets,
  balanceOf,
  closingChanges,
  dailyCashFlows,
  openingChanges,
} from './cashFlows.ts';
import type { Position } from './netPosition.ts';
import type { HistoryFilter } from './pagedHistory.ts';
import type { TradingHistory } from './tradingHistory.ts';
import { historyWeeks, weekEnd, weekStart } from './weeks.ts';

/** Section 2.5 of the API document. */
export type Transaction = {
  readonly transactionId: bigint;
  readonly transactionUuid: string;
  readonly asset: string;
  readonly link: string;
  readonly amount: Big;
  readonly type: TransactionType;
  readonly time: number;
};

/** The filters of the transaction history (section 4.4). */
export type TransactionFilter = HistoryFilter<Pick<Transaction, 'type' | 'asset'>> & {
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

/** The change as the API shows it. The two changes of one transfer share their UUID and link. */
export function transactionOf(seed: number, change: NumberedChange): Transaction {
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
