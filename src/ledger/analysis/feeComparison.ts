import { isSame, type NumberText } from '../../base/decimal.ts';
import type { Trade } from '../../exchange/records.ts';
import type { FeeRates } from '../ledger.ts';
import type { AuditedTrade } from './analysis.ts';
import { exact, less, times, type ExactAmount } from './exactAmount.ts';
import { feeOfOne, type FeeReading } from './feeReadings.ts';
import type { KnownFees } from './feeTimeline.ts';
import { isBeyond, writtenDecimals } from './feeRounding.ts';

export function isAudited(trade: Trade): trade is AuditedTrade {
  const { amount, price, fee, feeAsset, maker } = trade;
  return ![amount, price, fee, feeAsset, maker].includes(null);
}

/** A trade with what its comparisons share. */
export type ComparedTrade = {
  readonly trade: AuditedTrade;
  readonly value: ExactAmount;
  readonly fee: ExactAmount;
  /** To how many decimals its fee was rounded at least. */
  readonly decimals: number;
};

export function comparedTrade(trade: AuditedTrade): ComparedTrade {
  return {
    trade,
    value: times(exact(trade.amount), exact(trade.price)),
    fee: exact(trade.fee),
    decimals: writtenDecimals(trade.fee),
  };
}

export function rateOf({ maker }: Pick<AuditedTrade, 'maker'>, rates: FeeRates): NumberText {
  return maker ? rates.maker : rates.taker;
}

/** The fee as the rate, the discount and the reading give it, before it is rounded. */
export function expectedFee(
  { value }: ComparedTrade,
  reading: FeeReading,
  rate: NumberText,
  discount: NumberText,
): ExactAmount {
  return times(value, feeOfOne(reading, rate, discount));
}

/** What was paid too much; negative if it was too little. */
export function overcharge(
  { fee }: ComparedTrade,
  { paidIs }: FeeReading,
  expected: ExactAmount,
): ExactAmount {
  return paidIs === 'positive' ? less(fee, expected) : less(expected, fee);
}

/** Whether rounding explains what the fee is. */
export function fits(
  compared: ComparedTrade,
  reading: FeeReading,
  rate: NumberText,
  discount: NumberText,
): boolean {
  const expected = expectedFee(compared, reading, rate, discount);
  return !isBeyond(less(compared.fee, expected), compared.decimals);
}

/** Whether a fee can tell readings apart: a fee of few digits fits nearly all of them. */
export function hasEnoughDigits({ fee, decimals }: ComparedTrade): boolean {
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
        fits(compared, reading, rateOf({ maker }, rates), discount)
      )
        return { tier: rates.tier, maker };
  return null;
}
