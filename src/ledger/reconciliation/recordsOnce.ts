import type { Coverage, Interval, LedgerHistory } from '../ledger.ts';
import type { ReconciliationReader, TimedRecord } from './reconciliationReader.ts';

/** A larger history is read again each time: about 300 bytes of a record stay in memory. */
const mostKept = 500_000;

const allTime: Interval = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Reads a period of a ledger once. A record is then the same object for every identity. */
export function readOnce(
  reader: ReconciliationReader,
  period: Interval = allTime,
): ReconciliationReader {
  const checkpoints = reader.checkpoints();
  const coverages = new Map<LedgerHistory, readonly Coverage[]>();
  const records = new Map<LedgerHistory, readonly TimedRecord[] | null>();
  return {
    checkpoints: () => checkpoints,
    coverage: (history) => {
      const coverage = coverages.get(history) ?? reader.coverage(history);
      coverages.set(history, coverage);
      return coverage;
    },
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

function within(records: readonly TimedRecord[], { from, to }: Interval): readonly TimedRecord[] {
  return records.slice(firstFrom(records, from), firstFrom(records, to));
}

/** The index of the first record at or after a time. */
function firstFrom(records: readonly TimedRecord[], time: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((records[middle]?.time ?? time) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
