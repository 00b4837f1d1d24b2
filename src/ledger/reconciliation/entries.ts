import type { Interval, LedgerHistory, LedgerRecord } from '../ledger.ts';
import type { Term, TermsByHistory } from './identities.ts';
import type { ReconciliationReader } from './reconciliationReader.ts';

/** A record with what it contributes to an identity. */
export type Entry = {
  readonly history: LedgerHistory;
  readonly record: LedgerRecord;
  readonly time: number;
  readonly term: Term;
};

export function historiesOf(terms: TermsByHistory): readonly LedgerHistory[] {
  return Object.keys(terms) as LedgerHistory[];
}

/** The contributions of all records whose time is known and lies in the interval, in any order. */
export function* entriesIn(
  reader: ReconciliationReader,
  terms: TermsByHistory,
  interval: Interval,
): Generator<Entry> {
  for (const history of historiesOf(terms)) yield* entriesOf(reader, history, terms, interval);
}

function* entriesOf(
  reader: ReconciliationReader,
  history: LedgerHistory,
  terms: TermsByHistory,
  interval: Interval,
): Generator<Entry> {
  // The history of the record is the one whose term it is given to.
  const termOf = terms[history] as ((record: LedgerRecord) => Term | null) | undefined;
  for (const { time, record } of reader.records(history, interval)) {
    const term = termOf?.(record);
    if (term) yield { history, record, time, term };
  }
}
