import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { accountTypes } from '../../api/operations.ts';
import { fileNamePart } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import type { AccountType } from '../../exchange/records.ts';
import type { AnalysisReader } from '../../ledger/analysis/analysis.ts';
import { coverageParts } from '../../ledger/coverage/coverageParts.ts';
import { transactionHistories, type LedgerReader, type LedgerWriter } from '../../ledger/ledger.ts';
import { sha256OfFile } from '../export/exportedFile.ts';
import { withFileErrors } from '../export/exportFileError.ts';
import { journalFiles, writeJournals } from './journalFiles.ts';
import {
  describedFiles,
  manifestName,
  manifestText,
  namingBytes,
  parseManifest,
  sha256Of,
  sumsName,
  sumsText,
  type PreviousStatement,
  type StatementContents,
  type StatementFormat,
  type StatementHistory,
  type StatementSource,
} from './manifest.ts';
import {
  isLeftOut,
  monthBefore,
  monthVerdicts,
  nearestCheckpoints,
  openingBalances,
  readHistories,
  type ReadHistory,
  type StatementMonth,
} from './statementMonth.ts';
import { countRows, withNewFile, writeRows, type RowsSource } from './statementRows.ts';

export type StatementLedger = {
  readonly reader: Pick<
    LedgerReader,
    'rows' | 'piece' | 'sums' | 'versions' | 'checkpoints' | 'reconcile'
  > &
    AnalysisReader;
  readonly writer: Pick<LedgerWriter, 'coverage'>;
};

