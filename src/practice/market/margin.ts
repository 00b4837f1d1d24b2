import Big from 'big.js';
import { roundMoneyUp } from './money.ts';

/**
 * The initial margin of an isolated position: 1/leverage of its value at the base price. The
 * maintenance margin is half of that.
 */
export function initialMargin(amount: Big, price: Big, leverage: number): Big {
  return roundMoneyUp(amount.abs().times(price).div(leverage));
}

/** Both margins as percentages of the position's value. */
function marginPercents(leverage: number): { initial: Big; maintenance: Big } {
  return { initial: new Big(100).div(leverage), maintenance: new Big(50).div(leverage) };
}

/** Section 2.8 of the API document. */
type LeverageRule = {
  readonly leverage: number;
  readonly positionNotional: Big;
  readonly maintenanceMargin: Big;
  readonly initialMargin: Big;
};

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

/** One rule for each leverage level from 1. Margins are percentages with up to four decimals. */
export const leverageRules: readonly LeverageRule[] = notionals.map((notional, index) =>
  leverageRule(index + 1, notional),
);

function leverageRule(leverage: number, positionNotional: string): LeverageRule {
  const { initial, maintenance } = marginPercents(leverage);
  return {
    leverage,
    positionNotional: new Big(positionNotional),
    maintenanceMargin: maintenance.round(4, Big.roundHalfEven),
    initialMargin: initial.round(4, Big.roundHalfEven),
  };
}
