import { setImmediate } from 'node:timers/promises';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { identityFields } from '../exchange/recordIdentity.ts';
import type {
  AnalysisOf,
  AnalysisReader,
  AnalysisRequest,
  AnalysisView,
} from './analysis/analysis.ts';
import { LedgerError } from './ledgerError.ts';
import type { LedgerReader, LedgerWriter } from './ledger.ts';
import { parseReport } from './reconciliation/reportJson.ts';
import { parseRecord, recordJson } from './storage/recordLines.ts';
import type { LedgerCalls } from './storedLedger.ts';
import { startThread, type MethodsOfCalls, type WorkerThread } from './workerThread.ts';

export type LedgerClientOptions = {
  /** The worker's bundle, or `ledgerWorker.ts`. */
  readonly workerFile: string;
  readonly file: string;
  /** A backup: it is only read. */
  readonly readOnly?: boolean;
  /** That of an export: it keeps little in memory. */
  readonly isTemporary?: boolean;
  /** A file could not be used and has this name now; its ledger starts again, empty. */
  readonly onSetAside?: (file: string) => void;
};

export type LedgerMethods = MethodsOfCalls<LedgerCalls>;
export type LedgerEvents = { readonly setAside: string; readonly wrote: null };

type Result<Name extends keyof LedgerCalls> = LedgerMethods[Name]['result'];
type Args<Name extends keyof LedgerCalls> = LedgerMethods[Name]['params'];

/** How many records are written as JSON, or read, at a time: about 2 ms of the window's thread. */
const sliceSize = 1000;

/**
 * A ledger for the window: its worker does the work. Rejects with LedgerError. If the worker ends, what
 * waits is rejected, and the next call starts another one; one that ends without an answer is the last.
 */
export class LedgerClient implements LedgerWriter, LedgerReader, AnalysisReader, Disposable {
  private readonly options: LedgerClientOptions;
  private thread: WorkerThread<LedgerMethods, LedgerEvents> | undefined;
  private mayStart = true;
  private closing: Promise<void> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly didWrite = new Emitter<void>();
  /** Rows, walks or coverage are other ones now. */
  readonly onDidWrite: Event<void> = this.didWrite.event;

  constructor(options: LedgerClientOptions) {
    this.options = options;
  }

  readonly unfinishedWalks = this.calling('unfinishedWalks');
  readonly coverage = this.calling('coverage');
  readonly oldestRows = this.calling('oldestRows');
  readonly noteOldestRow = this.calling('noteOldestRow');
  readonly sums = this.calling('sums');
  readonly checkpoints = this.calling('checkpoints');
  /** What is known of the rows of these histories. */
  readonly known = this.calling('known');
  readonly newestCheckpoint = this.calling('newestCheckpoint');
  readonly feeSign = this.calling('feeSign');
  readonly findIds = this.calling('findIds');
  readonly compare = this.calling('compare');
  readonly previewBotFile = this.calling('previewBotFile');
  readonly versions = this.calling('versions');
  readonly beginWalk = this.calling('beginWalk');
  readonly pauseWalk = this.calling('pauseWalk');
  readonly endWalk = this.calling('endWalk');
  readonly dropWalk = this.calling('dropWalk');
  readonly addCheckpoint = this.calling('addCheckpoint');
  readonly keepSymbols = this.calling('keepSymbols');
  /** Takes the right to write, which one window at a time has. Whether this window has it now. */
  readonly claimWriting = this.calling('claimWriting');
  readonly releaseWriting = this.calling('releaseWriting');
  /** Deletes the file, if this window has the right to write: another one then creates a new one. */
  readonly deleteFile = this.calling('deleteFile');
  /** Writes a verified copy, while the ledger is used; replaces a file of this name. */
  readonly backUp = this.calling('backUp');

  saveStep: LedgerWriter['saveStep'] = (id, records, cursor) =>
    this.callWith('saveStep', async () => [id, await inSlices(records, recordJson), cursor]);

  storeRows: LedgerWriter['storeRows'] = (history, records, ...read) =>
    this.callWith('storeRows', async () => [history, await inSlices(records, recordJson), ...read]);

