import Big from 'big.js';
import { total } from './cash.ts';
import type { Holding } from './holding.ts';
import type { Instrument } from './instruments.ts';
import { initialMargin, liquidationPrice } from './margin.ts';

/** Section 2.6 of the interface document. */
export type Position = {
  readonly symbol: string;
  readonly amount: Big;
  readonly basePrice: Big;
  readonly markPrice: Big;
  readonly upl: Big;
  readonly uplPercentage: Big;
  readonly leverage: number;
  readonly marginMode: 'ISOLATED';
  readonly lockedBalance: Big;
  readonly liquidationPrice: Big;
};

/** A holding at a mark price: `upl` is exact, `uplPercentage` is of the margin, to two decimals. */
export function positionAt(
  markPrice: Big,
  held: Holding,
  leverage: number,
  instrument: Instrument,
): Position {
  const upl = held.amount.times(markPrice.minus(held.basePrice));
  const lockedBalance = initialMargin(held.amount, held.basePrice, leverage);
  return {
    symbol: instrument.symbol,
    ...held,
    markPrice,
    upl,
    uplPercentage: upl.times(100).div(lockedBalance).round(2, Big.roundHalfEven),
    leverage,
    marginMode: 'ISOLATED',
    lockedBalance,
    liquidationPrice: liquidationPrice(held, leverage, instrument),
  };
}

export function totalUpl(positions: readonly Position[]): Big {
  return total(positions.map(({ upl }) => upl));
}
