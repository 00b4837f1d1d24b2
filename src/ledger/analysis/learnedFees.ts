import { isZero } from '../../base/decimal.ts';
import { minTimesHeld } from '../reconciliation/learnedReading.ts';
import { fits, hasEnoughDigits, rateOf, type ComparedTrade } from './feeComparison.ts';
import { feeReadings, type FeeReading } from './feeReadings.ts';
import type { FeesAt } from './feeTimeline.ts';

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
    const holds = evidence.map((each) => holdsFor(each, reading));
    const held = holds.filter((each) => each).length;
    const failed = evidence.filter(({ at }, index) => at.isCertain && !holds[index]).length;
    return { reading, held, failed };
  });
  const best = Math.max(...judged.map(({ held }) => held));
  const fitting = judged.filter(({ held, failed }) => held > best - minTimesHeld && held > failed);
  return best >= minTimesHeld && fitting.length > 0 ? fitting.map(({ reading }) => reading) : null;
}

function holdsFor({ compared, at }: Evidence, reading: FeeReading): boolean {
  return at.known.some((known) =>
    fits(compared, reading, rateOf(compared.trade, known), known.discount),
  );
}
