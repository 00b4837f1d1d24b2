import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledgerError.ts';
import { ledgerHistoryNames, type LedgerHistory } from '../ledger.ts';
import { columnsOf, idColumn, lacksFigure, sqlColumns } from './columns.ts';
import { numberOf, inTransaction } from './sql.ts';

/** Marks a SQLite file as a ledger: `MDle`. */
export const applicationId = 0x4d446c65;

/**
 * Each brings a file of the version before to the next one, the first one a file of version 1. A migration that
 * was released never changes, and uses nothing that may change. One for a new field adds its columns, moves the
 * value that earlier records have in `extra`, and gives the other records null.
 */
export const migrations: Migrations = [];

export type Migrations = readonly ((database: DatabaseSync) => void)[];

/**
 * Brings the file to the newest version in one transaction: a new file gets its tables as they are now. Throws if it is
 * of a newer version.
 */
export function migrate(database: DatabaseSync, steps = migrations): void {
  inTransaction(database, () => {
    assertNotNewer(database, steps);
    const version = versionOf(database);
    if (version === 0) createTables(database);
    else for (const step of steps.slice(version - 1)) step(database);
    database.exec(`PRAGMA user_version = ${steps.length + 1}`);
  });
}

export function assertNotNewer(database: DatabaseSync, steps = migrations): void {
  if (versionOf(database) <= steps.length + 1) return;
  throw new LedgerError('newer', '', { file: database.location() ?? '' });
}

export function versionOf(database: DatabaseSync): number {
  return numberOf(database, 'PRAGMA user_version');
}

/**
 * Each history has a table of what is sorted, filtered and summed, and one of the records themselves: what is
 * scanned is a third as large without them.
 */
function createTables(database: DatabaseSync): void {
  for (const history of ledgerHistoryNames) for (const sql of tablesOf(history)) database.exec(sql);
  database.exec(`
    PRAGMA application_id = ${applicationId};
    CREATE TABLE versions (
      history TEXT NOT NULL, row INTEGER NOT NULL, json TEXT NOT NULL, replacedAt INTEGER NOT NULL
    );
    CREATE INDEX versionsByRow ON versions (history, row);
    CREATE TABLE words (
      history TEXT NOT NULL, field TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (history, field, word)
    ) WITHOUT ROWID;
    CREATE TABLE walks (
      id INTEGER PRIMARY KEY AUTOINCREMENT, history TEXT NOT NULL, "from" INTEGER NOT NULL,
      "to" INTEGER NOT NULL, cursor TEXT NOT NULL, asOf INTEGER NOT NULL, purpose TEXT NOT NULL,
      isPaused INTEGER NOT NULL
    );
    CREATE TABLE coverage (
      history TEXT NOT NULL, "from" INTEGER NOT NULL, "to" INTEGER NOT NULL, completeness TEXT NOT NULL,
      reason TEXT, asOf INTEGER NOT NULL
    );
    CREATE TABLE oldestRows (
      history TEXT NOT NULL, time INTEGER NOT NULL, firstSeenAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL,
      PRIMARY KEY (history, time)
    ) WITHOUT ROWID;
    CREATE TABLE checkpoints (
      sentAt INTEGER NOT NULL, answeredAt INTEGER NOT NULL, json TEXT NOT NULL
    );
    CREATE INDEX checkpointsByTime ON checkpoints (answeredAt);
    CREATE TABLE symbols (
      symbol TEXT PRIMARY KEY, marginAsset TEXT NOT NULL, quoteAsset TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  `);
}

function tablesOf(history: LedgerHistory): readonly string[] {
  const stored = columnsOf(history);
  const columns = stored.flatMap((column) => {
    const type = column.kind === 'reference' || column.kind === 'word' ? 'TEXT' : 'INTEGER';
    return sqlColumns(column).map((name) => `${name} ${type}`);
  });
  const ids = stored.filter(({ kind }) => kind === 'id');
  const references = stored.filter(({ kind }) => kind === 'reference');
  return [
    `CREATE TABLE ${history} (
      row INTEGER PRIMARY KEY, walk INTEGER NOT NULL, unlistedSince INTEGER, hasText INTEGER,
      ${columns.join(', ')}
    )`,
    `CREATE TABLE ${history}Json (row INTEGER PRIMARY KEY, json TEXT NOT NULL)`,
    // Walks read the newest rows first: in descending order they are appended.
    `CREATE INDEX ${history}ByTime ON ${history} (time DESC, ${idColumn(history)} DESC)`,
    // The few rows with a number that has too many digits and is stored as text.
    `CREATE INDEX ${history}WithText ON ${history} (hasText) WHERE hasText = 1`,
    // The few rows that lack a figure.
    `CREATE INDEX ${history}Lacking ON ${history} (time) WHERE ${lacksFigure(history)}`,
    // The few rows that the exchange no longer lists.
    `CREATE INDEX ${history}Unlisted ON ${history} (unlistedSince) WHERE unlistedSince IS NOT NULL`,
    ...ids.map(({ field }) => `CREATE INDEX ${history}By${field} ON ${history} (${field} DESC)`),
    ...references.map(
      ({ field }) =>
        `CREATE INDEX ${history}By${field} ON ${history} (${field}) WHERE ${field} IS NOT NULL`,
    ),
  ];
}
