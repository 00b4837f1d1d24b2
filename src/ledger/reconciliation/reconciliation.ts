import { always, type Interval } from '../../base/interval.ts';
import { findCandidates, pairEntries, type Pairs } from './candidates.ts';
import { entriesIn, historiesOf, isKnown, within, type Entry } from './entries.ts';
import { identities, type Identity, type TermsByHistory } from './identities.ts';
import { learnReading, type LearnedReading } from './learnedReading.ts';
import {
  coveredSpans,
  type ReconciliationReader,
  type TimedRecord,
} from './reconciliationReader.ts';
import { nothingCompared, type SubjectJudgement } from './verdicts.ts';
import type {
  Candidate,
  Applicability,
  Contradiction,
  Verdict,
  UndecidedReason,
  SubjectReport,
  IdentityReport,
  ReconciliationReport,
  LedgerHistory,
} from '../ledger.ts';

type Learned = { readonly identity: Identity; readonly learned: LearnedReading };

/** Checks every identity over all periods in which its histories are complete. */
export function reconcile(ledger: ReconciliationReader): ReconciliationReport {
  const reader = readOnce(ledger);
  const all = identities.flatMap((identity): readonly Learned[] => {
    const learned = learnReading(reader, identity);
    return learned ? [{ identity, learned }] : [];
  });
  const paired = all
    .filter(({ identity, learned }) => identity.isPaired && learned.applicability === 'applies')
    .map(({ learned }) => learned.reading.terms);
  return all.map((each) => identityReport(reader, each, paired));
}

function identityReport(
  reader: ReconciliationReader,
  { identity, learned }: Learned,
  paired: readonly TermsByHistory[],
): IdentityReport {
  const { reading, judgement, applicability, held, failed, explainedByOthers } = learned;
  const subjects = new Set([...namedSubjects(reader, identity), ...judgement.keys()]);
  const reports = [...subjects].sort().map((subject): SubjectReport => {
    const isOpen = explainedByOthers.has(subject);
    const found = isOpen ? undefined : judgement.get(subject);
    const { verdict, reason } = verdictOf(applicability, found, isOpen);
    const { unclear: _, ...shown } = found ?? nothingCompared;
    const [first] = verdict === 'contradicted' ? (found?.contradictions ?? []) : [];
    return {
      subject,
      verdict,
      reason,
      ...shown,
      candidates: first ? candidatesOf(reader, reading.terms, paired, subject, first) : [],
    };
  });
  const histories = historiesOf(reading.terms);
  return {
    identity: identity.name,
    reading: reading.name,
    histories,
    applicability,
    held,
    failed,
    covered: coveredSpans(reader, histories),
    subjects: reports,
  };
}

/** Whatever the checkpoints name has a verdict. */
function namedSubjects(reader: ReconciliationReader, { comparison }: Identity): readonly string[] {
  if (comparison.by !== 'figures') return [];
  const names = new Set<string>();
  for (const checkpoint of reader.checkpoints())
    for (const name of comparison.figures(checkpoint)?.keys() ?? []) names.add(name);
  return [...names];
}

function verdictOf(
  applicability: Applicability,
  found: SubjectJudgement | undefined,
  isExplainedByOthers: boolean,
): { readonly verdict: Verdict; readonly reason: UndecidedReason | null } {
  if (applicability === 'doesNotApply') return { verdict: 'undecided', reason: 'doesNotApply' };
  if (applicability === 'undecided') return { verdict: 'undecided', reason: 'notLearned' };
  if (isExplainedByOthers) return { verdict: 'undecided', reason: 'otherReading' };
  if (!found) return { verdict: 'undecided', reason: 'notCovered' };
  if (found.contradictions.length > 0) return { verdict: 'contradicted', reason: null };
  if (found.withoutTrade.length > 0) return { verdict: 'undecided', reason: 'feeWithoutTrade' };
  const isCompared = found.held > 0 || found.periods.some(({ intervals }) => intervals > 0);
  if (isCompared) return { verdict: 'proved', reason: null };
  return { verdict: 'undecided', reason: found.unclear > 0 ? 'unclear' : 'notCovered' };
}

function candidatesOf(
  reader: ReconciliationReader,
  terms: TermsByHistory,
  paired: readonly TermsByHistory[],
  subject: string,
  contradiction: Contradiction,
): readonly Candidate[] {
  const period = readOnce(reader, contradiction);
  const entriesWith = (each: TermsByHistory): readonly Entry[] =>
    [...entriesIn(period, each, contradiction)]
      .filter(isKnown)
      .filter(({ term }) => term.subject === subject);
  const rows = entriesWith(terms).filter(
    ({ term }) => contradiction.key === null || term.key === contradiction.key,
  );
  const pairs = paired.map((each): Pairs => pairEntries(entriesWith(each)));
  return findCandidates(contradiction.remainder, rows, pairs);
}

/** A larger history is read again each time: about 300 bytes of a record stay in memory. */
const mostKept = 500_000;

/** Reads a period of a ledger once. A record is then the same object for every identity. */
function readOnce(reader: ReconciliationReader, period: Interval = always): ReconciliationReader {
  const checkpoints = reader.checkpoints();
  const records = new Map<LedgerHistory, readonly TimedRecord[] | null>();
  return {
    ...reader,
    checkpoints: () => checkpoints,
    records: <History extends LedgerHistory>(history: History, interval: Interval) => {
      const known = records.get(history);
      const kept = known === undefined ? keptRecords(reader, history, period) : known;
      records.set(history, kept);
      return kept === null
        ? reader.records(history, interval)
        : (within(kept, interval) as readonly TimedRecord<History>[]);
    },
  };
}

/** Oldest first; null if they are too many. */
function keptRecords(
  reader: ReconciliationReader,
  history: LedgerHistory,
  period: Interval,
): readonly TimedRecord[] | null {
  const kept: TimedRecord[] = [];
  for (const record of reader.records(history, period)) {
    if (kept.length === mostKept) return null;
    kept.push(record);
  }
  return kept.sort((one, other) => one.time - other.time);
}
