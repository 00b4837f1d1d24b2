import path from 'node:path';
import type { Interval } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import {
  writeStatement,
  type StatementLedger,
  type StatementRun,
  type WrittenStatement,
} from '../../src/account/statement/writeStatement.ts';
import { monthAt } from '../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../src/base/timeZone.ts';
import { ledgerHistoryNames, type Checkpoint, type Completeness } from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { recordJson } from '../../src/ledger/storage/recordLines.ts';
import type { LedgerRecords } from './ledgerInMemory.ts';
import { ClientInThisThread, ledgerInThisThread } from './ledgerUnderTest.ts';

export const source = {
  profile: 'Main',
  environment: 'PRACTICE',
  origin: 'https://exchange.example',
};
const utc = new TimeZone('UTC');

export type Filling = {
  readonly records?: Partial<Readonly<Record<keyof LedgerRecords, readonly HistoryRecord[]>>>;
  readonly checkpoints?: readonly Checkpoint[];
  /** What was read of every history; complete, unless it says otherwise. */
  readonly read: readonly (Interval & { readonly completeness?: Completeness })[];
};

/** A ledger in its file, as a window reads it. */
export class StatementWorld {
  readonly folder: string;
  readonly calls: LedgerCalls;
  readonly ledger: StatementLedger;

  constructor(folder: string, filling: Filling) {
    this.folder = folder;
    this.calls = ledgerInThisThread({ file: path.join(folder, `${crypto.randomUUID()}.sqlite`) });
    const client = new ClientInThisThread(this.calls);
    this.ledger = { reader: client, writer: client };
    fill(this.calls, filling);
  }

  /** Writes the statement of the month of a day, such as `2026-01-15`. */
  write(day: string, run: Partial<StatementRun> = {}): Promise<WrittenStatement> {
    return writeStatement({
      ledger: this.ledger,
      source,
      month: monthAt(Date.parse(day), utc),
      format: 'csv',
      parent: this.folder,
      writtenBy: 'Margin Desk 0.0.0',
      onProgress: () => undefined,
      signal: new AbortController().signal,
      ...run,
    });
  }
}

function fill(calls: LedgerCalls, { records = {}, checkpoints = [], read }: Filling): void {
  for (const history of ledgerHistoryNames)
    for (const { completeness = 'complete', ...period } of read) {
      const asOf = period.to + 86_400_000;
      const { id } = calls.beginWalk({ history, ...period, asOf, purpose: 'download' });
      const own = (records[history] ?? []).filter((record) => isIn(record, period));
      calls.saveStep(id, own.map(recordJson), null);
      calls.endWalk(id, {
        completeness,
        reason: completeness === 'unknown' ? 'endUnproven' : null,
      });
    }
  for (const checkpoint of checkpoints) calls.addCheckpoint(checkpoint);
}

function isIn(record: HistoryRecord, { from, to }: Interval): boolean {
  const time = Number('time' in record ? record.time : record.updatedAt);
  return from <= time && time < to;
}
