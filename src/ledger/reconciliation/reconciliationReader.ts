import type { Checkpoint, Coverage, Interval, LedgerHistory, LedgerRecord } from '../ledger.ts';

export type TimedRecord<History extends LedgerHistory = LedgerHistory> = {
  /** In epoch milliseconds. */
  readonly time: number;
  readonly record: LedgerRecord<History>;
};

/** What a reconciliation reads of a ledger. Its calls block: it runs where the file is open. */
export type ReconciliationReader = {
  /** In any order. */
  checkpoints(): readonly Checkpoint[];
  /** Null is unknown. */
  marginAssetOf(symbol: string): string | null;
  coverage(history: LedgerHistory): readonly Coverage[];
  /** The records whose time lies in the interval, in any order. */
  records<History extends LedgerHistory>(
    history: History,
    interval: Interval,
  ): Iterable<TimedRecord<History>>;
};
