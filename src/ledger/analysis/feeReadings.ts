import type { NumberText } from '../../base/decimal.ts';
import type { DiscountUnit } from './analysis.ts';
import { exact, less, times, type ExactAmount } from './exactAmount.ts';

/**
 * One way to read what the API document leaves open: whether a fee that is paid is positive, what the rates of
 * the fee table are, and what the discount of the account is.
 */
export type FeeReading = {
  readonly paidIs: 'positive' | 'negative';
  readonly ratesIn: 'shares' | 'percent';
  readonly discountIn: DiscountUnit;
  readonly discounts: 'all' | 'feesOnly';
};

const discountDigits: Readonly<Record<Exclude<DiscountUnit, 'none'>, number>> = {
  percent: 2,
  perMille: 3,
  basisPoints: 4,
};

const discountReadings: readonly Pick<FeeReading, 'discountIn' | 'discounts'>[] = [
  { discountIn: 'none', discounts: 'all' },
  ...(['percent', 'perMille', 'basisPoints'] as const).flatMap((discountIn) =>
    (['all', 'feesOnly'] as const).map((discounts) => ({ discountIn, discounts })),
  ),
];

/** The likeliest first. */
export const feeReadings: readonly FeeReading[] = (['positive', 'negative'] as const).flatMap(
  (paidIs) =>
    (['shares', 'percent'] as const).flatMap((ratesIn) =>
      discountReadings.map((discount) => ({ paidIs, ratesIn, ...discount })),
    ),
);

/** The fee of a value of 1 at this rate, as trades sign it. */
export function feeOfOne(
  { paidIs, ratesIn, discountIn, discounts }: FeeReading,
  rate: NumberText,
  discount: NumberText,
): ExactAmount {
  const share = ratesIn === 'percent' ? shifted(exact(rate), 2) : exact(rate);
  const signed = paidIs === 'positive' ? share : { ...share, integer: -share.integer };
  const isRebate = share.integer < 0n;
  if (discountIn === 'none' || (isRebate && discounts === 'feesOnly')) return signed;
  const off = shifted(exact(discount), discountDigits[discountIn]);
  return times(signed, less(exact('1'), off));
}

/** Divided by a power of 10. */
function shifted({ integer, fraction }: ExactAmount, digits: number): ExactAmount {
  return { integer, fraction: fraction + digits };
}
