import Big from 'big.js';
import { onTick, type Instrument } from './instruments.ts';
import type { Side } from './orders.ts';
import type { Draws } from './random.ts';

/** What the auction asks for a lot: 0.2 to 2 % below the mark where it sells, above where it buys. */
export function auctionPrice(instrument: Instrument, side: Side, mark: Big, draws: Draws): Big {
  const discount = new Big(draws.whole(20, 200)).div(10_000);
  const share = new Big(1).plus(side === 'SELL' ? discount.neg() : discount);
  return onTick(instrument, mark.times(share));
}
