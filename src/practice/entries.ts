import type Big from 'big.js';

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
export type TransactionType = (typeof transactionTypes)[number];

/** One line in the book of one account: above zero comes in, below zero goes out. */
export type Entry = {
  readonly accountType: AccountType;
  readonly type: TransactionType;
  readonly asset: string;
  readonly amount: Big;
  readonly time: number;
};

type Transfer = 'TRANSFER_TO_SPOT' | 'TRANSFER_TO_FUTURE';

/** The two entries of a transfer; `amount` is what leaves one account and reaches the other. */
export function transfer(type: Transfer, asset: string, amount: Big, time: number): Entry[] {
  const toFuture = type === 'TRANSFER_TO_FUTURE' ? amount : amount.neg();
  return [
    { accountType: 'SPOT', type, asset, amount: toFuture.neg(), time },
    { accountType: 'FUTURE', type, asset, amount: toFuture, time },
  ];
}

export function isTransfer({ type }: Pick<Entry, 'type'>): boolean {
  return type === 'TRANSFER_TO_SPOT' || type === 'TRANSFER_TO_FUTURE';
}
