import Big from 'big.js';

/**
 * Amounts of the margin asset have at most 8 decimals: realised profit and loss and fees are rounded
 * half to even, locked amounts up. Values that are only shown (upl, equity) are not rounded.
 */
const moneyDecimals = 8;

export function roundMoney(value: Big): Big {
  return value.round(moneyDecimals, Big.roundHalfEven);
}

export function sum(values: readonly Big[]): Big {
  return values.reduce((total, value) => total.plus(value), new Big(0));
}

/**
 * The initial margin of an isolated position: 1/leverage of its value at the base price. The
 * maintenance margin is half of that.
 */
export function initialMargin(amount: Big, price: Big, leverage: number): Big {
  return amount.abs().times(price).div(leverage).round(moneyDecimals, Big.roundUp);
}

/** The largest value of a position at leverage 1 to 10, in thousands. */
const notionals = [5000, 2500, 1500, 1000, 750, 500, 400, 300, 250, 200];

/** Section 2.8 of the API document: one rule for each leverage level from 1. */
export const leverageRules = notionals.map((thousands, index) => ({
  leverage: index + 1,
  positionNotional: new Big(thousands * 1000),
  maintenanceMargin: marginPercent(50, index + 1),
  initialMargin: marginPercent(100, index + 1),
}));

/** A percentage of the position's value, with up to four decimals. */
function marginPercent(unleveragedPercent: number, leverage: number): Big {
  return new Big(unleveragedPercent).div(leverage).round(4, Big.roundHalfEven);
}

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
