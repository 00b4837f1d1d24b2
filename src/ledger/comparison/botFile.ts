import { emptyBook, type BotBook, type BotName } from './comparison.ts';
import { BotFileError, type BotFileProblem } from './fileCopy.ts';
import { freqtradeBook } from './freqtrade.ts';
import { hummingbotBook } from './hummingbot.ts';
import { bookRows, guessMapping, isUsable, type BotMapping } from './mapping.ts';
import { withTables, type Table, type TableRow } from './tables.ts';
import type { DatabaseSync } from 'node:sqlite';

/** Which rows of a file are compared. */
export type BotSource = {
  readonly file: string;
  /** Of a database without a known schema. */
  readonly table: string | null;
  /** Null for a bot whose schema is known. */
  readonly mapping: BotMapping | null;
};

type PreviewedTable = {
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly guess: BotMapping;
  /** The first five. */
  readonly rows: readonly TableRow['values'][];
};

export type BotFilePreview = {
  readonly bot: BotName | null;
  readonly tables: readonly PreviewedTable[];
};

export type Problem = { readonly problem: BotFileProblem };

const previewRows = 5;

export function previewBotFile(file: string): BotFilePreview | Problem {
  return orProblem(() =>
    withTables(file, (tables, database) => ({
      bot: knownBook(database, tables)?.bot ?? null,
      tables: tables.map(previewOf),
    })),
  );
}

/** Runs `work` with the books, which are read from a copy meanwhile. Throws BotFileError. */
export function withBotBook<Result>(
  { file, table, mapping }: BotSource,
  work: (book: BotBook) => Result,
): Result {
  return withTables(file, (tables, database) => {
    const known = mapping === null ? knownBook(database, tables) : null;
    const own = tables.find(({ name }) => name === table);
    return work(known ?? mappedBook(own, mapping));
  });
}

function mappedBook(table: Table | undefined, mapping: BotMapping | null): BotBook {
  const isGone = (column: string): boolean => !table?.columns.includes(column);
  if (!table || !mapping || !isUsable(mapping) || Object.values(mapping).some(isGone))
    throw new BotFileError('changed');
  return { ...emptyBook, ...bookRows(table, mapping) };
}

export function orProblem<Result>(work: () => Result): Result | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof BotFileError) return { problem: error.problem };
    throw error;
  }
}

function knownBook(database: DatabaseSync | null, tables: readonly Table[]): BotBook | null {
  return database && (freqtradeBook(database, tables) ?? hummingbotBook(database, tables));
}

function previewOf({ name, columns, rows }: Table): PreviewedTable {
  const first: TableRow['values'][] = [];
  for (const row of rows()) {
    if (row) first.push(row.values);
    if (first.length === previewRows) break;
  }
  return { name, columns, guess: guessMapping(columns), rows: first };
}
