import Big from 'big.js';
import {
  basePriceDecimals,
  roundToTick,
  type Instrument,
  type Side,
} from '../market/instruments.ts';
import { initialMargin, roundMoney } from '../market/tradingRules.ts';

/** An amount of one instrument (positive: long, negative: short) and its average entry price. */
export type NetPosition = { readonly amount: Big; readonly basePrice: Big };

type Fill = { readonly side: Side; readonly amount: Big; readonly price: Big };

export function flatPosition(): NetPosition {
  return { amount: new Big(0), basePrice: new Big(0) };
}

/**
 * The position after a fill that does not cross zero, and the realised profit or loss. When the
 * position increases, its base price becomes the average price weighted by amount, rounded half to
 * even; when it decreases, the base price stays.
 */
export function applyFill(
  position: NetPosition,
  fill: Fill,
  instrument: Instrument,
): { position: NetPosition; rpnl: Big } {
  const change = fill.side === 'BUY' ? fill.amount : fill.amount.neg();
  const amount = position.amount.plus(change);
  if (amount.abs().lt(position.amount.abs())) {
    const rpnl = roundMoney(change.neg().times(fill.price.minus(position.basePrice)));
    return { position: amount.eq(0) ? flatPosition() : { ...position, amount }, rpnl };
  }
  const paid = position.amount.times(position.basePrice).plus(change.times(fill.price));
  const basePrice = paid.div(amount).round(basePriceDecimals(instrument), Big.roundHalfEven);
  return { position: { amount, basePrice }, rpnl: new Big(0) };
}

/** The price at which the loss leaves only the maintenance margin. */
export function liquidationPrice(
  { amount, basePrice }: NetPosition,
  leverage: number,
  instrument: Instrument,
): Big {
  const distance = basePrice.div(2 * leverage);
  const price = amount.gt(0) ? basePrice.minus(distance) : basePrice.plus(distance);
  return roundToTick(instrument, price);
}

/**
 * Section 2.6 of the API document: the position at a mark price. `upl` is exact; `uplPercentage` is a share
 * of the margin, to two decimals.
 */
export function positionAt(
  markPrice: Big,
  position: NetPosition,
  leverage: number,
  instrument: Instrument,
) {
  const { amount, basePrice } = position;
  const upl = amount.times(markPrice.minus(basePrice));
  const lockedBalance = initialMargin(amount, basePrice, leverage);
  return {
    symbol: instrument.symbol,
    amount,
    basePrice,
    markPrice,
    upl,
    uplPercentage: upl.times(100).div(lockedBalance).round(2, Big.roundHalfEven),
    leverage,
    marginMode: 'ISOLATED',
    lockedBalance,
    liquidationPrice: liquidationPrice(position, leverage, instrument),
  };
}

export type Position = ReturnType<typeof positionAt>;
