import { isZero, quotient } from '../../base/decimal.ts';
import type { FeeDeviation, UndecidedFee } from './analysis.ts';
import { signOf, textOf } from './exactAmount.ts';
import {
  billedAs,
  expectedFee,
  fits,
  overcharge,
  rateOf,
  type ComparedTrade,
  type FeeReading,
  type LearnedFees,
} from './feeReadings.ts';
import { decimalsAt, isBeyond, type Precision } from './feeRounding.ts';
import type { FeesAt, KnownFees } from './feeTimeline.ts';

export type FeeJudgement = 'asExpected' | UndecidedFee | FeeDeviation;

type Outcome = 'fits' | 'dearer' | 'cheaper' | 'unclear';

export type JudgeOptions = {
  readonly learned: LearnedFees;
  /** How the fees around the trade are rounded; undefined if that is not known. Asked only where it matters. */
  readonly precisionAround: () => Precision | undefined;
  /** The highest precision that fees of an asset were seen with. */
  readonly highestPrecision: (feeAsset: string) => Precision;
};

export function judgeFee(
  compared: ComparedTrade,
  at: FeesAt | undefined,
  options: JudgeOptions,
): FeeJudgement {
  const { trade, value } = compared;
  if (signOf(value) === 0) return 'noValue';
  if (!at) return 'noRates';
  const outcomes: Outcome[] = [];
  for (const known of at.known) {
    const readings = readingsFor(known, options.learned);
    if (!readings) return isZero(known.discount) ? 'notLearned' : 'unknownDiscount';
    const [outcome, ...others] = new Set(
      readings.map((reading) => outcomeOf(compared, reading, known, options)),
    );
    if (outcome === undefined || others.length > 0) return 'unknownDiscount';
    outcomes.push(outcome);
  }
  if (outcomes.includes('fits')) return 'asExpected';
  if (outcomes.includes('unclear')) return 'unknownRounding';
  if (trade.type !== 'ORDER_BOOK') return 'otherType';
  return deviation(compared, at, outcomes, options.learned);
}

/** No rate that is known explains the fee. */
function deviation(
  compared: ComparedTrade,
  at: FeesAt,
  outcomes: readonly Outcome[],
  learned: LearnedFees,
): FeeJudgement {
  const [known] = at.known;
  const [verdict, ...others] = new Set(outcomes);
  const reading = known && readingsFor(known, learned)?.[0];
  const isOneSided = at.isAgreed || at.known.length === 2;
  if (!known || !reading || !isOneSided || others.length > 0) return 'unknownTier';
  if (verdict !== 'dearer' && verdict !== 'cheaper') return 'unknownTier';
  // The account may have been in another tier for a time.
  const isOfOtherTier = ({ table, discount }: KnownFees): boolean =>
    table.some((rates) => fits(compared, reading, rates, discount));
  if (!at.isCertain && at.known.some(isOfOtherTier)) return 'unknownTier';
  const rate = rateOf(compared.trade, known);
  const expected = expectedFee(compared, reading, rate, known.discount);
  return {
    kind: verdict,
    trade: compared.trade,
    rate,
    tier: known.tier,
    impliedRate: quotient(compared.trade.fee, textOf(compared.value)),
    expected: textOf(expected),
    overcharge: textOf(overcharge(compared, reading, expected)),
    billedAs: billedAs(compared, reading, known),
  };
}

function outcomeOf(
  compared: ComparedTrade,
  reading: FeeReading,
  known: KnownFees,
  { precisionAround, highestPrecision }: JudgeOptions,
): Outcome {
  const { trade, decimals } = compared;
  const expected = expectedFee(compared, reading, rateOf(trade, known), known.discount);
  const difference = overcharge(compared, reading, expected);
  const direction = signOf(difference) > 0 ? 'dearer' : 'cheaper';
  if (isBeyond(difference, decimals)) return direction;
  // The fee may have been written without the zeros at its end: then it was rounded to more decimals.
  const explains = (precision: Precision): boolean =>
    !isBeyond(difference, decimalsAt(trade.fee, precision));
  if (explains(highestPrecision(trade.feeAsset))) return 'fits';
  const around = precisionAround();
  if (around === undefined) return 'unclear';
  return explains(around) ? 'fits' : direction;
}

function readingsFor(
  { discount }: KnownFees,
  { withoutDiscount, withDiscount }: LearnedFees,
): readonly FeeReading[] | null {
  return isZero(discount) ? withoutDiscount : withDiscount;
}
