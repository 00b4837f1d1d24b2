import Big from 'big.js';
import { marginPercents } from './margin.ts';

/** Section 2.8 of the interface document. */
export type LeverageRule = {
  readonly leverage: number;
  readonly positionNotional: Big;
  readonly maintenanceMargin: Big;
  readonly initialMargin: Big;
};

/** The largest value of a position, from leverage 1 to leverage 10. */
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

/** The rule of each leverage level from 1; margins in percent, to four decimals. */
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
