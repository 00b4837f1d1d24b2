import Big from 'big.js';
import { roundMoney } from './money.ts';

/** The tier that matches the account's trading volume. */
const accountTier = tier(3, { volume30D: '2000000', maker: '-0.0001', taker: '0.0005' });

/** The account's tier and discount level. */
export const accountFees = { tier: accountTier.tier, discount: 0 } as const;

/** Section 2.9 of the API document: the fee tiers, from 0. A negative rate is a rebate. */
export const feeTiers = [
  tier(0, { volume30D: '0', maker: '0.0002', taker: '0.0008' }),
  tier(1, { volume30D: '100000', maker: '0.0001', taker: '0.0007' }),
  tier(2, { volume30D: '500000', maker: '0', taker: '0.0006' }),
  accountTier,
  tier(4, { volume30D: '10000000', maker: '-0.00015', taker: '0.00045' }),
  tier(5, { volume30D: '50000000', maker: '-0.0002', taker: '0.0004' }),
];

const liquidationRate = '0.005';

/** The fee of a trade of this value; negative for a rebate. */
export function tradeFee(notional: Big, maker: boolean): Big {
  return roundMoney(notional.times(maker ? accountTier.maker : accountTier.taker));
}

/** The fee for the liquidation of a position of this value, in addition to the trading fees. */
export function liquidationFee(notional: Big): Big {
  return roundMoney(notional.times(liquidationRate));
}

/** Rates are shares of a trade's value. */
function tier(number: number, texts: { volume30D: string; maker: string; taker: string }) {
  return {
    tier: number,
    maker: new Big(texts.maker),
    volume30D: new Big(texts.volume30D),
    taker: new Big(texts.taker),
  };
}
