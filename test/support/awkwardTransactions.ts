import type { Transaction } from '../../src/exchange/records.ts';
import { aTransaction } from './builders.ts';

export const awkwardAmounts = [
  '0.000000000000000001',
  '9007199254740993',
  '1E-7',
  '-1e+3',
  '-0',
  '0.10',
  '-5',
];
/** More digits than beancount calculates with. */
export const wideAmounts = [
  '-9007199254740993.000000000000000001',
  '123456789012345678901234567890.12',
  '-3',
  '0.000000000000000001',
];
const assets = ['usdt', 'USDT', '1inch', 's', 'true', 'usd.e', 'two\nlines; "a" , b', '币', ''];
const types = ['FEE', 'REWARD', 'SOMETHING "new"\n; = 5', 'DEPOSIT', ''];

/** Transactions of every such asset with every amount, an hour apart. */
export function awkwardTransactions(
  from: number,
  amounts: readonly string[],
): readonly Transaction[] {
  return assets.flatMap((asset, row) =>
    amounts.map((amount, index) =>
      aTransaction({
        transactionId: String(9_007_199_254_740_993n + BigInt(row * amounts.length + index)),
        asset,
        amount,
        type: types[(row + index) % types.length] ?? '',
        time: String(from + (row * amounts.length + index) * 3_600_000),
      }),
    ),
  );
}
