import Big from 'big.js';

/**
 * Money of the margin asset is booked, charged and locked in units of 10^-8: realised profit and
 * loss and fees are rounded half to even, locked amounts up. What is only valued and never booked
 * (upl, equity) is not rounded.
 */
const cashDecimals = 8;

export function booked(value: Big): Big {
  return value.round(cashDecimals, Big.roundHalfEven);
}

export function lockable(value: Big): Big {
  return value.round(cashDecimals, Big.roundUp);
}

export function total(values: readonly Big[]): Big {
  return values.reduce((sum, value) => sum.plus(value), new Big(0));
}
