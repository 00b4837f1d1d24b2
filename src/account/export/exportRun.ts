import { writeFile } from 'node:fs/promises';
import { UserFacingError } from '../../base/errors.ts';
import { subtract, type Interval } from '../../base/interval.ts';
import { phrase } from '../../base/phrase.ts';
import type { Clock } from '../../base/time.ts';
import { clientKey } from '../../exchange/client.ts';
import type { HistoryRecord, HistorySelection } from '../../exchange/history/records.ts';
import type { WalkStep } from '../../exchange/history/walk/walk.ts';
import type { SavedWalk } from '../../ledger/ledger.ts';
import { ledgerHistoryOf } from '../../ledger/selectionQuery.ts';
import { readStateOf, WalkRunner } from '../../ledger/sync/walkRunner.ts';
import type { AccountSession } from '../session/accountSession.ts';
import type { ColumnFileOptions, WrittenColumns } from './columns/columnFile.ts';
import { digestsOf, exportMeta, moveIntoPlace, writeText } from './exportedFile.ts';
import { exportFields } from './exportFields.ts';
import { withFileErrors } from './exportFileError.ts';
import { isColumnFormat, rowSerializer, type ExportFormat } from './exportFormats.ts';
import type { ExportLedger, ExportLedgers } from './exportLedgers.ts';
import type { ExportPlan } from './exportPlan.ts';
import { ExportRows, provedIn, type AccountRows } from './exportRows.ts';
import { progressOf, resultOf, type ExportResult, type Progress } from './progress.ts';

