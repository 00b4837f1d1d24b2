import Big from 'big.js';
import { weekStart } from './calendar.ts';
import { total } from './cash.ts';
import { marginAsset } from './instruments.ts';
import type { Trade } from './trades.ts';

/**
 * The bookkeeping of the margin account. Its book is opened anew every Monday 00:00 UTC: the same
 * opening amount comes in, and whatever was there goes out. So the balance at any moment is
 *
 *     opening amount + realised profit and loss − fees, of the trades since Monday 00:00 UTC
 *
 * and needs no memory of earlier weeks, and the entries of any number of whole weeks up to a moment
 * add up to that moment's balance, exactly: all of them are whole units of 10^-8 (`cash.ts`).
 * Margin and locked amounts are parts of the balance, not entries.
 */
export type Entry = {
  readonly type: 'TRANSFER_TO_FUTURE' | 'REALIZED_PL' | 'FEE';
  readonly asset: string;
  readonly amount: Big;
  readonly time: number;
};

const openingAmount = '25000';

/** The entries of the week that `now` lies in; `trades` are those of this week up to `now`. */
export function weekEntries(now: number, trades: readonly Trade[]): Entry[] {
  return [
    {
      type: 'TRANSFER_TO_FUTURE',
      asset: marginAsset,
      amount: new Big(openingAmount),
      time: weekStart(now),
    },
    ...trades.flatMap(tradeEntries),
  ];
}

export function balanceOf(entries: readonly Entry[]): Big {
  return total(entries.map(({ amount }) => amount));
}

function tradeEntries({ rpnl, fee, feeAsset, time }: Trade): Entry[] {
  const realised = { type: 'REALIZED_PL', asset: marginAsset, amount: rpnl, time } as const;
  const charged = { type: 'FEE', asset: feeAsset, amount: fee.neg(), time } as const;
  return [realised, charged].filter(({ amount }) => !amount.eq(0));
}
