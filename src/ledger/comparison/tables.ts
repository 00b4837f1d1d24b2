import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import Papa from 'papaparse';
import { isJsonObject, JsonNumber, parseJson, type JsonValue } from '../../base/exactJson.ts';
import { quotedSqlName } from './rowSql.ts';
import { BotFileError, withCopy } from './fileCopy.ts';

/** Values in the order of the columns, as text with all of their digits. */
export type TableRow = { readonly id: string; readonly values: readonly (string | null)[] };

/** A table or query of a database, or a text of rows, which has no name. */
export type Table = {
  readonly name: string | null;
  readonly columns: readonly string[];
  /** Null for a row that cannot be read. */
  readonly rows: () => Iterable<TableRow | null>;
};

const sqliteStart = 'SQLite format 3\0';

/** Runs `work` with a copy of the tables of a database, or with the only table of a text. */
export function withTables<Result>(
  file: string,
  work: (tables: readonly Table[], database: DatabaseSync | null) => Result,
): Result {
  return withCopy(file, (copy) => {
    if (startOf(copy) !== sqliteStart) return work([textTable(readFileSync(copy))], null);
    // What stands in a log beside the copy has to come into it.
    const database = new DatabaseSync(copy);
    try {
      if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok')
        throw new BotFileError('broken');
      return work(tablesOf(database), database);
    } finally {
      database.close();
    }
  });
}

function startOf(file: string): string {
  const bytes = Buffer.alloc(sqliteStart.length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes);
  closeSync(descriptor);
  return bytes.toString('latin1');
}

function tablesOf(database: DatabaseSync): Table[] {
  const tables = database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT wr
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name));
  if (tables.length === 0) throw new BotFileError('foreign');
  return tables.map((name) =>
    queryTable(database, name, `SELECT rowid, * FROM ${quotedSqlName(name)}`),
  );
}

/** Whether there is a table with these columns: an older or foreign schema may lack some. */
export function hasColumns(tables: readonly Table[], table: string, columns: string): boolean {
  const found = tables.find(({ name }) => name === table)?.columns ?? [];
  return columns.split(' ').every((column) => found.includes(column));
}

/** A query whose rows are those of one table. Its first column is the id of a row there. */
export function queryTable(database: DatabaseSync, name: string, sql: string): Table {
  const [, ...columns] = database.prepare(sql).columns();
  return {
    ...{ name, rows: () => queryRows(database, sql) },
    columns: columns.map((column) => column.name),
  };
}

/** Rows of a query whose first column is their id. A float is written with the digits that tell it apart. */
export function* queryRows(database: DatabaseSync, sql: string): Generator<TableRow> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as Iterable<unknown>) {
    const [id, ...values] = (row as readonly unknown[]).map(textOf);
    yield { id: id ?? '', values };
  }
}

function textOf(value: unknown): string | null {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function textTable(bytes: Buffer): Table {
  if (bytes.subarray(0, 4096).includes(0)) throw new BotFileError('foreign');
  const text = bytes.toString('utf8').replace(/^\u{feff}/u, '');
  // A list of objects has no line for each.
  if (/^\s*\[\s*[\]{[]/.test(text)) throw new BotFileError('foreign');
  const lines = text.split(/\r?\n/);
  return text.trimStart().startsWith('{') ? jsonLines(lines) : csvTable(text, lines);
}

function csvTable(text: string, [, ...lines]: readonly string[]): Table {
  const { data, meta } = Papa.parse<string[]>(text, { preview: 1 });
  const columns = (data[0] ?? []).map((column) => column.trim());
  if (columns.length < 2) throw new BotFileError('foreign');
  return lineTable(columns, ['', ...lines], (line) => {
    const [values = []] = Papa.parse<string[]>(line, { delimiter: meta.delimiter }).data;
    // A number with commas may have moved what follows it.
    if (values.slice(columns.length).some((value) => value.trim() !== '')) return null;
    if (values.length < columns.length) return undefined;
    return values.map((value) => (value === '' ? null : value));
  });
}

/** A line is null if it cannot be read, undefined if its end may be missing. */
function lineTable(
  columns: readonly string[],
  lines: readonly string[],
  valuesOf: (line: string) => TableRow['values'] | null | undefined,
): Table {
  function* rows(): ReturnType<Table['rows']> {
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const values = valuesOf(line);
      // The last line may be being written.
      const isUnfinished = values === undefined && index === lines.length - 1;
      if (!isUnfinished) yield values ? { id: String(index + 1), values } : null;
    }
  }
  return { name: null, columns, rows };
}

/** How many lines show which names the objects have. */
const sampleLines = 1000;

function jsonLines(lines: readonly string[]): Table {
  const names = lines
    .slice(0, sampleLines)
    .flatMap((line) => [...(jsonValues(line)?.keys() ?? [])]);
  // An object may be null in some lines.
  const columns = [...new Set(names)].filter(
    (name) => !names.some((other) => other.startsWith(`${name}.`)),
  );
  if (columns.length === 0) throw new BotFileError('broken');
  return lineTable(columns, lines, (line) => {
    const found = jsonValues(line);
    return found && columns.map((column) => found.get(column) ?? null);
  });
}

/** Undefined for what is no object. */
function jsonValues(line: string): ReadonlyMap<string, string | null> | undefined {
  try {
    const value = parseJson(line);
    return isJsonObject(value) ? new Map(members(value, '')) : undefined;
  } catch {
    return undefined;
  }
}

/** `{ fee: { cost: 1 } }` has the column `fee.cost`. */
function members(value: JsonValue, name: string): [name: string, text: string | null][] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, member]) =>
      members(member, name === '' ? key : `${name}.${key}`),
    );
  if (name === '' || Array.isArray(value)) return [];
  const text = value instanceof JsonNumber ? value.text : value === null ? null : String(value);
  return [[name, text]];
}
