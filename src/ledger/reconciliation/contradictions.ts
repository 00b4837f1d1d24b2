import { contains, union, type Interval } from '../../base/interval.ts';
import type {
  Contradiction,
  IdentityName,
  LedgerHistory,
  ReconciliationReport,
  Verdict,
} from '../ledger.ts';
import { minuteMs } from '../../base/time.ts';

/** A contradiction of an asset or symbol. */
export type NamedContradiction = Interval &
  Pick<Contradiction, 'key'> & { readonly identity: IdentityName; readonly subject: string };

/** The first contradiction of each asset or symbol. */
export function firstContradictions(report: ReconciliationReport): readonly NamedContradiction[] {
  return bySubject(report).flatMap((each) => each.slice(0, 1));
}

/** All contradictions: first those that a page shows, then the others, the newest first. */
export function allContradictions(report: ReconciliationReport): readonly NamedContradiction[] {
  const others = bySubject(report).flatMap((each) => each.slice(1));
  return [...firstContradictions(report), ...others.toSorted((one, other) => other.to - one.to)];
}

function bySubject(report: ReconciliationReport): readonly (readonly NamedContradiction[])[] {
  return report.flatMap(({ identity, subjects }) =>
    subjects
      .filter(({ verdict }) => verdict === 'contradicted')
      .map(({ subject, contradictions }) =>
        contradictions.map(({ key, from, to }) => ({ identity, subject, key, from, to })),
      ),
  );
}

/** Later checkpoints may narrow the interval of a contradiction. */
export function isSameContradiction(one: NamedContradiction, other: NamedContradiction): boolean {
  const isOfSame =
    one.identity === other.identity && one.subject === other.subject && one.key === other.key;
  return isOfSame && (includesMiddle(one, other) || includesMiddle(other, one));
}

function includesMiddle(interval: Interval, other: Interval): boolean {
  return contains(interval, Math.floor((other.from + other.to) / 2));
}

/** What to read again to be sure of contradictions: an exchange may read ends to the minute. */
export function periodsOf(
  report: ReconciliationReport,
  contradictions: readonly NamedContradiction[],
): ReadonlyMap<LedgerHistory, readonly Interval[]> {
  const periods = new Map<LedgerHistory, Interval[]>();
  for (const { identity, from, to } of contradictions) {
    const { histories = [] } = report.find((each) => each.identity === identity) ?? {};
    const period = { from: Math.max(0, from - minuteMs), to: to + minuteMs };
    for (const history of histories)
      periods.set(history, union([...(periods.get(history) ?? []), period]));
  }
  return periods;
}

/** How many assets and symbols have each verdict, over all identities. */
export function verdictCounts(report: ReconciliationReport): Readonly<Record<Verdict, number>> {
  const counts = { proved: 0, contradicted: 0, undecided: 0 };
  for (const { subjects } of report) for (const { verdict } of subjects) counts[verdict] += 1;
  return counts;
}