  recordsIn: LedgerWriter['recordsIn'] = async (history, interval, limit) =>
    inSlices(await this.call('recordsIn', history, interval, limit), parseRecord);

  areStored: LedgerWriter['areStored'] = (history, records) =>
    this.call('areStored', history, records.map(identityFields));

  reconcile: LedgerReader['reconcile'] = async () => parseReport(await this.call('reconcile'));

  rows: LedgerReader['rows'] = async (query, offset, limit) => {
    const { lines, ...counts } = await this.call('rows', query, offset, limit);
    return { rows: await inSlices(lines, parseRecord), ...counts };
  };

  piece: LedgerReader['piece'] = async (query, place, limit) => {
    const { lines, ...places } = await this.call('piece', query, place, limit);
    return { rows: await inSlices(lines, parseRecord), ...places };
  };

  past: LedgerReader['past'] = async (history, record) => {
    const { versions, ...past } = await this.call('past', history, recordJson(record));
    return {
      ...past,
      versions: versions.map(({ line, ...version }) => ({ ...version, record: parseRecord(line) })),
    };
  };

  async analyse<View extends AnalysisView>(
    request: AnalysisRequest<View>,
  ): Promise<AnalysisOf<View>> {
    return (await this.call('analyse', request)) as AnalysisOf<View>;
  }

  /** Ends the worker after what it was asked before; later calls are rejected. */
  close(): Promise<void> {
    this.closing ??= this.endWorker();
    return this.closing;
  }

  dispose(): void {
    void this.close();
  }

  private async endWorker(): Promise<void> {
    await this.turn;
    this.mayStart = false;
    // A worker that ended before it could answer is closed as well.
    if (this.thread) await this.call('close').catch(() => undefined);
  }

  private calling<Name extends keyof LedgerCalls>(name: Name) {
    return (...args: Args<Name>): Promise<Result<Name>> => this.call(name, ...args);
  }

  private call<Name extends keyof LedgerCalls>(
    name: Name,
    ...args: Args<Name>
  ): Promise<Result<Name>> {
    return this.callWith(name, () => Promise.resolve(args));
  }

  /** Calls are sent in their order, however long it takes to prepare what they send. */
  private async callWith<Name extends keyof LedgerCalls>(
    name: Name,
    prepare: () => Promise<Args<Name>>,
  ): Promise<Result<Name>> {
    // The answer is in an object: the next call does not wait for it.
    const sent = this.turn.then(async () => {
      const args = await prepare();
      return { answer: this.request(name, args) };
    });
    this.turn = sent.catch(() => undefined);
    const { answer } = await sent;
    return answer;
  }

  /** Asks the worker. */
  protected request<Name extends keyof LedgerCalls>(
    name: Name,
    args: Args<Name>,
  ): Promise<Result<Name>> {
    return this.start().client.request(name, args);
  }

  private start(): WorkerThread<LedgerMethods, LedgerEvents> {
    if (this.thread) return this.thread;
    if (!this.mayStart) throw new LedgerError('ended');
    this.mayStart = false;
    const { workerFile, file, readOnly = false, isTemporary = false, onSetAside } = this.options;
    const started = startThread<LedgerMethods, LedgerEvents>(
      workerFile,
      { kind: 'ledger', file, readOnly, isTemporary, workerFile },
      { setAside: (aside) => onSetAside?.(aside), wrote: () => this.didWrite.fire() },
      () => {
        if (this.thread === started) this.thread = undefined;
      },
    );
    started.worker.once('message', () => (this.mayStart = this.closing === undefined));
    this.thread = started;
    return started;
  }
}

/** Lets the window's thread do other things between the slices. */
async function inSlices<From, To>(
  items: readonly From[],
  convert: (item: From) => To,
): Promise<To[]> {
  const converted: To[] = [];
  for (let start = 0; start < items.length; start += sliceSize) {
    if (start > 0) await setImmediate();
    for (const item of items.slice(start, start + sliceSize)) converted.push(convert(item));
  }
  return converted;
}
