import type { RecordOf } from '../../exchange/history/historyRecords.ts';
import type { Checkpoint, Coverage, Interval, LedgerHistory, ledgerHistories } from '../ledger.ts';

export type LedgerRecord<History extends LedgerHistory = LedgerHistory> =
  RecordOf[(typeof ledgerHistories)[History]['operation']];

/** What a reconciliation reads of a ledger. Its calls block: it runs where the file is open. */
export type ReconciliationReader = {
  /** In any order. */
  checkpoints(): readonly Checkpoint[];
  coverage(history: LedgerHistory): readonly Coverage[];
  /** The records whose time lies in the interval, in any order. */
  records<History extends LedgerHistory>(
    history: History,
    interval: Interval,
  ): Iterable<LedgerRecord<History>>;
};
