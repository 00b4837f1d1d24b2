import { accountTypes } from '../../api/operations.ts';
import { intersection, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import type { AccountType } from '../../exchange/records.ts';
import type { AnalysisReader } from '../../ledger/analysis/analysis.ts';
import { completeIn, type CoveragePart } from '../../ledger/coverage/coverageParts.ts';
import {
  type IdentityReport,
  type ReconciliationReport,
  type SubjectReport,
  type Checkpoint,
  type LedgerReader,
  type LedgerHistory,
  ledgerHistoryNames,
  type Coverage,
  type LedgerWriter,
} from '../../ledger/ledger.ts';
import { bracketOf } from '../../ledger/reconciliation/bracket.ts';

/** A month of a zone's calendar. */
export type StatementMonth = Interval & {
  /** `2026-10`. */
  readonly name: string;
  readonly zone: TimeZone;
  /** Its first day, and the first of the next month, in days since 1970. */
  readonly firstDay: number;
  readonly endDay: number;
};

export function monthAt(epochMs: number, zone: TimeZone): StatementMonth {
  const local = new Date(zone.toLocalMs(epochMs));
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const [first, end] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
  return {
    name: dateText(first / dayMs).slice(0, -3),
    zone,
    from: zone.toEpochMs(first),
    to: zone.toEpochMs(end),
    firstDay: first / dayMs,
    endDay: end / dayMs,
  };
}

export function monthBefore({ from, zone }: StatementMonth): StatementMonth {
  return monthAt(from - 1, zone);
}

/** The months that a period touches, newest first. */
export function monthsOf({ from, to }: Interval, zone: TimeZone): readonly StatementMonth[] {
  const months: StatementMonth[] = [];
  if (to <= from) return months;
  for (let month = monthAt(to - 1, zone); month.to > from; month = monthBefore(month))
    months.push(month);
  return months;
}

/** `2026-10-01` of a day, in days since 1970. */
export function dateText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, -14);
}

/**
 * The day of the month on which an instant is, not before `earliest`: where clocks are set back at midnight,
 * an evening comes twice, and a date would follow a later one.
 */
export function dayIn(
  { zone, firstDay, endDay }: StatementMonth,
  epochMs: number,
  earliest: number,
) {
  const day = Math.floor(zone.toLocalMs(epochMs) / dayMs);
  return Math.min(Math.max(day, firstDay, earliest), endDay - 1);
}

/** The verdict of the reconciliation on one asset or symbol in a month. */
export type MonthVerdict = Pick<IdentityReport, 'identity' | 'reading'> &
  Pick<SubjectReport, 'subject' | 'verdict' | 'reason' | 'contradictions'>;

/** The part of a report that is about a month: what is outside of it changes nothing. */
export function monthVerdicts(
  report: ReconciliationReport,
  month: Interval,
): readonly MonthVerdict[] {
  return report.flatMap((identity) =>
    identity.subjects.map((subject): MonthVerdict => {
      const contradictions = subject.contradictions.filter(
        ({ from, to }) => from < month.to && to > month.from,
      );
      return {
        identity: identity.identity,
        reading: identity.reading,
        subject: subject.subject,
        ...verdictOf(identity, subject, month, contradictions.length > 0),
        contradictions,
      };
    }),
  );
}

function verdictOf(
  { applicability, covered }: IdentityReport,
  { held, periods, reason }: SubjectReport,
  month: Interval,
  isContradicted: boolean,
): Pick<MonthVerdict, 'verdict' | 'reason'> {
  if (applicability === 'doesNotApply') return { verdict: 'undecided', reason: 'doesNotApply' };
  if (applicability === 'undecided') return { verdict: 'undecided', reason: 'notLearned' };
  if (isContradicted) return { verdict: 'contradicted', reason: null };
  // Without a balance to compare with, the records of a covered month agree with one another.
  const proving: readonly Interval[] = periods.length > 0 ? periods : held > 0 ? covered : [];
  const isProved = proving.some(({ from, to }) => from <= month.from && to >= month.to);
  return isProved
    ? { verdict: 'proved', reason: null }
    : { verdict: 'undecided', reason: reason ?? 'notCovered' };
}

/** What the exchange said of the account last before a moment, and first after it. */
export type NearestCheckpoints = {
  readonly before: Checkpoint | null;
  readonly after: Checkpoint | null;
};

/** Of the times that are looked through at first; while they have no checkpoint, longer ones. */
const firstSpanMs = dayMs / 4;
const longestSpanMs = 40_000 * dayMs;

/** The whole bracket of a checkpoint lies before the moment, or after it. */
export async function nearestCheckpoints(
  reader: Pick<LedgerReader, 'checkpoints'>,
  moment: number,
): Promise<NearestCheckpoints> {
  const before = await nearest((spanMs) =>
    reader
      .checkpoints({ from: moment - spanMs, to: moment })
      .then((all) => all.findLast((checkpoint) => bracketOf(checkpoint).to <= moment)),
  );
  const after = await nearest((spanMs) =>
    reader
      .checkpoints({ from: moment, to: moment + spanMs })
      .then((all) => all.find((checkpoint) => bracketOf(checkpoint).from >= moment)),
  );
  return { before, after };
}

async function nearest(
  find: (spanMs: number) => Promise<Checkpoint | undefined>,
): Promise<Checkpoint | null> {
  for (let spanMs = firstSpanMs; spanMs <= longestSpanMs; spanMs *= 8) {
    const found = await find(spanMs);
    if (found) return found;
  }
  return null;
}

/** The balance of an asset where the month begins. */
export type OpeningBalance = {
  readonly accountType: AccountType;
  readonly asset: string;
  readonly amount: string;
};

/** The balances where a month begins, as far as they follow from the deposited balance of a checkpoint. */
export async function openingBalances(
  reader: AnalysisReader,
  moment: number,
): Promise<readonly OpeningBalance[]> {
  const period = { from: moment, to: moment };
  const calendar = { zone: 'UTC', groupBy: 'day', splitBy: 'asset' } as const;
  const openings: OpeningBalance[] = [];
  for (const account of accountTypes) {
    const asked = { view: 'cash', period, now: moment, account, ...calendar } as const;
    for (const { basis, asset, opening } of (await reader.analyse(asked)).curves)
      if (basis === 'deposited') openings.push({ accountType: account, asset, amount: opening });
  }
  return openings;
}

/** What was ever read of a history. */
export type ReadHistory = { readonly history: LedgerHistory; readonly reads: readonly Coverage[] };

export async function readHistories(
  writer: Pick<LedgerWriter, 'coverage'>,
): Promise<readonly ReadHistory[]> {
  const histories: ReadHistory[] = [];
  for (const history of ledgerHistoryNames)
    histories.push({ history, reads: await writer.coverage(history) });
  return histories;
}

/** The liquidation lots are the exchange's: those that were never downloaded are not part of a statement. */
export function isLeftOut({ history, reads }: ReadHistory): boolean {
  return history === 'lots' && reads.length === 0;
}

/** Where every history of a statement is complete. */
export function completeInAll(
  histories: readonly { readonly parts: readonly CoveragePart[] }[],
): readonly Interval[] {
  return intersection(histories.map(({ parts }) => completeIn(parts)));
}
