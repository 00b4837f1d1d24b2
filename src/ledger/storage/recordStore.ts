import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { timeOf } from '../../exchange/history/records.ts';
import { identityOf } from '../../exchange/recordIdentity.ts';
import type { LedgerHistory, RecordPast, SavedWalk, StoredCounts } from '../ledger.ts';
import {
  addSqlValues,
  columnsOf,
  idColumn,
  sqlColumns,
  type StoredColumn,
  type SqlValue,
} from './columns.ts';
import { countChange } from './fileState.ts';
import { idKeySql } from './numberKey.ts';
import { isSameRecord, type RecordJson } from './recordLines.ts';
import { lastRow, numberOf } from './sql.ts';

type Fields = Readonly<Record<string, unknown>>;
type StoredRow = {
  readonly row: number;
  readonly json: RecordJson;
  readonly unlistedSince: number | null;
  walk: number;
};
type NewRecord = { readonly fields: Fields; readonly json: RecordJson };
type RowsOf = (fields: Fields) => readonly StoredRow[];

/** Write a row and its record. */
type Statements = { readonly row: StatementSync; readonly json: StatementSync };

/** What became of a record: what it said before as JSON. */
type StoredPast = Pick<RecordPast, 'unlistedSince'> & {
  readonly versions: readonly { readonly line: RecordJson; readonly replacedAt: number }[];
};

/** Stores the records of one history. */
export class RecordStore {
  private readonly history: LedgerHistory;
  private readonly columns: readonly StoredColumn[];
  /** The field that has the id of a record. */
  private readonly id: string;
  private readonly database: DatabaseSync;
  private readonly find: StatementSync;
  private readonly add: Statements;
  private readonly replace: Statements;
  private readonly confirm: StatementSync;
  private readonly putVersion: StatementSync;
  private readonly addWord: StatementSync;

  constructor(database: DatabaseSync, history: LedgerHistory) {
    this.database = database;
    this.history = history;
    this.columns = columnsOf(history);
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.id = idColumn(history);
    const others = this.columns.filter(({ kind }) => kind !== 'time');
    const names = ['row', 'walk', 'time', ...others.flatMap(sqlColumns), 'hasText'];
    const places = names.map(() => '?').join(', ');
    const statements = (verb: 'INSERT' | 'REPLACE'): Statements => ({
      row: prepare(`${verb} INTO ${history} (${names.join(', ')}) VALUES (${places})`),
      json: prepare(`${verb} INTO ${history}Json (row, json) VALUES (?, ?)`),
    });
    const stored = `SELECT r.row, r.walk, r.unlistedSince, j.json FROM ${history} r JOIN ${history}Json j USING (row)`;
    this.find = prepare(
      `${stored} WHERE r.${this.id} IN (SELECT ${idKeySql('value')} FROM json_each(?)) ORDER BY r.row`,
    );
    // SQLite looks for nothing to replace with each new row.
    this.add = statements('INSERT');
    this.replace = statements('REPLACE');
    this.confirm = prepare(`UPDATE ${history} SET walk = ?, unlistedSince = NULL WHERE row = ?`);
    this.putVersion = prepare(
      'INSERT INTO versions (history, row, json, replacedAt) VALUES (?, ?, ?, ?)',
    );
    this.addWord = prepare('INSERT OR IGNORE INTO words (history, field, word) VALUES (?, ?, ?)');
  }

  /** Stores what one answer of a walk showed. Runs inside of a transaction. */
  save({ id: walk, asOf }: SavedWalk, lines: readonly RecordJson[]): StoredCounts {
    const records = lines.map((json): NewRecord => ({ fields: parsed(json), json }));
    const rowsOf = this.storedRows(records.map(({ fields }) => fields));
    const taken = new Set<StoredRow>();
    const unknown = records.filter((record) => !this.isKnown(walk, record, rowsOf, taken));
    let nextRow = lastRow(this.database, this.history) + 1;
    let changed = 0;
    for (const record of unknown) {
      const older = rowsOf(record.fields).find((each) => each.walk !== walk);
      if (older) {
        this.putVersion.run(this.history, older.row, older.json, asOf);
        this.write(this.replace, older.row, walk, record);
        older.walk = walk;
        changed += 1;
      } else {
        this.write(this.add, nextRow, walk, record);
        nextRow += 1;
      }
    }
    this.addWords(unknown);
    const added = unknown.length - changed;
    return { added, changed };
  }

