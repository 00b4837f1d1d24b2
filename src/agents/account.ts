import * as v from 'valibot';
import { covers, type Interval } from '../base/interval.ts';
import { secondMs } from '../base/time.ts';
import type {
  AnalysisCoverage,
  AnalysisOf,
  AnalysisRequest,
  AnalysisView,
} from '../ledger/analysis/analysis.ts';
import type { Checkpoint } from '../ledger/ledger.ts';
import type { LedgerClient } from '../ledger/ledgerClient.ts';

/** The account that a question is about. */
export type OpenAccount = {
  readonly reader: LedgerClient;
  /** Epoch milliseconds: what is later is not missing. */
  readonly now: number;
};

/** Parts of an answer, each of this schema or null. */
function all<Name extends string, Schema extends v.GenericSchema>(
  names: readonly Name[],
  schema: Schema,
) {
  const part = v.nullable(schema);
  return Object.fromEntries(names.map((name) => [name, part])) as Record<Name, typeof part>;
}

export const texts = <Name extends string>(...names: readonly Name[]) => all(names, v.string());
export const counts = <Name extends string>(...names: readonly Name[]) => all(names, v.number());

export const coverageSchema = v.strictObject({
  isComplete: v.boolean(),
  ...texts('completeTo'),
  ...counts('gapCount', 'rowsWithoutTime', 'rowsLackingFigures'),
  gaps: v.array(v.strictObject(texts('history', 'from', 'to', 'completeness', 'reason'))),
});

/** When the figures of an answer were true, and what is known of the rows that they are made of. */
export type Known = { readonly asOf: number | null; readonly coverage: object };

/** What is known of the rows of a period. */
type PeriodCoverage = Omit<AnalysisCoverage, 'recorded'>;

/** A long read meets the next write as well. */
const readAgainForMs = secondMs;

/**
 * Reads what is found together with its coverage, and again if one of its histories was written meanwhile: its parts may
 * be of two states. Nothing is proved of what was written the last time, too.
 */
export async function readWhole<Found extends { readonly coverage: PeriodCoverage }>(
  { reader }: OpenAccount,
  period: Interval,
  read: () => Promise<Found>,
): Promise<Found> {
  const giveUpAt = performance.now() + readAgainForMs;
  for (;;) {
    const before = await reader.versions();
    const found = await read();
    const after = await reader.versions();
    const { coverage } = found;
    const written = coverage.byHistory.filter(({ history }) => before[history] !== after[history]);
    if (written.length === 0) return found;
    if (performance.now() <= giveUpAt) continue;
    const unproved = written.map(({ history }) => ({ history, ...period, ...writtenWhileRead }));
    return { ...found, coverage: { ...coverage, gaps: [...coverage.gaps, ...unproved] } };
  }
}

const writtenWhileRead = { completeness: 'unknown', reason: 'writtenWhileRead' } as const;

/** An analysis of one state of the ledger, or with a gap for each history that was written meanwhile. */
export function analysed<View extends AnalysisView>(
  account: OpenAccount,
  asked: Omit<AnalysisRequest<View>, 'now'>,
): Promise<AnalysisOf<View>> {
  const request = { ...asked, now: account.now } as AnalysisRequest<View>;
  return readWhole(account, request.period, () => account.reader.analyse(request));
}

const mostGaps = 20;

/** Of rows of a period, by what was known of them when they were read. `hasUndated`: rows without a time are among them. */
export function knownOf(
  { complete: periods, byHistory, gaps }: PeriodCoverage,
  { from, to }: Interval,
  now: number,
  hasUndated = false,
): Known {
  const complete = periods.find((each) => each.from <= from);
  const reads = byHistory.flatMap(({ asOf }) => asOf ?? []);
  const countOf = (rows: 'undatedRows' | 'lackingRows'): number =>
    byHistory.reduce((count, each) => count + each[rows], 0);
  const rowsWithoutTime = hasUndated ? 0 : countOf('undatedRows');
  const rowsLackingFigures = countOf('lackingRows');
  const isRead =
    gaps.length === 0 &&
    complete !== undefined &&
    covers([complete], { from, to: Math.min(to, now) });
  return {
    // Of the history that was read longest ago.
    asOf: reads.length < byHistory.length ? null : Math.min(...reads),
    coverage: {
      isComplete: isRead && rowsWithoutTime + rowsLackingFigures === 0,
      completeTo: complete?.to ?? null,
      ...{ gapCount: gaps.length, rowsWithoutTime, rowsLackingFigures },
      gaps: gaps.slice(0, mostGaps),
    },
  };
}

/** Of a read of the account itself: it has no rows that may be missing, but may lack a list. */
export function knownAt(checkpoint: Checkpoint | null, list: unknown): Known {
  const asOf = checkpoint?.answeredAt ?? null;
  const none = { gapCount: 0, rowsWithoutTime: 0, rowsLackingFigures: 0, gaps: [] };
  return { asOf, coverage: { isComplete: Boolean(list), completeTo: asOf, ...none } };
}
