import path from 'node:path';
import * as v from 'valibot';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { fileNamePart } from '../../base/cleanText.ts';
import { UserFacingError } from '../../base/errors.ts';
import { phrase } from '../../base/phrase.ts';
import type { AccountType } from '../../exchange/records.ts';
import type { AnalysisReader } from '../../ledger/analysis/analysis.ts';
import { coverageParts } from '../../ledger/coverage/coverageParts.ts';
import type { LedgerReader, LedgerWriter } from '../../ledger/ledger.ts';
import { withFileErrors } from '../export/exportFileError.ts';
import {
  manifestName,
  manifestText,
  sha256OfText,
  sumsName,
  sumsText,
  type PreviousStatement,
  type StatementContents,
  type StatementFormat,
  type StatementHistory,
  type StatementSource,
} from './manifest.ts';
import { monthVerdicts } from './monthVerdicts.ts';
import { nearestCheckpoints } from './nearestCheckpoints.ts';
import { accountTypes, openingBalances, transactionHistories } from './openingBalances.ts';
import { isLeftOut, readHistories, type ReadHistory } from './statementCoverage.ts';
import { describedFiles, sha256OfFile } from './statementFiles.ts';
import { monthBefore, type StatementMonth } from './statementMonth.ts';
import {
  withNewFile,
  writeRows,
  type RowsSource,
  countRows,
  transactionsOf,
} from './statementRows.ts';
import { commoditiesOf } from './commodities.ts';
import { JournalBooks, type JournalItem, type OpeningBalance } from './journal.ts';
import { journalAccounts, type JournalAccounts } from './journalAccounts.ts';
import { journalLanguages, type JournalHead } from './journalLanguages.ts';

