import { isSame, type NumberText } from '../../base/decimal.ts';
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

type Moment = { readonly from: number; readonly to: number; readonly fees: KnownFees };

/** Tiers follow the volume of 30 days: within one, they do not change twice. */
const nearMs = dayMs;

/** What trades cost over time, as the checkpoints have it. */
export class FeeTimeline {
  private readonly moments: readonly Moment[];

  /** `checkpoints` are oldest first. */
  constructor(checkpoints: readonly Checkpoint[]) {
    this.moments = momentsOf(checkpoints);
  }

  /** Undefined if no checkpoint has rates. */
  at(time: number): FeesAt | undefined {
    const { moments } = this;
    const index = firstAfter(moments, time);
    const before = moments[index - 1];
    const after = firstFrom(moments, index, time);
    if (!before || !after) {
      const only = before ?? after;
      return only && { known: [only.fees], isAgreed: false, isCertain: false };
    }
    const isAgreed = isSameFees(before.fees, after.fees);
    return {
      known: isAgreed ? [after.fees] : [before.fees, after.fees],
      isAgreed,
      isCertain: isAgreed && after.from - before.to <= nearMs,
    };
  }
}

/** Those with rates; a table counts until another one was stored. */
function momentsOf(checkpoints: readonly Checkpoint[]): Moment[] {
  const moments: Moment[] = [];
  let table: readonly FeeRates[] = [];
  for (const { sentAt, answeredAt, clockErrorMs, fees } of checkpoints) {
    table = fees?.table ?? table;
    if (!fees?.rates || fees.discount === null) continue;
    moments.push({
      from: sentAt - clockErrorMs,
      to: answeredAt + clockErrorMs,
      fees: { ...fees.rates, discount: fees.discount, table },
    });
  }
  return moments;
}

function isSameFees(one: KnownFees, other: KnownFees): boolean {
  return (['tier', 'maker', 'taker', 'discount'] as const).every((name) =>
    isSame(one[name], other[name]),
  );
}

/** The first moment from this index on that does not begin before a time. */
function firstFrom(moments: readonly Moment[], index: number, time: number): Moment | undefined {
  let next = index;
  while ((moments[next]?.from ?? Infinity) < time) next += 1;
  return moments[next];
}

/** The index of the first moment that does not end before or at a time. */
function firstAfter(moments: readonly Moment[], time: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((moments[middle]?.to ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
