import type { NumberText } from '../../base/decimal.ts';
import type { Interval } from '../../base/interval.ts';
import { firstIndex } from '../../base/sorted.ts';
import type { LedgerHistory, LedgerRecord } from '../ledger.ts';
import type { Term, TermOf, TermsByHistory } from './identities.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';

/** A record with what it contributes to an identity. */
export type Entry = {
  readonly history: LedgerHistory;
  readonly record: LedgerRecord;
  readonly time: number;
  readonly term: Term & { readonly amount: NumberText };
};

/** A record whose contribution is unknown: nothing that it may belong to can be judged. */
export type UnknownEntry = Omit<Entry, 'term'> & { readonly term: Term };

export function isKnown(entry: UnknownEntry): entry is Entry {
  return entry.term.amount !== null;
}

export function historiesOf(terms: TermsByHistory): readonly LedgerHistory[] {
  return Object.keys(terms) as LedgerHistory[];
}

/** The contributions of all records whose time is known and lies in the interval, in any order. */
export function* entriesIn(
  reader: ReconciliationReader,
  terms: TermsByHistory,
  interval: Interval,
): Generator<UnknownEntry> {
  for (const history of historiesOf(terms)) yield* entriesOf(reader, history, terms, interval);
}

function* entriesOf(
  reader: ReconciliationReader,
  history: LedgerHistory,
  terms: TermsByHistory,
  interval: Interval,
): Generator<UnknownEntry> {
  // The history of the record is the one whose term it is given to.
  const termOf = terms[history] as TermOf<LedgerRecord> | undefined;
  for (const { time, record } of reader.records(history, interval)) {
    const term = termOf?.(record, reader);
    if (term) yield { history, record, time, term };
  }
}

/** Those of an interval, if they are sorted by time. */
export function within<Timed extends { readonly time: number }>(
  records: readonly Timed[],
  { from, to }: Interval,
): readonly Timed[] {
  return records.slice(
    firstIndex(records, ({ time }) => time < from),
    firstIndex(records, ({ time }) => time < to),
  );
}
