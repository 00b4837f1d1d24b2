import Big from 'big.js';

/**
 * Amounts of the margin asset have at most 8 decimals: realised profit and loss and fees are rounded
 * half to even, locked amounts up. Values that are only shown (upl, equity) are not rounded.
 */
const moneyDecimals = 8;

export function roundMoney(value: Big): Big {
  return value.round(moneyDecimals, Big.roundHalfEven);
}

export function roundMoneyUp(value: Big): Big {
  return value.round(moneyDecimals, Big.roundUp);
}

export function sum(values: readonly Big[]): Big {
  return values.reduce((total, value) => total.plus(value), new Big(0));
}
