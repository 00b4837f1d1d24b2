import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import Papa from 'papaparse';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { quotedSqlName } from './rowSql.ts';
import { parseBotTime } from './botValues.ts';
import type { BotField, BotPlace, BotRow } from './comparison.ts';
import { BotFileError } from './fileCopy.ts';

/** Values of a file as text, with all of their digits. */
export type TableRow<Name extends string = string> = {
  readonly id: string;
  readonly values: Readonly<Record<Name, string | null>>;
};

/** A table of a database, or a text of rows, which has no name. */
export type Table = {
  readonly name: string | null;
  readonly columns: readonly string[];
  /** The column that tells its rows apart, if there is one. */
  readonly key: BotPlace['key'];
  readonly rows: (limit?: number) => Iterable<TableRow>;
};

const sqliteStart = 'SQLite format 3\0';

/** Runs `work` with the database, or with the only table of a text. */
export function readTables<Result>(
  copy: string,
  work: (tables: readonly Table[], database: DatabaseSync | null) => Result,
): Result {
  const bytes = readFileSync(copy);
  if (bytes.subarray(0, sqliteStart.length).toString('latin1') !== sqliteStart)
    return work([textTable(bytes)], null);
  // Its own copy is written: what stands in a log beside it has to come into it.
  const database = new DatabaseSync(copy);
  try {
    if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok')
      throw new BotFileError('broken');
    return work(tablesOf(database), database);
  } finally {
    database.close();
  }
}

function tablesOf(database: DatabaseSync): Table[] {
  const found = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all();
  return found.map(({ name }) => databaseTable(database, String(name)));
}

function databaseTable(database: DatabaseSync, name: string): Table {
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(name)
    .map((row) => String(row.name));
  const rows = (limit = -1): Iterable<TableRow> =>
    queryRows(database, `SELECT * FROM ${quotedSqlName(name)} LIMIT ${limit}`, columns);
  return { name, columns, key: columns.includes('id') ? 'id' : null, rows };
}

/** Rows by their `id`, else by their number. A float is written with the digits that tell it apart. */
export function* queryRows<Name extends string>(
  database: DatabaseSync,
  sql: string,
  columns: readonly Name[],
): Generator<TableRow<Name>> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  let number = 0;
  for (const row of statement.iterate()) {
    number += 1;
    const texts = columns.map((column) => [column, textOf(row[column])] as const);
    const values = Object.fromEntries(texts) as TableRow<Name>['values'];
    yield { id: textOf(row.id) ?? String(number), values };
  }
}

/** The rows of a query that names its columns as fields. */
export function bookRows(
  database: DatabaseSync,
  { table, key }: Pick<BotPlace, 'key'> & { readonly table: string },
  sql: string,
  fields: readonly BotField[],
): BotRow[] {
  return [...queryRows(database, sql, fields)].map(({ id, values }) => ({
    ...values,
    place: { table, key, id },
    at: parseBotTime(values.time),
  }));
}

function textOf(value: unknown): string | null {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function textTable(bytes: Buffer): Table {
  if (bytes.subarray(0, 4096).includes(0)) throw new BotFileError('foreign');
  const text = bytes.toString('utf8').replace(/^\u{feff}/u, '');
  return text.trimStart().startsWith('{') ? jsonLines(text) : csvTable(text);
}

function csvTable(text: string): Table {
  const { data, meta } = Papa.parse<string[]>(text, { preview: 1 });
  const columns = (data[0] ?? []).map((column) => column.trim());
  if (columns.length < 2) throw new BotFileError('foreign');
  return {
    name: null,
    key: null,
    columns,
    rows: (limit) => csvRows(text, meta.delimiter, columns, limit),
  };
}

function csvRows(
  text: string,
  delimiter: string,
  columns: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): TableRow[] {
  const rows: TableRow[] = [];
  let [line, readTo] = [1, 0];
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data, meta }, parser) => {
      const id = String(line);
      line += text.slice(readTo, meta.cursor).split('\n').length - 1;
      const isHeader = readTo === 0;
      readTo = meta.cursor;
      if (isHeader || data.length < columns.length) return;
      const values = columns.map(
        (column, index) => [column, data[index] === '' ? null : (data[index] ?? null)] as const,
      );
      rows.push({ id, values: Object.fromEntries(values) });
      if (rows.length >= limit) parser.abort();
    },
  });
  return rows;
}

/** How many lines show which names the objects have. */
const sampleLines = 100;

function jsonLines(text: string): Table {
  const lines = text.split('\n');
  const rows = function* (limit = lines.length): Generator<TableRow> {
    let left = limit;
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      if (left <= 0) return;
      left -= 1;
      const values = jsonValues(line, index === lines.length - 1);
      if (values) yield { id: String(index + 1), values };
    }
  };
  const names = [...rows(sampleLines)].flatMap(({ values }) => Object.keys(values));
  return { name: null, key: null, columns: [...new Set(names)], rows };
}

/** The last line may be one that is being written. */
function jsonValues(line: string, isLast: boolean): TableRow['values'] | undefined {
  try {
    return flat(parseJson(line), '');
  } catch (cause) {
    if (isLast) return undefined;
    throw new BotFileError('broken', { cause });
  }
}

/** `{ fee: { cost: 1 } }` has the column `fee.cost`. */
function flat(value: JsonValue, name: string): Record<string, string | null> {
  if (isJsonObject(value))
    return Object.assign(
      {},
      ...Object.entries(value).map(([key, member]) =>
        flat(member, name === '' ? key : `${name}.${key}`),
      ),
    ) as Record<string, string | null>;
  if (name === '' || Array.isArray(value)) return {};
  return {
    [name]: value instanceof JsonNumber ? value.text : value === null ? null : String(value),
  };
}
