import { divided, type Amount } from '../../base/decimal.ts';
import type { SharedTexts } from './botValues.ts';
import type { StoredTrade } from '../storage/tradeReader.ts';
import type { LedgerPlace } from './comparison.ts';

/** One trade of the exchange, or those of an order, added up. A sum is unknown if a part of it is. */
export class Fills {
  readonly tradeId: string;
  readonly orderId: string | null;
  readonly symbol: string;
  readonly side: string | null;
  /** Null if it is not known, or fees were paid in several: they have no sum. */
  feeAsset: string | null;
  readonly firstTime: number;
  lastTime: number;
  count = 1;
  private readonly fraction: number;
  private amountSum: bigint | null;
  private notionalSum: bigint | null;
  private feeSum: bigint | null;
  private pnlSum: bigint | null;

  constructor(trade: StoredTrade, fraction: number, shared: SharedTexts) {
    this.tradeId = trade.tradeId;
    this.orderId = trade.orderId;
    this.symbol = shared(trade.symbol);
    this.side = shared(trade.side);
    this.feeAsset = shared(trade.feeAsset);
    this.firstTime = this.lastTime = trade.time;
    this.fraction = fraction;
    this.amountSum = trade.amount;
    this.notionalSum = notionalOf(trade);
    this.feeSum = trade.fee;
    this.pnlSum = trade.rpnl;
  }

  /** Trades come oldest first. */
  add(trade: StoredTrade): void {
    this.lastTime = trade.time;
    this.count += 1;
    this.amountSum = sumOf(this.amountSum, trade.amount);
    this.notionalSum = sumOf(this.notionalSum, notionalOf(trade));
    if (trade.feeAsset !== this.feeAsset) this.feeAsset = null;
    this.feeSum = this.feeAsset === null ? null : sumOf(this.feeSum, trade.fee);
    this.pnlSum = sumOf(this.pnlSum, trade.rpnl);
  }

  get amount(): Amount | null {
    return this.amountOf(this.amountSum);
  }

  /** The average of several, rounded to 20 decimals. */
  get price(): Amount | null {
    if (this.notionalSum === null || !this.amountSum) return null;
    const notional = { integer: this.notionalSum, fraction: 2 * this.fraction };
    return divided(notional, { integer: this.amountSum, fraction: this.fraction });
  }

  get fee(): Amount | null {
    return this.amountOf(this.feeSum);
  }

  get pnl(): Amount | null {
    return this.amountOf(this.pnlSum);
  }

  get place(): LedgerPlace {
    return { history: 'trades', fields: { tradeId: this.tradeId, symbol: this.symbol } };
  }

  private amountOf(integer: bigint | null): Amount | null {
    return integer === null ? null : { integer, fraction: this.fraction };
  }
}

function notionalOf({ amount, price }: StoredTrade): bigint | null {
  return amount === null || price === null ? null : amount * price;
}

function sumOf(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || other === null ? null : one + other;
}
