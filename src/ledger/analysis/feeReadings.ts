import {
  absolute,
  amountOf,
  fractionDigits,
  isSame,
  isZero,
  less,
  negative,
  plain,
  signOf,
  times,
  type Amount,
  type NumberText,
} from '../../base/decimal.ts';
import type { Trade } from '../../exchange/records.ts';
import { minTimesHeld, type FeeRates } from '../ledger.ts';
import type { AuditedTrade, DiscountUnit, FeeRateUnit } from './analysis.ts';
import type { FeesAt, KnownFees } from './feeTimeline.ts';

/**
 * One way to read what the API document leaves open: whether a fee that is paid is positive, what the rates of
 * the fee table are, and what the discount of the account is.
 */
export type FeeReading = {
  readonly paidIs: 'positive' | 'negative';
  readonly ratesIn: FeeRateUnit;
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
const feeReadings: readonly FeeReading[] = (['positive', 'negative'] as const).flatMap((paidIs) =>
  (['shares', 'percent'] as const).flatMap((ratesIn) =>
    discountReadings.map((discount) => ({ paidIs, ratesIn, ...discount })),
  ),
);

/** Divided by a power of 10. */
function shifted({ integer, fraction }: Amount, digits: number): Amount {
  return { integer, fraction: fraction + digits };
}

export function isAudited(trade: Trade): trade is AuditedTrade {
  const { amount, price, fee, feeAsset, maker } = trade;
  return ![amount, price, fee, feeAsset, maker].includes(null);
}

/** A trade with what its comparisons share. */
export type ComparedTrade = {
  readonly trade: AuditedTrade;
  readonly value: Amount;
  readonly fee: Amount;
  /** To how many decimals its fee was rounded at least. */
  readonly decimals: number;
};

export function comparedTrade(trade: AuditedTrade): ComparedTrade {
  return {
    trade,
    value: times(amountOf(trade.amount), amountOf(trade.price)),
    fee: amountOf(trade.fee),
    decimals: writtenDecimals(trade.fee),
  };
}

export function rateOf({ maker }: Pick<AuditedTrade, 'maker'>, rates: FeeRates): NumberText {
  return maker ? rates.maker : rates.taker;
}

/** The fee as the rate, the discount and the reading give it, as trades sign it, before it is rounded. */
export function expectedFee(
  { value }: ComparedTrade,
  { paidIs, ratesIn, discountIn, discounts }: FeeReading,
  rate: NumberText,
  discount: NumberText,
): Amount {
  const share = shifted(amountOf(rate), ratesIn === 'percent' ? 2 : 0);
  const undiscounted = times(value, paidIs === 'positive' ? share : negative(share));
  const isRebate = signOf(share) < 0;
  if (discountIn === 'none' || (isRebate && discounts === 'feesOnly')) return undiscounted;
  const off = shifted(amountOf(discount), discountDigits[discountIn]);
  return times(undiscounted, less(amountOf('1'), off));
}

/** What was paid too much; negative if it was too little. */
export function overcharge(
  { fee }: ComparedTrade,
  { paidIs }: FeeReading,
  expected: Amount,
): Amount {
  return paidIs === 'positive' ? less(fee, expected) : less(expected, fee);
}

/** Whether rounding explains what the fee is, under rates that the account may have. */
export function fits(
  compared: ComparedTrade,
  reading: FeeReading,
  rates: FeeRates,
  discount: NumberText,
  maker = compared.trade.maker,
): boolean {
  const expected = expectedFee(compared, reading, rateOf({ maker }, rates), discount);
  return !isBeyond(less(compared.fee, expected), compared.decimals);
}

/** Whether a fee can tell readings apart: a fee of few digits fits nearly all of them. */
function hasEnoughDigits({ fee, decimals }: ComparedTrade): boolean {
  return isBeyond(fee, decimals - 1);
}

/** The tier and side whose rate explains a fee, if it is not that of the account. */
export function billedAs(
  compared: ComparedTrade,
  reading: FeeReading,
  { tier, table, discount }: KnownFees,
): { readonly tier: NumberText; readonly maker: boolean } | null {
  if (!hasEnoughDigits(compared)) return null;
  const { maker: own } = compared.trade;
  for (const maker of [own, !own])
    for (const rates of table)
      if (
        !(maker === own && isSame(rates.tier, tier)) &&
        fits(compared, reading, rates, discount, maker)
      )
        return { tier: rates.tier, maker };
  return null;
}

/** A trade whose fee is compared with every reading. */
type Evidence = { readonly compared: ComparedTrade; readonly at: FeesAt };

/**
 * The readings that fit best, which may be several that say the same of nearly everything that was seen. Null if
 * none held often enough.
 */
export type LearnedFees = {
  readonly withoutDiscount: readonly FeeReading[] | null;
  readonly withDiscount: readonly FeeReading[] | null;
};

export function learnFees(evidence: readonly Evidence[]): LearnedFees {
  const conclusive = evidence.filter(({ compared }) => hasEnoughDigits(compared));
  const isDiscounted = ({ at }: Evidence): boolean =>
    at.known.some(({ discount }) => !isZero(discount));
  const discounted = conclusive.filter(isDiscounted);
  const plain = conclusive.filter((each) => !isDiscounted(each));
  const withoutDiscount = learn(plain, feeReadings);
  const withDiscount = learn(discounted, withoutDiscount ?? feeReadings);
  return { withoutDiscount: distinct(withoutDiscount ?? withDiscount), withDiscount };
}

/** Without a discount, readings that differ only in it are the same. */
function distinct(readings: readonly FeeReading[] | null): readonly FeeReading[] | null {
  if (!readings) return null;
  const byRest = readings.map((each) => [`${each.paidIs} ${each.ratesIn}`, each] as const);
  return [...new Map(byRest).values()];
}

/**
 * A reading has to hold more often than it fails, where it is known what the tier was. Another one is excluded
 * once it held that much less often than the best one.
 */
function learn(
  evidence: readonly Evidence[],
  readings: readonly FeeReading[],
): readonly FeeReading[] | null {
  const judged = readings.map((reading) => {
    const holds = evidence.map(({ compared, at }) =>
      at.known.some((known) => fits(compared, reading, known, known.discount)),
    );
    const held = holds.filter((each) => each).length;
    const failed = evidence.filter(({ at }, index) => at.isCertain && !holds[index]).length;
    return { reading, held, failed };
  });
  const best = Math.max(...judged.map(({ held }) => held));
  const fitting = judged.filter(({ held, failed }) => held > best - minTimesHeld && held > failed);
  return best >= minTimesHeld && fitting.length > 0 ? fitting.map(({ reading }) => reading) : null;
}

/** How many digits a number keeps in binary floating point: with more, it may be the nearest representable one. */
const exactDigits = 15;
/** How many fees before and after a fee show how it was rounded. */
export const neighbourCount = 9;
/** The fewest of them whose last digit is written: one in ten ends in 0, which is not written. */
const fewestWithDigits = 7;

/** How fees are rounded: to at least `decimals` decimals, or to `digits` significant digits. */
export type Precision = { readonly decimals: number; readonly digits: number };

/** To how many decimals a fee was rounded at least: those that it is written with. */
function writtenDecimals(fee: NumberText): number {
  return lastDecimal(fee) - Math.max(0, significantDigits(fee) - exactDigits);
}

/** The highest precision that any of these fees is written with. */
export function highestPrecision(fees: readonly NumberText[]): Precision {
  return {
    decimals: Math.max(0, ...fees.map(writtenDecimals)),
    digits: Math.max(0, ...fees.map(significantDigits)),
  };
}

/**
 * The precision that most of the neighbours of a fee are written with. It may change: only what holds before and
 * after a fee holds for it. Undefined if there are not enough neighbours.
 */
export function neighbourPrecision({
  before,
  after,
}: Readonly<Record<'before' | 'after', readonly NumberText[]>>): Precision | undefined {
  if (Math.min(before.length, after.length) < fewestWithDigits) return undefined;
  const held = (count: (fee: NumberText) => number): number =>
    Math.min(...[before, after].map((fees) => heldByMost(fees.map(count))));
  return { decimals: held(writtenDecimals), digits: held(significantDigits) };
}

/** To how many decimals a fee was rounded at least if fees have this precision. */
export function decimalsAt(fee: NumberText, { decimals, digits }: Precision): number {
  const written = writtenDecimals(fee);
  // Rounding to significant digits never makes a fee 0.
  if (isZero(fee)) return Math.max(written, decimals);
  return Math.max(written, Math.min(decimals, Math.min(digits, exactDigits) - wholeDigits(fee)));
}

/**
 * Whether a number differs from 0 by more than a unit of this decimal. No rounding does, not even upwards after
 * arithmetic that was not exact.
 */
export function isBeyond(amount: Amount, decimals: number): boolean {
  const size = signOf(amount) < 0 ? negative(amount) : amount;
  return signOf(less(size, { integer: 1n, fraction: decimals })) > 0;
}

function heldByMost(counts: readonly number[]): number {
  return counts.toSorted((one, other) => other - one)[fewestWithDigits - 1] ?? 0;
}

/** The place of the last digit. The zeros at the end of a whole number may be there for its size only. */
function lastDecimal(text: NumberText): number {
  const zeros = /^-?\d*[1-9](0+)$/.exec(plain(text))?.[1] ?? '';
  return zeros === '' ? fractionDigits(text) : -zeros.length;
}

function significantDigits(text: NumberText): number {
  return isZero(text) ? 0 : lastDecimal(text) + wholeDigits(text);
}

/** How many digits stand before the point; negative by the zeros after it. */
function wholeDigits(text: NumberText): number {
  const [whole = '', fraction = ''] = absolute(text).split('.');
  return whole === '0' ? -fraction.replace(/[1-9].*$/, '').length : whole.length;
}
