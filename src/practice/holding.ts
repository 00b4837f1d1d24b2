import Big from 'big.js';
import { booked } from './cash.ts';
import { basePriceDecimals, type Instrument } from './instruments.ts';
import type { Side } from './orders.ts';

/** What is held of one instrument: above zero long, below zero short. */
export type Holding = { readonly amount: Big; readonly basePrice: Big };

export type Deal = { readonly side: Side; readonly amount: Big; readonly price: Big };

export function nothingHeld(): Holding {
  return { amount: new Big(0), basePrice: new Big(0) };
}

/**
 * The holding after a deal that does not cross zero, and the profit or loss that it made real. A
 * holding that grows gets the amount-weighted mean as its base price, rounded half to even four
 * decimals beyond the tick; one that shrinks keeps its base price.
 */
export function afterDeal(
  held: Holding,
  deal: Deal,
  instrument: Instrument,
): { held: Holding; rpnl: Big } {
  const change = deal.side === 'BUY' ? deal.amount : deal.amount.neg();
  const amount = held.amount.plus(change);
  if (amount.abs().lt(held.amount.abs())) {
    const rpnl = booked(change.neg().times(deal.price.minus(held.basePrice)));
    return { held: amount.eq(0) ? nothingHeld() : { ...held, amount }, rpnl };
  }
  const paid = held.amount.times(held.basePrice).plus(change.times(deal.price));
  const basePrice = paid.div(amount).round(basePriceDecimals(instrument), Big.roundHalfEven);
  return { held: { amount, basePrice }, rpnl: new Big(0) };
}
