import type { BotBook, BotName } from './comparison.ts';
import { BotFileError, withCopy, type BotFileProblem } from './fileCopy.ts';
import { freqtradeBook } from './freqtrade.ts';
import { hummingbotBook } from './hummingbot.ts';
import { guessMapping, mappedBook, type BotMapping } from './mapping.ts';
import { readTables, type Table } from './tables.ts';
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
  /** The first five, by column. */
  readonly rows: readonly Readonly<Record<string, string | null>>[];
};

export type BotFilePreview = {
  readonly bot: BotName | null;
  readonly tables: readonly PreviewedTable[];
};

export type Problem = { readonly problem: BotFileProblem };

const previewRows = 5;

export function previewBotFile(file: string): BotFilePreview | Problem {
  return orProblem(() =>
    withCopy(file, (copy) =>
      readTables(copy, (tables, database) => ({
        bot: knownBook(database, tables)?.bot ?? null,
        tables: tables.map(previewOf),
      })),
    ),
  );
}

/** Throws BotFileError. */
export function readBotBook({ file, table, mapping }: BotSource): BotBook {
  return withCopy(file, (copy) =>
    readTables(copy, (tables, database) => {
      const known = mapping === null ? knownBook(database, tables) : null;
      if (known) return known;
      const found = tables.find(({ name }) => name === table);
      if (!found || mapping === null) throw new BotFileError('changed');
      return mappedBook(found, mapping);
    }),
  );
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
  const first = [...rows(previewRows)].map(({ values }) => values);
  return { name, columns, guess: guessMapping(columns), rows: first };
}
