import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import { identityFields } from '../../src/exchange/recordIdentity.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import type {
  Checkpoint,
  LedgerHistory,
  LedgerReader,
  LedgerWriter,
} from '../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../src/ledger/storedLedger.ts';
import { parseRecord, recordJson } from '../../src/ledger/storage/recordLines.ts';
import { aQuery, ledgerInThisThread } from './ledgerUnderTest.ts';
import { fastFolder } from './project.ts';

const folder = mkdtempSync(path.join(fastFolder, 'ledgers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

type Answer<Name extends keyof LedgerCalls> = Awaited<ReturnType<LedgerCalls[Name]>>;

/** What reads into a ledger in its file, without its worker; a test may have its writes fail. */
export class FileLedger implements LedgerWriter {
  readonly calls: LedgerCalls = ledgerInThisThread({
    file: path.join(folder, `${crypto.randomUUID()}.sqlite`),
  });
  /** Called before each write: what it throws, the write rejects with, and nothing is stored. */
  beforeWrite: (method: keyof LedgerWriter) => void = () => undefined;

  unfinishedWalks: LedgerWriter['unfinishedWalks'] = () => this.read('unfinishedWalks');
  coverage: LedgerWriter['coverage'] = (history) => this.read('coverage', history);
  oldestRows: LedgerReader['oldestRows'] = (history) => this.read('oldestRows', history);
  noteOldestRow: LedgerWriter['noteOldestRow'] = (...of) => this.write('noteOldestRow', ...of);
  rows: LedgerReader['rows'] = async (...of) => {
    const { lines, ...counts } = await this.read('rows', ...of);
    return { rows: lines.map(parseRecord), ...counts };
  };
  beginWalk: LedgerWriter['beginWalk'] = (walk) => this.write('beginWalk', walk);
  pauseWalk: LedgerWriter['pauseWalk'] = (...of) => this.write('pauseWalk', ...of);
  endWalk: LedgerWriter['endWalk'] = (...of) => this.write('endWalk', ...of);
  dropWalk: LedgerWriter['dropWalk'] = (id) => this.write('dropWalk', id);
  addCheckpoint: LedgerWriter['addCheckpoint'] = (one) => this.write('addCheckpoint', one);
  saveStep: LedgerWriter['saveStep'] = (id, records, cursor) =>
    this.write('saveStep', id, records.map(recordJson), cursor);
  storeRows: LedgerWriter['storeRows'] = (history, records, ...read) =>
    this.write('storeRows', history, records.map(recordJson), ...read);
  areStored: LedgerWriter['areStored'] = (history, records) =>
    this.read('areStored', history, records.map(identityFields));
  recordsIn: LedgerWriter['recordsIn'] = async (...of) =>
    (await this.read('recordsIn', ...of)).map(parseRecord);

  get checkpoints(): readonly Checkpoint[] {
    return this.calls.checkpoints(always);
  }

  /** Newest first. */
  records(history: LedgerHistory): readonly HistoryRecord[] {
    return this.calls.rows(aQuery(history), 0, Number.MAX_SAFE_INTEGER).lines.map(parseRecord);
  }

  private async read<Name extends keyof LedgerCalls>(
    name: Name,
    ...args: Parameters<LedgerCalls[Name]>
  ): Promise<Answer<Name>> {
    await Promise.resolve();
    const call = this.calls[name] as (...args: unknown[]) => Answer<Name>;
    return call(...args);
  }

  private async write<Name extends keyof LedgerCalls & keyof LedgerWriter>(
    name: Name,
    ...args: Parameters<LedgerCalls[Name]>
  ): Promise<Answer<Name>> {
    await Promise.resolve();
    this.beforeWrite(name);
    return this.read(name, ...args);
  }
}
