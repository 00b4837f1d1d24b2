import type { Interval } from '../../base/interval.ts';
import type {
  IdentityReport,
  ReconciliationReport,
  SubjectReport,
  UndecidedReason,
  Verdict,
} from '../../ledger/ledger.ts';

/** The verdict of the reconciliation on one asset or symbol in a month. */
export type MonthVerdict = {
  readonly identity: IdentityReport['identity'];
  readonly reading: string;
  readonly subject: string;
  readonly verdict: Verdict;
  /** Why it is undecided. */
  readonly reason: UndecidedReason | null;
  /** The intervals in the month that the records do not explain, oldest first. */
  readonly contradictions: readonly (Interval & {
    readonly remainder: string;
    readonly key: string | null;
  })[];
};

/** The part of a report that is about a month: what is outside of it changes nothing. */
export function monthVerdicts(
  report: ReconciliationReport,
  month: Interval,
): readonly MonthVerdict[] {
  return report.flatMap((identity) =>
    identity.subjects.map((subject): MonthVerdict => {
      const contradictions = subject.contradictions
        .filter(({ from, to }) => from < month.to && to > month.from)
        .map(({ from, to, remainder, key }) => ({ from, to, remainder, key }));
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
