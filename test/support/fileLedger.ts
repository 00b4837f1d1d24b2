import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import type { Checkpoint, LedgerHistory } from '../../src/ledger/ledger.ts';
import { parseRecord } from '../../src/ledger/storage/recordLines.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { aQuery, ClientInThisThread, ledgerInThisThread } from './ledgerUnderTest.ts';
import { fastFolder } from './project.ts';

const folder = mkdtempSync(path.join(fastFolder, 'ledgers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A new ledger in a file of its own, without its worker. */
export class FileLedger extends ClientInThisThread {
  readonly stored: LedgerCalls;

  constructor() {
    const file = path.join(folder, `${crypto.randomUUID()}.sqlite`);
    const stored = ledgerInThisThread({ file });
    super(stored);
    this.stored = stored;
  }

  storedCheckpoints(): readonly Checkpoint[] {
    return this.stored.checkpoints(always);
  }

  /** Newest first. */
  records(history: LedgerHistory): readonly HistoryRecord[] {
    return this.stored.rows(aQuery(history), 0, Number.MAX_SAFE_INTEGER).lines.map(parseRecord);
  }
}
