import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { idOf, timeOf } from '../../exchange/history/historyRecords.ts';
import type { LedgerHistory, StoredCounts } from '../ledger.ts';
import {
  columnsOf,
  idColumn,
  sqlColumns,
  sqlValues,
  type Column,
  type SqlValue,
} from './columns.ts';
import { idKey } from './numberKey.ts';
import { isSameRecord, type RecordJson } from './recordLines.ts';
import { numberOf } from './sql.ts';

type Fields = Readonly<Record<string, unknown>>;
type StoredRow = { readonly row: number; readonly json: RecordJson; walk: number };
type NewRecord = { readonly fields: Fields; readonly json: RecordJson };

/** Stores the records of one history. Its methods run inside of a transaction. */
export class RecordStore {
  private readonly history: LedgerHistory;
  private readonly columns: readonly Column[];
  private readonly idField: string;
  private readonly database: DatabaseSync;
  private readonly find: StatementSync;
  private readonly findText: StatementSync;
  private readonly put: StatementSync;
  private readonly putJson: StatementSync;
  private readonly confirm: StatementSync;
  private readonly keepVersion: StatementSync;
  private readonly addWord: StatementSync;

  constructor(database: DatabaseSync, history: LedgerHistory) {
    this.database = database;
    this.history = history;
    this.columns = columnsOf(history);
    this.idField = idColumn(history);
    const names = ['row', 'walk', 'time', ...this.columns.flatMap(storedApart)];
    const places = names.map(() => '?').join(', ');
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    const stored = `SELECT r.row, r.walk, j.json FROM ${history} r JOIN ${history}Json j USING (row)`;
    this.find = prepare(
      `${stored} WHERE r.${this.idField} IN (SELECT value FROM json_each(?)) ORDER BY r.row`,
    );
    this.findText = prepare(`${stored} WHERE r.${this.idField} = ? ORDER BY r.row`);
    this.put = prepare(`REPLACE INTO ${history} (${names.join(', ')}) VALUES (${places})`);
    this.putJson = prepare(`REPLACE INTO ${history}Json (row, json) VALUES (?, ?)`);
    this.confirm = prepare(`UPDATE ${history} SET walk = ? WHERE row = ?`);
    this.keepVersion = prepare(
      'INSERT INTO versions (history, row, walk, json) VALUES (?, ?, ?, ?)',
    );
    this.addWord = prepare('INSERT OR IGNORE INTO words (history, field, word) VALUES (?, ?, ?)');
  }

  /** Stores what one answer of a walk showed. */
  save(walk: number, lines: readonly RecordJson[]): StoredCounts {
    const records = lines.map((json): NewRecord => ({ json, fields: JSON.parse(json) as Fields }));
    const storedById = this.storedRows(records);
    const counts = { added: 0, changed: 0, unchanged: 0 };
    const words = new Set<string>();
    let nextRow = numberOf(this.database, `SELECT max(row) FROM ${this.history}`) + 1;
    const write = (row: number, record: NewRecord): void => this.write(row, walk, record, words);
    for (const [id, group] of groupById(records)) {
      const stored = storedById.get(id) ?? [];
      const unknown = this.withoutKnown(walk, stored, group);
      counts.unchanged += group.length - unknown.length;
      for (const record of unknown) {
        const older = stored.find((each) => each.walk !== walk);
        if (older) {
          this.keepVersion.run(this.history, older.row, older.walk, older.json);
          write(older.row, record);
          older.walk = walk;
          counts.changed += 1;
        } else {
          write(nextRow, record);
          nextRow += 1;
          counts.added += 1;
        }
      }
    }
    return counts;
  }

  /** The records of a group that are not stored yet; each stored one accounts for one that is equal to it. */
  private withoutKnown(
    walk: number,
    stored: readonly StoredRow[],
    group: readonly NewRecord[],
  ): readonly NewRecord[] {
    if (stored.length === 0) return group;
    const free = new Set(stored);
    return group.filter(({ json }) => {
      const equal = [...free].find((each) => isSameRecord(each.json, json));
      if (!equal) return true;
      free.delete(equal);
      if (equal.walk !== walk) this.confirm.run(walk, equal.row);
      equal.walk = walk;
      return false;
    });
  }

  private storedRows(records: readonly NewRecord[]): ReadonlyMap<string, StoredRow[]> {
    const keys = new Set(records.map(({ fields }) => idKey(String(fields[this.idField]))));
    const integers = [...keys].filter((key) => typeof key === 'number' || typeof key === 'bigint');
    const texts = [...keys].filter((key) => key instanceof Uint8Array);
    const rows = [
      ...this.find.all(`[${integers.join()}]`),
      ...texts.flatMap((key) => this.findText.all(key)),
    ] as StoredRow[];
    return Map.groupBy(rows, ({ json }) => idOf(JSON.parse(json) as object));
  }

  private write(row: number, walk: number, { fields, json }: NewRecord, words: Set<string>): void {
    const values: SqlValue[] = [row, walk, timeOf(fields) ?? null];
    for (const { field, kind } of this.columns) {
      const value = fields[field];
      if (kind === 'word' && typeof value === 'string') this.noteWord(field, value, words);
      for (const part of sqlValues(kind, value)) values.push(part);
    }
    this.put.run(...values);
    this.putJson.run(row, json);
  }

  private noteWord(field: string, word: string, words: Set<string>): void {
    const key = `${field} ${word}`;
    if (words.has(key)) return;
    words.add(key);
    this.addWord.run(this.history, field, word);
  }
}

function groupById(records: readonly NewRecord[]): ReadonlyMap<string, NewRecord[]> {
  return Map.groupBy(records, ({ fields }) => idOf(fields));
}

/** The time is stored in milliseconds, whatever its field is called. */
function storedApart(column: Column): readonly string[] {
  return column.kind === 'time' ? [] : sqlColumns(column);
}
