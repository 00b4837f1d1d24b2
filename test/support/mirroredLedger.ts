import assert from 'node:assert/strict';
import type { Interval } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/historyRecords.ts';
import type { LedgerHistory, NewWalk, ReadOutcome } from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { parseRecord, recordJson } from '../../src/ledger/storage/recordLines.ts';
import { aQuery, ledgerInThisThread } from './ledgerUnderTest.ts';
import { MemoryLedger } from './memoryLedger.ts';

/** A ledger in memory that writes everything to a file as well: both must have the same. */
export class MirroredLedger extends MemoryLedger {
  private readonly file: LedgerCalls;
  /** The walks of the file, by those in memory. */
  private readonly walkIds = new Map<number, number>();

  constructor(file: string) {
    super();
    this.file = ledgerInThisThread({ file });
  }

  override async beginWalk(walk: NewWalk) {
    const begun = await super.beginWalk(walk);
    this.walkIds.set(begun.id, this.file.beginWalk(walk).id);
    return begun;
  }

  override async saveStep(id: number, records: readonly HistoryRecord[], cursor: unknown) {
    const counts = await super.saveStep(id, records, cursor);
    const stored = this.file.saveStep(this.walkIdOf(id), records.map(recordJson), cursor);
    assert.deepEqual(stored, counts);
    return counts;
  }

  override async storeRows(
    history: LedgerHistory,
    records: readonly HistoryRecord[],
    asOf: number,
    proved?: Interval & ReadOutcome,
  ) {
    const counts = await super.storeRows(history, records, asOf, proved);
    assert.deepEqual(this.file.storeRows(history, records.map(recordJson), asOf, proved), counts);
    return counts;
  }

  override async endWalk(id: number, result: ReadOutcome): Promise<void> {
    await super.endWalk(id, result);
    this.file.endWalk(this.walkIdOf(id), result);
  }

  override async dropWalk(id: number): Promise<void> {
    await super.dropWalk(id);
    this.file.dropWalk(this.walkIdOf(id));
  }

  /** Compares rows and coverage, and closes the file. */
  async close(history: LedgerHistory): Promise<void> {
    const { lines } = this.file.rows(aQuery(history), 0, Number.MAX_SAFE_INTEGER);
    const [stored, inMemory] = [lines.map(parseRecord), this.records(history)].map((records) =>
      records.map(recordJson).toSorted(),
    );
    assert.deepEqual(stored, inMemory);
    assert.deepEqual(this.file.coverage(history), await this.coverage(history));
    this.file.close();
  }

  private walkIdOf(id: number): number {
    return this.walkIds.get(id) ?? assert.fail('no such walk');
  }
}
