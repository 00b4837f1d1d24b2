import {
  added,
  amountOf,
  quotient,
  signOf,
  textOf,
  times,
  zeroAmount,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import { identityFields } from '../../exchange/recordIdentity.ts';
import type { LedgerRecord } from '../ledger.ts';
import type { LedgerPlace } from './comparison.ts';

export type TradeRecord = LedgerRecord<'trades'>;

/** One trade of the exchange, or those of an order, added up. */
export class Fills {
  readonly first: TradeRecord;
  readonly firstTime: number;
  lastTime: number;
  /** Of each trade: few bots say which of them they lack. */
  readonly amounts: NumberText[] = [];
  readonly times: number[] = [];
  private amountSum: Amount | null = zeroAmount;
  private notionalSum: Amount | null = zeroAmount;
  private feeSum: Amount | null = zeroAmount;
  private pnlSum: Amount | null = zeroAmount;

  constructor(record: TradeRecord, time: number) {
    this.first = record;
    this.firstTime = this.lastTime = time;
    this.add(record, time);
  }

  /** Trades come oldest first. */
  add(record: TradeRecord, time: number): void {
    const { amount, price, fee, rpnl, feeAsset } = record;
    const size = amount === null ? null : amountOf(amount);
    const notional = size && price !== null ? times(size, amountOf(price)) : null;
    this.lastTime = time;
    this.amounts.push(amount ?? '0');
    this.times.push(time);
    this.amountSum = addedIfKnown(this.amountSum, size);
    this.notionalSum = addedIfKnown(this.notionalSum, notional);
    // Fees in two assets have no sum.
    const isOneAsset = feeAsset === this.first.feeAsset;
    this.feeSum = addedIfKnown(this.feeSum, fee !== null && isOneAsset ? amountOf(fee) : null);
    this.pnlSum = addedIfKnown(this.pnlSum, rpnl === null ? null : amountOf(rpnl));
  }

  get amount(): NumberText | null {
    return this.amountSum && textOf(this.amountSum);
  }

  /** Of a single trade as the exchange wrote it; otherwise the average, rounded to 20 decimals. */
  get price(): NumberText | null {
    const { amountSum, notionalSum } = this;
    if (this.times.length === 1) return this.first.price;
    if (!amountSum || !notionalSum || signOf(amountSum) === 0) return null;
    return quotient(textOf(notionalSum), textOf(amountSum));
  }

  get fee(): NumberText | null {
    return this.feeSum && textOf(this.feeSum);
  }

  get pnl(): NumberText | null {
    return this.pnlSum && textOf(this.pnlSum);
  }

  get place(): LedgerPlace {
    return { history: 'trades', fields: identityFields(this.first) };
  }
}

function addedIfKnown(sum: Amount | null, amount: Amount | null): Amount | null {
  return sum && amount ? added(sum, amount) : null;
}
