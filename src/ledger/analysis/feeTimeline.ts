import { isSame, type NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import { firstIndex } from '../../base/sorted.ts';
import { dayMs } from '../../base/time.ts';
import type { Checkpoint, FeeRates } from '../ledger.ts';

/** What a checkpoint says that trades cost. */
export type KnownFees = FeeRates & {
  readonly discount: NumberText;
  /** The fee table of that time. */
  readonly table: readonly FeeRates[];
};

export type FeesAt = {
  /** Those of the checkpoint before and after, or of the only one; one if they are the same. */
  readonly known: readonly KnownFees[];
  /** Whether the checkpoints before and after say the same. */
  readonly isAgreed: boolean;
  /** The same, and they are too near to each other for the tier to change and change back. */
  readonly isCertain: boolean;
};

type Moment = Interval & { readonly fees: KnownFees };

/** Tiers follow the volume of 30 days: within one, they do not change twice. */
const nearMs = dayMs;

/**
 * What trades cost at a moment, as the checkpoints have it, which are oldest first; undefined if none of them has
 * rates.
 */
export function feeTimeline(
  checkpoints: readonly Checkpoint[],
): (time: number) => FeesAt | undefined {
  const moments = momentsOf(checkpoints);
  return (time) => {
    let next = firstIndex(moments, ({ to }) => to <= time);
    const before = moments[next - 1];
    while ((moments[next]?.from ?? Infinity) < time) next += 1;
    const after = moments[next];
    if (!before || !after) {
      const only = before ?? after;
      return only && { known: [only.fees], isAgreed: false, isCertain: false };
    }
    const names = ['tier', 'maker', 'taker', 'discount'] as const;
    const isAgreed = names.every((name) => isSame(before.fees[name], after.fees[name]));
    return {
      known: isAgreed ? [after.fees] : [before.fees, after.fees],
      isAgreed,
      isCertain: isAgreed && after.from - before.to <= nearMs,
    };
  };
}

/** Those with rates; a table counts until another one was stored. */
function momentsOf(checkpoints: readonly Checkpoint[]): Moment[] {
  const moments: Moment[] = [];
  let table: readonly FeeRates[] = [];
  for (const { sentAt, answeredAt, clockErrorMs, fees } of checkpoints) {
    table = fees.table ?? table;
    if (!fees.rates || fees.discount === null) continue;
    moments.push({
      from: sentAt - clockErrorMs,
      to: answeredAt + clockErrorMs,
      fees: { ...fees.rates, discount: fees.discount, table },
    });
  }
  return moments;
}
