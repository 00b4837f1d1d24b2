import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import type { Clock } from '../../base/time.ts';
import { clientKey } from '../../exchange/client.ts';
import type { HistoryRecord, HistorySelection } from '../../exchange/history/historyRecords.ts';
import { filtersReadHere, readToEnd } from '../../exchange/history/readToEnd.ts';
import type { WalkStep } from '../../exchange/history/walk/walk.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import type { ColumnFile } from './columns/columnFile.ts';
import { digestsOf, exportMeta, moveIntoPlace } from './exportedFile.ts';
import { exportFields } from './exportFields.ts';
import { ExportFileError, withFileErrors } from './exportFileError.ts';
import {
  isColumnFormat,
  rowSerializer,
  savedFormatOf,
  type ColumnFormat,
  type RowSerializer,
} from './exportFormats.ts';
import type { AccountSession } from '../session/accountSession.ts';
import type { ExportPlan } from './exportPlan.ts';
import { type ExportLedger, ledgerRowsOf, resultOfLedger } from './ledgerSource.ts';
import type { PartialFile } from './partialFile.ts';
import { progressAfterStep, type Progress } from './progress.ts';
import { createHash } from 'node:crypto';

type ExportRun = {
  readonly plan: ExportPlan;
  readonly request: HistorySelection;
  readonly account: Pick<AccountSession, typeof clientKey>;
  /** Has every row of the plan: they are read from the exchange only if they change meanwhile. */
  readonly ledger?: ExportLedger | undefined;
  /** New or resumed. If the run rejects, it can be resumed again. */
  readonly partial: PartialFile;
  /** The path that was chosen for the file. */
  readonly target: string;
  readonly clock: Clock;
  /** The name and version of the extension. */
  readonly writtenBy: string;
  readonly onProgress: (progress: Progress) => void;
  /** How many rows a file of columns has, which is made once all are read. */
  readonly onRowsWritten: (rows: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Reads a history to its end into the partial file, and moves that to the target. Rejects with
 * ExchangeError, ExportFileError or the signal's reason. The partial file then has every recorded row.
 */
export async function runExport(run: ExportRun): Promise<Progress> {
  const { partial, plan } = run;
  const serializer = rowSerializer(savedFormatOf(plan.format), exportFields(plan.operation));
  try {
    await begin(run, serializer);
    if (!partial.progress.end) await readRows(run, serializer);
    run.signal.throwIfAborted();
    const footerBytes = await partial.append(serializer.footer);
    const size = await partial.close();
    if (size !== partial.progress.bytes + footerBytes)
      throw new ExportFileError('partial', 'changed');
    await moveToTarget(run);
  } catch (error) {
    await partial.release().catch(() => undefined);
    throw error;
  }
  // The file is in place. A state without rows counts as none, and the cleanup removes it.
  await partial.delete().catch(() => undefined);
  return partial.progress;
}

/**
 * The filters that are applied here stay the same to the end: page numbers depend on them. What was read with a
 * filter that may not be sent any more is read again.
 */
async function begin(run: ExportRun, { header }: RowSerializer): Promise<void> {
  const { partial, account, request, signal } = run;
  const { progress } = partial;
  const notSent = account[clientKey].conventions.filteredHere(request.filters);
  const isBegun = progress.cursor !== undefined || progress.bytes > 0;
  if (isBegun && notSent.every((name) => progress.filteredHere.includes(name))) return;
  if (isBegun) await partial.startOver();
  const filteredHere = run.ledger
    ? notSent
    : await filtersReadHere(account[clientKey], request, progress.range, signal);
  const bytes = await partial.append(header);
  await partial.save({ ...partial.progress, filteredHere, bytes });
}

/** If the ledger does not stay the same while it is copied, the rows come from the exchange after all. */
async function readRows(run: ExportRun, serializer: RowSerializer): Promise<void> {
  const { ledger } = run;
  const isCopied = ledger !== undefined && (await copyLedger(run, ledger, serializer));
  if (!isCopied) await readAll(run, serializer);
}

async function readAll(run: ExportRun, serializer: RowSerializer): Promise<void> {
  const { account, partial, request, signal } = run;
  const { range, filteredHere, reads: before } = partial.progress;
  const { result, reads } = await readToEnd({
    client: account[clientKey],
    selection: request,
    range,
    filteredHere,
    signal,
    savedCursor: () => partial.progress.cursor,
    onStep: async (step, sinceThen) => {
      const progress = await appendRows(run, serializer, step);
      await partial.record({ ...progress, reads: before + sinceThen });
      run.onProgress(partial.progress);
    },
  });
  await partial.save({ ...partial.progress, reads: before + reads, part: 1, end: result });
}

/** Appends the rows of a step. The returned progress is valid once it is recorded. */
async function appendRows(
  { partial, request }: ExportRun,
  serializer: RowSerializer,
  step: WalkStep<HistoryRecord>,
): Promise<Progress> {
  const { progress } = partial;
  const texts = step.items.map((item, index) => serializer.row(item, progress.rows + index === 0));
  const bytes = await partial.append(texts.join(''));
  return progressAfterStep(progress, step, request, bytes);
}

async function moveToTarget(run: ExportRun): Promise<void> {
  const { partial, plan, target, clock, writtenBy } = run;
  const { rows, columns: columnFile } = partial.paths;
  const made = isColumnFormat(plan.format) ? await writeColumns(run, plan.format) : undefined;
  const source = made ? columnFile : rows;
  const digests = await digestsOf(source, made?.parts);
  const columns = made?.columns;
  const file = { path: target, ...digests, columns, endedAt: clock.now(), writtenBy };
  await moveIntoPlace(source, target, exportMeta(plan, partial.progress, file));
}

/** Makes the file of columns from the saved rows, which stay: this can be repeated. */
async function writeColumns(
  { partial, plan, request, writtenBy, onRowsWritten, signal }: ExportRun,
  format: ColumnFormat,
): Promise<Extract<ColumnFile, { kind: 'written' }>> {
  const { writeColumnFile } = await import('./columns/columnFile.ts');
  const { rows, columns: target } = partial.paths;
  const { operation: name } = plan;
  const fields = exportFields(name);
  const partition = { account: plan.profile, operation: ledgerHistoryOf(request) };
  const file = await withFileErrors('partial', () =>
    writeColumnFile({
      format,
      rows,
      target,
      name,
      partition,
      fields,
      writtenBy,
      signal,
      onRows: onRowsWritten,
    }),
  );
  signal.throwIfAborted();
  if (file.kind === 'written') return file;
  throw new UserFacingError(
    phrase(
      'A text of these rows is longer than a cell of a workbook can hold: 32,767 characters. Export them as Parquet: the saved rows are not read again.',
    ),
  );
}

/** A copy of all rows, and what tells it apart from another one. */
type CopiedRows = { readonly progress: Progress; readonly identity: string };

/** Few enough to be written without blocking the window. */
const pageSize = 5000;
const mostCopies = 3;

/**
 * Copies the rows of the ledger into the partial file, which has nothing but the header. All are as they were
 * at one moment: a row that the ledger gets between two pages would move the rows after it. False if the
 * ledger kept changing; then no part of a copy is left. Nothing is recorded before the end: an interrupted
 * copy is read from the exchange when it is resumed.
 */
async function copyLedger(
  run: ExportRun,
  ledger: ExportLedger,
  serializer: RowSerializer,
): Promise<boolean> {
  const { partial } = run;
  const history = ledgerHistoryOf(run.request);
  const versionNow = async (): Promise<string> => (await ledger.reader.versions())[history];
  let before: CopiedRows | undefined;
  for (let copies = 0; copies < mostCopies; copies += 1) {
    const version = await versionNow();
    const copied = await copyRows(run, ledger, serializer);
    // While other periods are downloaded, the version never stays: two equal copies show that these rows do.
    if (copied.identity === before?.identity || (await versionNow()) === version) {
      await partial.save(copied.progress);
      return true;
    }
    before = copied;
    await partial.dropUnrecorded();
  }
  return false;
}

/** Reads the rows once, and then what the ledger proves of them. */
async function copyRows(
  { request, account, partial, onProgress, signal }: ExportRun,
  ledger: ExportLedger,
  serializer: RowSerializer,
): Promise<CopiedRows> {
  const { range } = partial.progress;
  const query = ledgerRowsOf(request, range, account[clientKey].conventions);
  const digest = createHash('sha256');
  let progress: Progress = { ...partial.progress, source: 'ledger' };
  for (;;) {
    const { rows: before } = progress;
    const { rows: records, total } = await ledger.reader.rows(query, before, pageSize);
    signal.throwIfAborted();
    const rows = before + records.length;
    const texts = records.map((record, index) => serializer.row(record, before + index === 0));
    const text = texts.join('');
    digest.update(text);
    const bytes = progress.bytes + (await partial.append(text));
    progress = { ...progress, rows, bytes, part: total === 0 ? 1 : rows / total };
    onProgress(progress);
    if (records.length < pageSize) break;
  }
  const end = await resultOfLedger(ledger, request, range);
  const identity = `${end.completeness} ${digest.digest('hex')}`;
  return { progress: { ...progress, part: 1, end }, identity };
}
