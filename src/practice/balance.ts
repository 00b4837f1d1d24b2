import Big from 'big.js';
import { total } from './cash.ts';
import { transfer, type AccountType, type Entry } from './entries.ts';
import { marginAsset } from './instruments.ts';

/**
 * The bookkeeping of the accounts SPOT and FUTURE. Both books are opened anew every Monday 00:00
 * UTC, and each asset is booked for itself:
 *
 * 1. the opening amounts come in: a DEPOSIT to SPOT, of which a part goes on to FUTURE;
 * 2. what happens during the week follows: `tradeEntries.ts`, `funding.ts`, `cashFlows.ts`;
 * 3. on the next Monday 00:00 all of FUTURE goes to SPOT, and all of SPOT is withdrawn.
 *
 * So the balance of an account and asset is the sum of the running week's entries, and needs no
 * memory of earlier weeks: the book of a week that is over adds up to nothing. A history of whole
 * weeks (`calendar.ts`) therefore adds up to the balance, exactly, wherever it begins; its first
 * entries are opening ones. The last entries of a week stand at the moment of the next opening, so
 * that no moment sees an empty account, and have lower ids than these.
 *
 * What `deposited` shows is the balance of FUTURE. Margin and locked amounts are parts of it, not
 * entries. Every amount has at most 18 decimals, of the margin asset at most 8 (`cash.ts`).
 */
type Opening = { readonly asset: string; readonly deposit: string; readonly toFuture: string };

const openings: readonly Opening[] = [
  { asset: marginAsset, deposit: '40000', toFuture: '25000' },
  { asset: 'btc', deposit: '0.5', toFuture: '0.35127' },
  { asset: 'eth', deposit: '5.25', toFuture: '4.120394857610293847' },
  { asset: 'sol', deposit: '80', toFuture: '61.5' },
];

/** The assets that the accounts hold; the margin asset is the first. */
export const bookedAssets: readonly string[] = openings.map(({ asset }) => asset);

/** The entries with which the week that starts at `time` is opened. */
export function openingEntries(time: number): Entry[] {
  return openings.flatMap(({ asset, deposit, toFuture }) => [
    { accountType: 'SPOT', type: 'DEPOSIT', asset, amount: new Big(deposit), time } as const,
    ...transfer('TRANSFER_TO_FUTURE', asset, new Big(toFuture), time),
  ]);
}

/** The entries that close, at `time`, a book with these entries. */
export function closingEntries(entries: readonly Entry[], time: number): Entry[] {
  return bookedAssets.flatMap((asset) => {
    const future = balanceOf(entries, 'FUTURE', asset);
    const amount = balanceOf(entries, 'SPOT', asset).plus(future).neg();
    return [
      ...transfer('TRANSFER_TO_SPOT', asset, future, time),
      { accountType: 'SPOT', type: 'WITHDRAW', asset, amount, time } as const,
    ];
  });
}

export function balanceOf(entries: readonly Entry[], accountType: AccountType, asset: string): Big {
  return total(
    entries
      .filter((entry) => entry.accountType === accountType && entry.asset === asset)
      .map(({ amount }) => amount),
  );
}
