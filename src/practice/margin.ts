import Big from 'big.js';
import { lockable } from './cash.ts';
import type { Holding } from './holding.ts';
import { onTick, type Instrument } from './instruments.ts';

/**
 * The margin rules, isolated per position: the initial margin is 1/leverage of the value at the
 * base price, and the maintenance margin half of that.
 */
export function initialMargin(amount: Big, price: Big, leverage: number): Big {
  return lockable(amount.abs().times(price).div(leverage));
}

/** The same two as percentages of the value. */
export function marginPercents(leverage: number): { initial: Big; maintenance: Big } {
  return { initial: new Big(100).div(leverage), maintenance: new Big(50).div(leverage) };
}

/** Where the loss has eaten the margin down to the maintenance margin: below a long, above a short. */
export function liquidationPrice(held: Holding, leverage: number, instrument: Instrument): Big {
  const room = held.basePrice.div(2 * leverage);
  const price = held.amount.gt(0) ? held.basePrice.minus(room) : held.basePrice.plus(room);
  return onTick(instrument, price);
}
