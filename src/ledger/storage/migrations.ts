import type { DatabaseSync } from 'node:sqlite';
import { LedgerError } from '../ledgerError.ts';
import { ledgerHistoryNames, type LedgerHistory } from '../ledger.ts';
import { columnsOf, idColumn, sqlColumns, sqlType, type Column } from './columns.ts';
import { numberOf, inTransaction } from './sql.ts';

/** Marks a SQLite file as a ledger: `MDLG`. */
export const applicationId = 0x4d444c47;

/** Each brings a file of the version before to the next one. A migration that was released never changes. */
export const migrations: readonly ((database: DatabaseSync) => void)[] = [createTables];

/** Brings the file to the newest version in one transaction; throws if it is of a newer one. */
export function migrate(database: DatabaseSync, steps = migrations): void {
  if (versionOf(database) === steps.length) return;
  inTransaction(database, () => {
    const version = versionOf(database);
    if (version > steps.length) throw new LedgerError('newer');
    for (const step of steps.slice(version)) step(database);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
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
    CREATE TABLE checkpoints (
      sentAt INTEGER NOT NULL, answeredAt INTEGER NOT NULL, json TEXT NOT NULL
    );
    CREATE INDEX checkpointsByTime ON checkpoints (answeredAt);
    CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  `);
}

function tablesOf(history: LedgerHistory): string[] {
  const columns = columnsOf(history);
  const definitions = columns.flatMap((column) =>
    sqlColumns(column).map((name) => `${name} ${sqlType(column)}`),
  );
  const id = idColumn(history);
  return [
    `CREATE TABLE ${history} (
      row INTEGER PRIMARY KEY, walk INTEGER NOT NULL, unlistedSince INTEGER, hasText INTEGER,
      ${definitions.join(', ')}
    )`,
    `CREATE TABLE ${history}Json (row INTEGER PRIMARY KEY, json TEXT NOT NULL)`,
    // Walks read the newest rows first: in descending order they are appended.
    `CREATE INDEX ${history}ByTime ON ${history} (time DESC, ${id} DESC)`,
    // The few rows with a number of so many digits that it is stored as text.
    `CREATE INDEX ${history}WithText ON ${history} (hasText) WHERE hasText = 1`,
    // The few rows that the exchange no longer lists.
    `CREATE INDEX ${history}Unlisted ON ${history} (unlistedSince) WHERE unlistedSince IS NOT NULL`,
    ...columns.flatMap((column) => indexesOf(history, column)),
  ];
}

function indexesOf(history: LedgerHistory, { field, kind }: Column): string[] {
  const start = `CREATE INDEX ${history}By${field} ON ${history}`;
  if (kind === 'id') return [`${start} (${field} DESC)`];
  return kind === 'reference' ? [`${start} (${field}) WHERE ${field} IS NOT NULL`] : [];
}
