import type Big from 'big.js';
import { liquidationFee } from '../market/fees.ts';
import { marginAsset } from '../market/instruments.ts';
import type { CompletedOrder } from './completedOrders.ts';
import type { Trade } from './tradingRecords.ts';

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
export type BalanceChange = {
  readonly accountType: AccountType;
  readonly type: TransactionType;
  readonly asset: string;
  readonly amount: Big;
  readonly time: number;
};

type Transfer = 'TRANSFER_TO_SPOT' | 'TRANSFER_TO_FUTURE';

/** The two changes of a transfer of `amount` from one account to the other. */
export function transfer(
  type: Transfer,
  asset: string,
  amount: Big,
  time: number,
): BalanceChange[] {
  const toFuture = type === 'TRANSFER_TO_FUTURE' ? amount : amount.neg();
  return [
    { accountType: 'SPOT', type, asset, amount: toFuture.neg(), time },
    { accountType: 'FUTURE', type, asset, amount: toFuture, time },
  ];
}

export function isTransfer({ type }: Pick<BalanceChange, 'type'>): boolean {
  return type === 'TRANSFER_TO_SPOT' || type === 'TRANSFER_TO_FUTURE';
}

export function orderChanges({ order, trades }: CompletedOrder): BalanceChange[] {
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