type ExportRun = {
  readonly plan: ExportPlan;
  readonly request: HistorySelection;
  readonly account: Pick<AccountSession, typeof clientKey>;
  /** The ledger of the account, if it has one: what it proves is not read again. */
  readonly ledger: AccountRows | undefined;
  readonly exports: ExportLedgers;
  /** The path that was chosen for the file. */
  readonly target: string;
  readonly clock: Clock;
  /** The name and version of the extension. */
  readonly writtenBy: string;
  /** Another export reads the same rows: this one waits for it. */
  readonly onWait: () => void;
  /** Called first with what an interrupted export has read. */
  readonly onProgress: (progress: Progress) => void;
  /** All rows are read, and so many are in the file. */
  readonly onRowsWritten: (rows: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Reads what the account's ledger does not prove into the temporary ledger of the export, then writes the rows of both to
 * a file and moves that to the target. Rejects with ExchangeError, ExportFileError or the signal's reason; what was
 * read stays for the next export of the same rows.
 */
export async function runExport(run: ExportRun): Promise<ExportResult> {
  const { plan, request, account, exports, signal, onWait } = run;
  const options = { client: account[clientKey], request, signal, onWait };
  return withFileErrors('storage', async () => {
    const ledger = await exports.open(plan, options);
    let result: ExportResult;
    try {
      const sources = await readMissing(run, ledger);
      result = await writeRows(run, ledger, sources);
    } catch (error) {
      const parts = await ledger.parts().catch(() => undefined);
      const isEmpty = parts?.every(({ cursor }) => cursor === null) ?? false;
      await (isEmpty ? ledger.delete() : ledger.close()).catch(() => undefined);
      throw error;
    }
    // The file is in its place: what cannot be deleted now expires.
    await ledger.delete().catch(() => undefined);
    return result;
  });
}

/** Where the rows are: read from the exchange, and proved by the account's ledger. */
type Sources = { readonly parts: readonly SavedWalk[]; readonly proved: readonly Interval[] };

/** What the ledger does not prove any more when all is read, is read as well. */
async function readMissing(run: ExportRun, ledger: ExportLedger): Promise<Sources> {
  const { request, account, signal } = run;
  const { store, whole } = ledger;
  const runner = new WalkRunner({ client: account[clientKey], writer: store });
  run.onProgress(progressOf(await ledger.parts()));
  for (;;) {
    const parts = await ledger.parts();
    const unread = parts.find((part) => !readStateOf(part)?.end);
    if (unread) {
      await runner.run(unread, {
        selection: request,
        staysWhenRead: true,
        signal,
        beforeSave: (step) => assertRoom(ledger, step),
        onProgress: (progress) => run.onProgress(progressOf(parts, { ...progress, id: unread.id })),
      });
      continue;
    }
    const left = subtract([whole], parts);
    const proved = await provedIn(run.ledger, request, left);
    const gaps = subtract(left, proved);
    if (gaps.length === 0) return { parts, proved };
    const { history, asOf, purpose } = whole;
    for (const gap of gaps) await store.beginWalk({ ...gap, history, asOf, purpose });
  }
}

const bytesPerRow = 600;
const bytesPerMb = 1_000_000;

/** Before the first rows come, and whenever more are counted. */
async function assertRoom(
  ledger: ExportLedger,
  { items, cursor: { part } }: WalkStep<HistoryRecord>,
): Promise<void> {
  const rows = Math.max(items.length, (part?.count ?? 0) - (part?.rows ?? 0));
  const free = await ledger.freeBytes();
  if (free >= rows * bytesPerRow) return;
  throw new UserFacingError(
    phrase(
      'There is not enough room in the storage of VS Code: {0} rows need about {1} MB, and {2} MB are free. Free some space, then export again.',
      rows,
      Math.ceil((rows * bytesPerRow) / bytesPerMb),
      Math.floor(free / bytesPerMb),
    ),
  );
}

/** Makes the file in the temporary folder, with its meta file, and moves both to the target. */
async function writeRows(
  run: ExportRun,
  ledger: ExportLedger,
  { parts, proved }: Sources,
): Promise<ExportResult> {
  const { plan, request, account, target, clock, writtenBy, signal } = run;
  const { sort } = account[clientKey].conventions.current;
  const rows = new ExportRows({
    ...{ request, parts, proved, signal },
    isOldestFirst: sort === 'oldestFirst',
    own: ledger.store,
    account: run.ledger,
  });
  const made = await makeFile(run, ledger, rows);
  signal.throwIfAborted();
  const stillProved = await provedIn(run.ledger, request, proved);
  const isProofLost = subtract(proved, stillProved).length > 0;
  const result = resultOf(ledger.whole, parts, rows.tally, { proved, isProofLost });
  const digests = await digestsOf(ledger.file, made?.parts);
  const { columns } = made ?? {};
  const file = { path: target, ...digests, columns, endedAt: clock.now(), writtenBy };
  await writeFile(ledger.meta, exportMeta(plan, result, file), { mode: 0o600, flush: true });
  await ledger.noteMade();
  await moveIntoPlace(ledger.file, ledger.meta, target);
  return result;
}

/** Says what columns a format with typed ones has. */
function makeFile(
  { plan, request, writtenBy, onRowsWritten, signal }: ExportRun,
  ledger: ExportLedger,
  rows: ExportRows,
): Promise<WrittenColumns | undefined> {
  const { format, operation: name, profile: account } = plan;
  const fields = exportFields(name);
  const { file } = ledger;
  ledger.removeMade();
  return writeAs({
    ...{ format, file, name, fields, writtenBy, signal },
    partition: { account, operation: ledgerHistoryOf(request) },
    pieces: () => rows.pieces(),
    onRows: onRowsWritten,
  });
}

/** Writes rows in a format. Says what columns one with typed ones has. */
export async function writeAs({
  format,
  ...options
}: Omit<ColumnFileOptions, 'format'> & { readonly format: ExportFormat }): Promise<
  WrittenColumns | undefined
> {
  if (!isColumnFormat(format)) {
    const { file, fields, pieces, onRows } = options;
    await writeText(file, rowSerializer(format, fields), pieces(), onRows);
    return undefined;
  }
  const { writeColumnFile } = await import('./columns/columnFile.ts');
  const columns = await writeColumnFile({ ...options, format });
  if (columns.kind === 'written') return columns;
  throw new UserFacingError(
    phrase(
      'A text of these rows is longer than a cell of a workbook can hold: 32,767 characters. Export them as Parquet: the saved rows are not read again.',
    ),
  );
}