export type StatementRun = {
  readonly ledger: StatementLedger;
  readonly source: StatementSource;
  readonly month: StatementMonth;
  readonly format: StatementFormat;
  /** The folder in which the folder of the statement is made. */
  readonly parent: string;
  /** The name and version of the extension. */
  readonly writtenBy: string;
  /** Called with the share that is done, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
};

export type WrittenStatement = { readonly folder: string; readonly contents: StatementContents };

/** `statement-Main-2026-10`, with the zone if that is not UTC. */
function statementName({ profile }: StatementSource, { name, zone }: StatementMonth): string {
  const parts = ['statement', profile, name, ...(zone.name === 'UTC' ? [] : [zone.name])];
  return parts
    .map(fileNamePart)
    .filter((part) => part !== '')
    .join('-');
}

/**
 * Writes the statement of a month as a new folder, which has its name only once it is whole. Rejects with
 * UserFacingError, ExportFileError, LedgerError or the signal's reason, and leaves nothing then.
 */
export function writeStatement(run: StatementRun): Promise<WrittenStatement> {
  return withFileErrors('target', () => writeFolder(run));
}

async function writeFolder(run: StatementRun): Promise<WrittenStatement> {
  const folder = path.join(run.parent, statementName(run.source, run.month));
  if (existsSync(folder)) throw alreadyThere(folder);
  const draft = `${folder}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await mkdir(draft, { mode: 0o700 });
    const contents = await writeFiles(run, draft);
    run.signal.throwIfAborted();
    // An empty folder would be replaced.
    if (existsSync(folder)) throw alreadyThere(folder);
    await rename(draft, folder);
    return { folder, contents };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function alreadyThere(folder: string): UserFacingError {
  return new UserFacingError(
    phrase(
      'Nothing was written: “{0}” is already in this folder, and stays as it is. Choose another folder, or move it away first.',
      path.basename(folder),
    ),
  );
}

async function writeFiles(run: StatementRun, folder: string): Promise<StatementContents> {
  const { ledger, source, month, format, writtenBy, signal } = run;
  const planned = await plannedHistories(run);
  const wanted = planned.filter((history) => !isLeftOut(history));
  const report = await ledger.reader.reconcile();
  signal.throwIfAborted();
  const start = await nearestCheckpoints(ledger.reader, month.from);
  const end = await nearestCheckpoints(ledger.reader, month.to);
  const openings = await openingBalances(ledger.reader, month.from);
  const rowsOf = rowsSource(run, folder, wanted);
  const histories: StatementHistory[] = [];
  for (const { history, reads } of wanted) {
    const file = `${history}.${format}`;
    const written = await writeRows(rowsOf, history, file);
    histories.push({ history, file, ...written, parts: coverageParts(history, reads, month) });
  }
  const journal = await writeJournals(run, rowsOf, openings, incompleteAccounts(histories));
  await requireSameRows(run, rowsOf, planned);
  const contents: StatementContents = {
    source,
    month,
    format,
    histories,
    start,
    end,
    ...journal,
    writtenBy,
    leftOut: planned.filter(isLeftOut).map(({ history }) => history),
    verdicts: monthVerdicts(report, month),
    files: await describedFiles(folder, [...histories.map(({ file }) => file), ...journalFiles]),
    previous: await previousStatement(run),
  };
  const manifest = manifestText(contents);
  const texts = {
    [manifestName]: manifest,
    [sumsName]: sumsText(contents.files, sha256Of(manifest)),
  };
  for (const [name, text] of Object.entries(texts))
    await withNewFile(path.join(folder, name), (file) => file.appendFile(text));
  return contents;
}

function incompleteAccounts(histories: readonly StatementHistory[]): readonly AccountType[] {
  return accountTypes.filter((accountType) =>
    histories
      .filter(({ history }) => history === transactionHistories[accountType])
      .some(({ parts }) => parts.some((part) => part.completeness !== 'complete')),
  );
}

/** The transactions are read a second time, for the journals. */
function rowsSource(
  { ledger, month, format, writtenBy, onProgress, signal }: StatementRun,
  folder: string,
  wanted: readonly PlannedHistory[],
): RowsSource {
  const booked = wanted.filter(({ history }) => history.endsWith('Transactions'));
  const total = [...wanted, ...booked].reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const onRows = (rows: number): void =>
    onProgress(Math.min(1, (done += rows) / Math.max(1, total)));
  return { reader: ledger.reader, period: month, folder, format, writtenBy, onRows, signal };
}

/** That of the same account and zone: names that differ may give one folder name. */
async function previousStatement({
  source,
  month,
  parent,
}: StatementRun): Promise<PreviousStatement | null> {
  const before = monthBefore(month);
  const folder = statementName(source, before);
  const bytes = await namingBytes(path.join(parent, folder, manifestName)).catch(() => noBytes);
  const { profile, environment, origin, month: name, zone } = parseManifest(bytes) ?? {};
  const isPrevious = isDeepStrictEqual(
    { profile, environment, origin, name, zone },
    { ...source, name: before.name, zone: before.zone.name },
  );
  return isPrevious ? { folder, manifestSha256: sha256Of(bytes) } : null;
}

const noBytes = Buffer.alloc(0);

/** A history as it was when its statement was begun. */
type PlannedHistory = ReadHistory & { readonly rows: number; readonly version: string };

async function plannedHistories({
  ledger: { reader, writer },
  month,
}: StatementRun): Promise<readonly PlannedHistory[]> {
  const versions = await reader.versions();
  const planned: PlannedHistory[] = [];
  for (const read of await readHistories(writer)) {
    const rows = await countRows(reader, read.history, month);
    planned.push({ ...read, rows, version: versions[read.history] });
  }
  return planned;
}

/** A month that is being read may have got rows meanwhile, which one file has and another lacks. */
async function requireSameRows(
  { ledger: { reader } }: StatementRun,
  source: RowsSource,
  planned: readonly PlannedHistory[],
): Promise<void> {
  const versions = await reader.versions();
  for (const each of planned) {
    if (versions[each.history] === each.version || (await hasSameRows(source, each))) continue;
    throw new UserFacingError(
      phrase(
        'Nothing was written: the ledger got rows of this month meanwhile. Write the statement again.',
      ),
    );
  }
}

/** Of a history that changed, if only in another month. */
async function hasSameRows(source: RowsSource, planned: PlannedHistory): Promise<boolean> {
  const { reader, period, folder, format } = source;
  const { history, rows } = planned;
  if ((await countRows(reader, history, period)) !== rows) return false;
  if (isLeftOut(planned)) return true;
  const again = `${history}.again`;
  await writeRows(source, history, again);
  const hash = (file: string): Promise<string> => sha256OfFile(path.join(folder, file));
  const isSame = (await hash(`${history}.${format}`)) === (await hash(again));
  await rm(path.join(folder, again));
  return isSame;
}
