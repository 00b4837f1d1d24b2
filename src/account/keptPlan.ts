import { phrase } from '../base/phrase.ts';
import { SentenceError } from '../base/sentenceError.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import { longestPeriodMs, type Slice } from '../exchange/dialect/slices.ts';
import { keptFree, patienceMs } from '../exchange/ledger/priority.ts';
import type { WeightLedger } from '../exchange/ledger/weightLedger.ts';
import { planSlices, type SlicePlan, type SliceQuery } from './slicedPages.ts';
import { dayMs } from '../base/durations.ts';

type Kept = { readonly of: string; readonly at: number; readonly plan: SlicePlan };

/** A plan that was left longer than this begins anew: what it counted may have changed. */
const resumableMs = 5 * 60_000;

/** The slices of the newest query, kept from page to page and, while some are unread, from try to try. */
export class KeptPlan {
  private readonly client: ExchangeClient;
  private readonly ledger: Pick<WeightLedger, 'standing'>;
  private kept: Kept | undefined;

  constructor(client: ExchangeClient, ledger: Pick<WeightLedger, 'standing'>) {
    this.client = client;
    this.ledger = ledger;
  }

  /**
   * The slices to read a page of a query by. A first page begins anew, unless a try shortly before
   * failed halfway: what that one read is not asked again. Throws a SentenceError where so many
   * slices are more than the limit's share can pay for.
   */
  for({ page, ...query }: SliceQuery, weightOfOne: number): SlicePlan {
    const { dialect } = this.client;
    const now = this.client.serverNow();
    const of = JSON.stringify([query, dialect.maxRangeDays]);
    const elder = this.kept?.of === of ? this.kept : undefined;
    if (page > 0 && elder) return elder.plan;
    const terms = { dialect, weightOfOne, now };
    const plan = (elder && resumed(elder, query, now)) ?? planSlices(query, terms);
    this.refuseDear(plan, weightOfOne);
    this.kept = { of, at: now, plan };
    return plan;
  }

  /** A page that waits for the next minute again and again would leave no weight for anything else. */
  private refuseDear({ slices, rows }: SlicePlan, weightOfOne: number): void {
    const { dialect } = this.client;
    const { ours, windowMs } = this.ledger.standing;
    const most = Math.floor((ours - keptFree('interactive', ours)) / weightOfOne);
    const isShort = windowMs <= patienceMs('interactive');
    if (slices.length === 1 || isShort || most < 1 || slices.length - rows.size <= most) return;
    throw new SentenceError(
      phrase(
        'This exchange takes {0} days at once: so long a period would be {1} requests of weight {2} each, more than marginDesk.weightShare leaves of the limit in {3} s. Ask for {4} days at most.',
        dialect.maxRangeDays ?? '',
        slices.length,
        weightOfOne,
        windowMs / 1000,
        Math.floor((most * (longestPeriodMs(dialect) ?? dayMs)) / dayMs),
      ),
    );
  }
}

/** A plan of which a part was read, up to now; undefined where it is whole, or begins better anew. */
function resumed(
  { at, plan: { slices, rows } }: Kept,
  { dateTo }: Omit<SliceQuery, 'page'>,
  now: number,
): SlicePlan | undefined {
  if (rows.size === 0 || rows.size >= slices.length || now - at > resumableMs) return undefined;
  const isOver = (index: number): boolean => (slices[index]?.to ?? Infinity) <= at;
  const read = new Map([...rows].filter(([index]) => isOver(index)));
  return dateTo === undefined ? upTo(now, slices, read) : { slices, rows: read };
}

/** With one more slice for what has come since, at the end where the newest stand. */
function upTo(
  now: number,
  slices: SlicePlan['slices'],
  rows: SlicePlan['rows'],
): SlicePlan | undefined {
  const [first, last] = [slices[0], slices.at(-1)];
  if (!first || !last) return undefined;
  const isNewestFirst = first.to > last.to;
  const { to: from } = isNewestFirst ? first : last;
  const since: Slice = { from, to: Math.max(from, now) };
  if (!isNewestFirst) return { slices: [...slices, since], rows };
  const moved = [...rows].map(([index, own]) => [index + 1, own] as const);
  return { slices: [since, ...slices], rows: new Map(moved) };
}