export type StatementLedger = {
  readonly reader: Pick<LedgerReader, 'rows' | 'sums' | 'versions' | 'checkpoints' | 'reconcile'> &
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
export async function writeStatement(run: StatementRun): Promise<WrittenStatement> {
  const folder = path.join(run.parent, statementName(run.source, run.month));
  if (existsSync(folder)) throw alreadyThere(folder);
  const draft = `${folder}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await withFileErrors('target', () => mkdir(draft, { mode: 0o700 }));
    const contents = await withFileErrors('target', () => writeFiles(run, draft));
    run.signal.throwIfAborted();
    // An empty folder would be replaced.
    if (existsSync(folder)) throw alreadyThere(folder);
    await withFileErrors('target', () => rename(draft, folder));
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

async function writeFiles(run: StatementRun, draft: string): Promise<StatementContents> {
  const { ledger, source, month, format, writtenBy, signal } = run;
  const planned = await plannedHistories(run);
  const wanted = planned.filter((history) => !isLeftOut(history));
  const report = await ledger.reader.reconcile();
  signal.throwIfAborted();
  const start = await nearestCheckpoints(ledger.reader, month.from);
  const end = await nearestCheckpoints(ledger.reader, month.to);
  const openings = await openingBalances(ledger.reader, month.from);
  const rowsSource = progressing(run, wanted);
  const histories: StatementHistory[] = [];
  for (const each of wanted) {
    const { history, reads } = each;
    const file = `${history}.${format}`;
    const target = path.join(draft, file);
    const written = await writeRows(rowsSource, history, format, target, writtenBy);
    histories.push({ history, file, ...written, parts: coverageParts(history, reads, month) });
  }
  const incomplete = incompleteAccounts(histories);
  const journal = await writeJournals({ ...run, openings, rowsSource, folder: draft, incomplete });
  await requireSameRows({ ...run, rowsSource, folder: draft, histories }, planned);
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
    files: await describedFiles(draft, [...histories.map(({ file }) => file), ...journalFiles]),
    previous: await previousStatement(run),
  };
  const manifest = manifestText(contents);
  const texts = {
    [manifestName]: manifest,
    [sumsName]: sumsText(contents.files, sha256OfText(manifest)),
  };
  for (const [name, text] of Object.entries(texts))
    await withNewFile(path.join(draft, name), (file) => file.appendFile(text));
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
function progressing(
  { ledger, month, onProgress, signal }: StatementRun,
  wanted: readonly PlannedHistory[],
): RowsSource {
  const count = (histories: readonly PlannedHistory[]): number =>
    histories.reduce((sum, { rows }) => sum + rows, 0);
  const booked = wanted.filter(({ history }) => history.endsWith('Transactions'));
  const total = count(wanted) + count(booked);
  let done = 0;
  const onRows = (rows: number): void =>
    onProgress(Math.min(1, (done += rows) / Math.max(1, total)));
  return { reader: ledger.reader, period: month, onRows, signal };
}

/** That of the same account and zone: names that differ may give one folder name. */
async function previousStatement({
  source,
  month,
  parent,
}: StatementRun): Promise<PreviousStatement | null> {
  const before = monthBefore(month);
  const folder = statementName(source, before);
  const manifest = path.join(parent, folder, manifestName);
  const subject = { ...source, month: before.name, zone: before.zone.name };
  if (!isDeepStrictEqual(await subjectOf(manifest), subject)) return null;
  return { folder, manifestSha256: await sha256OfFile(manifest) };
}

const subjectSchema = v.object({
  profile: v.string(),
  environment: v.string(),
  origin: v.string(),
  month: v.string(),
  zone: v.string(),
});

/** Whose statement it is, and of which month; undefined if no statement is there. */
async function subjectOf(
  manifest: string,
): Promise<v.InferOutput<typeof subjectSchema> | undefined> {
  try {
    return v.parse(subjectSchema, JSON.parse(await readFile(manifest, 'utf8')));
  } catch {
    return undefined;
  }
}

type MonthOfLedger = {
  readonly ledger: {
    readonly reader: Pick<LedgerReader, 'rows' | 'versions'>;
    readonly writer: Pick<LedgerWriter, 'coverage'>;
  };
  readonly month: StatementMonth;
};

/** A history as it was when its statement was begun. */
type PlannedHistory = ReadHistory & { readonly rows: number; readonly version: string };

async function plannedHistories({
  ledger,
  month,
}: MonthOfLedger): Promise<readonly PlannedHistory[]> {
  const versions = await ledger.reader.versions();
  const planned: PlannedHistory[] = [];
  for (const read of await readHistories(ledger.writer)) {
    const rows = await countRows(ledger.reader, read.history, month);
    planned.push({ ...read, rows, version: versions[read.history] });
  }
  return planned;
}

type WrittenHistories = MonthOfLedger & {
  readonly format: StatementFormat;
  readonly writtenBy: string;
  readonly rowsSource: RowsSource;
  readonly folder: string;
  readonly histories: readonly StatementHistory[];
};

/** A month that is being read may have got rows meanwhile, which one file has and another lacks. */
async function requireSameRows(
  written: WrittenHistories,
  planned: readonly PlannedHistory[],
): Promise<void> {
  const versions = await written.ledger.reader.versions();
  for (const history of planned) {
    if (versions[history.history] === history.version) continue;
    if (!(await hasSameRows(written, history)))
      throw new UserFacingError(
        phrase(
          'Nothing was written: the ledger got rows of this month meanwhile. Write the statement again.',
        ),
      );
  }
}

/** Of a history that changed, if only in another month. */
async function hasSameRows(
  { ledger, month, format, writtenBy, rowsSource, folder, histories }: WrittenHistories,
  planned: PlannedHistory,
): Promise<boolean> {
  const { history, rows } = planned;
  if ((await countRows(ledger.reader, history, month)) !== rows) return false;
  const file = histories.find((each) => each.history === history)?.file;
  if (isLeftOut(planned) || file === undefined) return true;
  const [first, again] = [path.join(folder, file), path.join(folder, `${file}.again`)];
  await writeRows(rowsSource, history, format, again, writtenBy);
  const isSame = (await sha256OfFile(first)) === (await sha256OfFile(again));
  await rm(again);
  return isSame;
}

type JournalsOptions = {
  readonly ledger: { readonly reader: Pick<LedgerReader, 'sums'> };
  readonly source: StatementSource;
  readonly month: StatementMonth;
  readonly openings: readonly OpeningBalance[];
  readonly rowsSource: RowsSource;
  readonly folder: string;
  /** Transactions of these may be missing. */
  readonly incomplete: readonly AccountType[];
};

type WriteItems = (items: readonly JournalItem[]) => Promise<void>;

/** Few enough to be written without blocking the window. */
const batchSize = 2000;

const journalFiles: readonly string[] = journalLanguages.map(({ file }) => file);

/** Writes every transaction of the month, in each language. */
async function writeJournals(
  options: JournalsOptions,
): Promise<Pick<StatementContents, 'commodities' | 'balances'>> {
  const { source, month, openings, folder, incomplete } = options;
  const commodities = commoditiesOf(await assetsOf(options));
  const accounts = journalAccounts(source.profile);
  const books = new JournalBooks({ month, accounts, commodities, openings });
  const head = { environment: source.environment, month, accounts, commodities, incomplete };
  await inEveryLanguage(folder, head, (write) => bookAll(options.rowsSource, books, write));
  const opened = openingsByFigure(accounts, commodities, openings);
  const balances = books.balances.map(({ account, commodity, balance: closing }) => {
    const opening = opened.get(`${account} ${commodity}`) ?? null;
    const isKnown = incomplete.every((accountType) => accounts.ofMoney[accountType] !== account);
    return { account, commodity, opening, closing: isKnown ? closing : null };
  });
  return { commodities, balances };
}

async function assetsOf({ ledger, month, openings }: JournalsOptions): Promise<readonly string[]> {
  const query = { period: month, filters: {}, search: '', sort: null };
  const sums = (accountType: AccountType) =>
    ledger.reader.sums({ ...query, history: transactionHistories[accountType] }, ['amount']);
  const moved = [...(await sums('FUTURE')), ...(await sums('SPOT'))];
  return [...moved.map(({ unit }) => unit ?? ''), ...openings.map(({ asset }) => asset)];
}

/** All journals are written side by side, from one read of the rows. */
async function inEveryLanguage(
  folder: string,
  head: JournalHead,
  book: (write: WriteItems) => Promise<void>,
): Promise<void> {
  let withJournals = book;
  for (const { file: name, header, item } of journalLanguages) {
    const inner = withJournals;
    withJournals = (write) =>
      withNewFile(path.join(folder, name), async (file) => {
        await file.appendFile(header(head));
        await inner(async (items) => {
          await file.appendFile(items.map(item).join(''));
          await write(items);
        });
      });
  }
  await withJournals(() => Promise.resolve());
}

async function bookAll(source: RowsSource, books: JournalBooks, write: WriteItems): Promise<void> {
  let waiting: JournalItem[] = [...books.open()];
  for await (const { accountType, transaction, epochMs } of transactionsOf(source)) {
    waiting.push(...books.add(accountType, transaction, epochMs));
    if (waiting.length < batchSize) continue;
    await write(waiting);
    waiting = [];
  }
  await write([...waiting, ...books.close()]);
}

function openingsByFigure(
  accounts: JournalAccounts,
  commodities: ReadonlyMap<string, string>,
  openings: readonly OpeningBalance[],
): ReadonlyMap<string, string> {
  return new Map(
    openings.map(({ accountType, asset, amount }) => [
      `${accounts.ofMoney[accountType]} ${commodities.get(asset)}`,
      amount,
    ]),
  );
}