  /** Whether a row has the same content. Each row accounts for one record of an answer. */
  private isKnown(
    walk: number,
    { fields, json }: NewRecord,
    rowsOf: RowsOf,
    taken: Set<StoredRow>,
  ): boolean {
    const equal = rowsOf(fields).find((each) => !taken.has(each) && isSameRecord(each.json, json));
    if (!equal) return false;
    taken.add(equal);
    if (equal.walk !== walk) this.confirmRow(walk, equal);
    return true;
  }

  /** The exchange lists the row, which may be one that it did not list. */
  private confirmRow(walk: number, stored: StoredRow): void {
    this.confirm.run(walk, stored.row);
    if (stored.unlistedSince !== null) countChange(this.database, this.history);
    stored.walk = walk;
  }

  /**
   * Marks the rows that a complete walk did not show, between the oldest and the newest one that it or a later
   * walk showed: an exchange may drop the oldest rows of a history, and these are not marked.
   */
  markUnlisted({ id, from, to, asOf }: SavedWalk): void {
    const { history, database } = this;
    const within = `SELECT time FROM ${history} WHERE time >= ? AND time < ? AND walk >= ?`;
    const end = (order: 'ASC' | 'DESC'): number =>
      numberOf(database, `${within} ORDER BY time ${order} LIMIT 1`, from, to, id);
    database
      .prepare(
        `UPDATE ${history} SET unlistedSince = ?
         WHERE time > ? AND time < ? AND walk < ? AND unlistedSince IS NULL`,
      )
      .run(asOf, end('ASC'), end('DESC'), id);
  }

  /** What became of a record. */
  pastOf(line: RecordJson): StoredPast {
    const fields = parsed(line);
    const row = this.storedRows([fields])(fields).find(({ json }) => isSameRecord(json, line));
    if (!row) return { unlistedSince: null, versions: [] };
    const versions = this.database
      .prepare(
        `SELECT json AS line, replacedAt FROM versions WHERE history = ? AND row = ? ORDER BY rowid DESC`,
      )
      .all(this.history, row.row)
      .map((version) => ({ line: String(version.line), replacedAt: Number(version.replacedAt) }));
    return { unlistedSince: row.unlistedSince, versions };
  }

  /** Whether each is stored, whatever it says. */
  areStored(records: readonly Fields[]): readonly boolean[] {
    const rowsOf = this.storedRows(records);
    return records.map((fields) => rowsOf(fields).length > 0);
  }

  /** Finds the rows of each of these records. */
  private storedRows(records: readonly Fields[]): RowsOf {
    const ids = records.map((fields) => String(fields[this.id]));
    const found = this.find.all(JSON.stringify(ids)) as StoredRow[];
    const rows = Map.groupBy(found, ({ json }) => identityOf(parsed(json)));
    // Most pages of a download have new records only, which need no identity.
    return rows.size === 0 ? () => [] : (fields) => rows.get(identityOf(fields)) ?? [];
  }

  private write(to: Statements, row: number, walk: number, { fields, json }: NewRecord): void {
    const values: SqlValue[] = [row, walk, timeOf(fields) ?? null];
    for (const { field, kind } of this.columns) addSqlValues(values, kind, fields[field]);
    const hasText = values.some((value) => value instanceof Uint8Array);
    values.push(hasText ? 1 : null);
    to.row.run(...values);
    to.json.run(row, json);
  }

  /** Notes the different values of the fields that have few of them. */
  private addWords(records: readonly NewRecord[]): void {
    for (const { field, kind } of this.columns) {
      if (kind !== 'word') continue;
      const words = new Set(records.map(({ fields }) => fields[field]));
      for (const word of words)
        if (typeof word === 'string') this.addWord.run(this.history, field, word);
    }
  }
}

function parsed(json: RecordJson): Fields {
  return JSON.parse(json) as Fields;
}
