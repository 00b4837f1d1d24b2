import Big from 'big.js';
import type { Interval } from '../../src/base/interval.ts';
import { hourMs, minuteMs } from '../../src/base/time.ts';
import type { Trade } from '../../src/exchange/records.ts';
import type { Checkpoint, CheckpointFees, FeeRates } from '../../src/ledger/ledger.ts';
import type { LedgerContent } from '../support/analysedLedger.ts';
import { aTrade } from '../support/builders.ts';
import { feeCheckpoint } from '../support/auditedFees.ts';

const table: readonly [FeeRates, FeeRates, FeeRates] = [
  { tier: '0', maker: '0.0002', taker: '0.0006' },
  { tier: '1', maker: '0.0001', taker: '0.0005' },
  { tier: '2', maker: '-0.00005', taker: '0.0004' },
];
const count = 600;

/**
 * Trades whose fees an exchange charges by tier and discount, and some that it does not. The account is unknown
 * at both ends and for 40 hours between; its discount and its tier change.
 */
export function auditedLedger({ from, to }: Interval): LedgerContent {
  const stepMs = Math.floor((to - from) / count);
  const trades = Array.from({ length: count }, (_none, index) =>
    auditedTrade(index, from + index * stepMs),
  );
  const checkpoints: Checkpoint[] = [];
  for (let at = from + 12 * hourMs; at < to - 12 * hourMs; at += 6 * hourMs)
    if (Math.abs(at - (from + to) / 2) > 20 * hourMs)
      checkpoints.push(sampledAt(at + minuteMs, feesAt(Math.floor((at - from) / stepMs))));
  return { checkpoints, records: { trades, futureTransactions: [], spotTransactions: [] } };
}

function feesAt(index: number): CheckpointFees {
  const rates = table[index < (2 * count) / 3 ? 1 : 2];
  return { tier: rates.tier, discount: index < count / 3 ? '0' : '10', rates, table };
}

function sampledAt(at: number, fees: CheckpointFees): Checkpoint {
  const assets = [{ name: 'usdt', deposited: '100', margin: '0', locked: '0' }];
  return { ...feeCheckpoint(at, fees), assets, positions: [], equity: '100', upl: '0' };
}

function auditedTrade(index: number, time: number): Trade {
  const is = (every: number): boolean => index % every === every - 1;
  const maker = index % 3 === 0;
  const { rates, discount } = feesAt(index);
  const charged = is(31) ? table[0] : (rates ?? table[0]);
  const [amount, price] = [is(61) ? '0' : `0.${index + 1}`, `${50_000 + index * 7}.5`];
  const fee = new Big(amount)
    .times(price)
    .times(maker === is(29) ? charged.taker : charged.maker)
    .times(new Big(1).minus(new Big(discount ?? '0').div(100)))
    // Every other liquidation among them.
    .plus(is(37) || is(46) ? '0.01' : 0)
    .minus(is(53) ? '0.005' : 0);
  return aTrade({
    tradeId: String(1000 + index),
    orderId: String(index),
    time: String(time),
    rpnl: '0',
    symbol: is(67) ? 'btcusdt' : index % 2 === 0 ? 'btc_usdt' : 'eth_usdt',
    amount,
    price,
    maker,
    fee: fee.toFixed(8),
    feeAsset: is(43) ? 'bnb' : 'usdt',
    type: is(23) ? 'LIQUIDATION' : 'ORDER_BOOK',
  });
}
