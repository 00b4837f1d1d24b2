import { liquidationFee } from './fees.ts';
import type { Entry } from './entries.ts';
import { marginAsset } from './instruments.ts';
import type { OrderEnd } from './orderEnds.ts';
import type { Trade } from './trades.ts';

/** What an order that came to its end brings to and takes from FUTURE, trade by trade. */
export function orderEntries({ order, trades }: OrderEnd): Entry[] {
  const ofTrades = trades.flatMap(tradeEntries);
  if (order.status !== 'LIQUIDATED') return ofTrades;
  const fee = {
    accountType: 'FUTURE',
    type: 'LIQUIDATION_FEE',
    asset: marginAsset,
    amount: liquidationFee(order.filled.times(order.averageExecutionPrice)).neg(),
    time: order.time,
  } as const;
  return [...ofTrades, fee];
}

function tradeEntries({ rpnl, fee, feeAsset, time }: Trade): Entry[] {
  const inFuture = { accountType: 'FUTURE', time } as const;
  const realised = { ...inFuture, type: 'REALIZED_PL', asset: marginAsset, amount: rpnl } as const;
  const charged = { ...inFuture, type: 'FEE', asset: feeAsset, amount: fee.neg() } as const;
  return [realised, charged].filter(({ amount }) => !amount.eq(0));
}
