import * as v from 'valibot';
import { covers, type Interval } from '../base/interval.ts';
import { secondMs } from '../base/time.ts';
import type {
  AnalysisCoverage,
  AnalysisOf,
  AnalysisRequest,
  AnalysisView,
} from '../ledger/analysis/analysis.ts';
import type { Checkpoint, LedgerHistory } from '../ledger/ledger.ts';
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

/** A long read meets the next write as well. */
const readAgainForMs = secondMs;

/**
 * Reads again if one of the histories was written meanwhile: the parts of what was read may be of two states. `written`:
 * those that were written the last time, too.
 */
export async function readWhole<Found>(
  { reader }: OpenAccount,
  read: () => Promise<Found>,
  historiesOf: (found: Found) => readonly LedgerHistory[],
): Promise<{ readonly found: Found; readonly written: readonly LedgerHistory[] }> {
  const giveUpAt = performance.now() + readAgainForMs;
  for (;;) {
    const before = await reader.versions();
    const found = await read();
    const after = await reader.versions();
    const written = historiesOf(found).filter((history) => before[history] !== after[history]);
    if (written.length === 0 || performance.now() > giveUpAt) return { found, written };
  }
}

/** Nothing is proved of what was written while it was read. */
export function gapsOf(written: readonly LedgerHistory[], period: Interval) {
  const reason = 'writtenWhileRead';
  return written.map((history) => {
    return { history, ...period, completeness: 'unknown', reason } as const;
  });
}

/** An analysis of one state of the ledger, or with a gap for each history that was written meanwhile. */
export async function analysed<View extends AnalysisView>(
  account: OpenAccount,
  asked: Omit<AnalysisRequest<View>, 'now'>,
): Promise<AnalysisOf<View>> {
  const request = { ...asked, now: account.now } as AnalysisRequest<View>;
  const { found, written } = await readWhole(
    account,
    () => account.reader.analyse(request),
    ({ coverage }) => coverage.byHistory.map(({ history }) => history),
  );
  const gaps = [...found.coverage.gaps, ...gapsOf(written, request.period)];
  return { ...found, coverage: { ...found.coverage, gaps } };
}

const mostGaps = 20;

/** Of rows of these histories in a period, as an analysis knows them. */
export async function knownOf(
  { reader, now }: OpenAccount,
  histories: readonly LedgerHistory[],
  { from, to }: Interval,
  analysed?: AnalysisCoverage,
  written: AnalysisCoverage['gaps'] = [],
): Promise<Known> {
  const coverage = analysed ?? (await reader.known(histories, { from, to }, now));
  const gaps = [...coverage.gaps, ...written];
  const complete = coverage.complete.find((each) => each.from <= from);
  const reads = coverage.byHistory.flatMap(({ asOf }) => asOf ?? []);
  const countOf = (rows: 'undatedRows' | 'lackingRows'): number =>
    (analysed?.byHistory ?? []).reduce((count, each) => count + each[rows], 0);
  const [rowsWithoutTime, rowsLackingFigures] = [countOf('undatedRows'), countOf('lackingRows')];
  const isRead =
    gaps.length === 0 &&
    complete !== undefined &&
    covers([complete], { from, to: Math.min(to, now) });
  return {
    // Of the history that was read longest ago.
    asOf: reads.length < coverage.byHistory.length ? null : Math.min(...reads),
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
