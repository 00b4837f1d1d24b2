import Big from 'big.js';
import { booked } from './cash.ts';

/** The tier that the account is in, and its rates; a negative rate is a rebate. */
export const feeTier = { tier: 1, discount: 0, maker: '-0.0001', taker: '0.0005' } as const;

/** What a trade of this value costs; below zero when the account is paid. */
export function tradeFee(notional: Big, maker: boolean): Big {
  return booked(notional.times(maker ? feeTier.maker : feeTier.taker));
}
