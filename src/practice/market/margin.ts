import Big from 'big.js';
import { roundMoneyUp } from './money.ts';

/**
 * The initial margin of an isolated position: 1/leverage of its value at the base price. The
 * maintenance margin is half of that.
 */
export function initialMargin(amount: Big, price: Big, leverage: number): Big {
  return roundMoneyUp(amount.abs().times(price).div(leverage));
}

/** The largest value of a position at leverage 1 to 10. */
const notionals = [
  '5000000',
  '2500000',
  '1500000',
  '1000000',
  '750000',
  '500000',
  '400000',
  '300000',
  '250000',
  '200000',
] as const;

/** Section 2.8 of the API document: one rule for each leverage level from 1. */
export const leverageRules = notionals.map((notional, index) => leverageRule(index + 1, notional));

function leverageRule(leverage: number, positionNotional: string) {
  return {
    leverage,
    positionNotional: new Big(positionNotional),
    maintenanceMargin: marginPercent(50, leverage),
    initialMargin: marginPercent(100, leverage),
  };
}

/** A percentage of the position's value, with up to four decimals. */
function marginPercent(unleveragedPercent: number, leverage: number): Big {
  return new Big(unleveragedPercent).div(leverage).round(4, Big.roundHalfEven);
}
