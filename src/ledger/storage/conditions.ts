import type { DatabaseSync } from 'node:sqlite';
import { openEnd, openStart } from '../../base/interval.ts';
import type { LedgerHistory, LedgerQuery } from '../ledger.ts';
import { columnsOf, type StoredColumn, type SqlValue } from './columns.ts';
import { numberOf } from './sql.ts';
import { idKey, textKey } from './numberKey.ts';

/** A condition of SQL with the values of its places. */
export type Condition = { readonly sql: string; readonly values: readonly SqlValue[] };

/** All rows. */
export const everyRow: Condition = { sql: '1', values: [] };
const never: Condition = { sql: '0', values: [] };
/** How many digits a search needs for few ids to begin with it. */
const rareDigits = 3;

/** Which rows of its history a query matches. */
export function conditionOf(database: DatabaseSync, query: LedgerQuery): Condition {
  const { history, period, filters, search, isListed } = query;
  const columns = columnsOf(history);
  const isWord = (word: string, field: string): boolean =>
    numberOf(
      database,
      'SELECT EXISTS (SELECT 1 FROM words WHERE (history, field, word) = (?, ?, ?))',
      history,
      field,
      word,
    ) === 1;
  const filtered = Object.entries(filters).map(([field, values]) => {
    const column = columns.find((each) => each.field === field);
    if (!column) return never;
    // No row is looked at for a word that none has.
    const stored = values.filter((value) => column.kind !== 'word' || isWord(value, field));
    return anyOf(stored.map((value) => equals(column, value)));
  });
  return allOf([
    ...(period.from === openStart ? [] : [{ sql: 'time >= ?', values: [period.from] }]),
    ...(period.to === openEnd ? [] : [{ sql: 'time < ?', values: [period.to] }]),
    ...(isListed ? [{ sql: 'unlistedSince IS NULL', values: [] }] : []),
    ...filtered,
    ...(search === '' ? [] : [searched(database, history, search)]),
  ]);
}

/** Filters are by words, references and ids. */
function equals({ field, kind }: StoredColumn, value: string): Condition {
  if (kind !== 'id') return { sql: `${field} = ?`, values: [value] };
  return /^-?\d+$/.test(value) ? { sql: `${field} = ?`, values: [idKey(value)] } : never;
}

/** Ids and references by their beginning, words by a part, in any case. */
function searched(database: DatabaseSync, history: LedgerHistory, search: string): Condition {
  const matching = matchingWords(database, history, search);
  const conditions = columnsOf(history).flatMap(({ field, kind }): Condition[] => {
    if (kind === 'id') return idsFrom(database, history, field, search);
    if (kind === 'reference') return [referencesFrom(field, search)];
    const words = matching.get(field) ?? [];
    if (kind !== 'word' || words.length === 0) return [];
    return [{ sql: `${field} IN (${words.map(() => '?').join()})`, values: words }];
  });
  return anyOf(conditions);
}

/** There are few different words: they are compared here, and rows by equality. */
function matchingWords(
  database: DatabaseSync,
  history: LedgerHistory,
  search: string,
): ReadonlyMap<string, string[]> {
  const part = search.toLowerCase();
  const rows = database.prepare('SELECT field, word FROM words WHERE history = ?').all(history);
  const matching = rows.filter(({ word }) => String(word).toLowerCase().includes(part));
  const byField = Map.groupBy(matching, ({ field }) => String(field));
  return new Map([...byField].map(([field, all]) => [field, all.map(({ word }) => String(word))]));
}

/** `12` is the beginning of 12, 120 to 129, 1200 to 1299 and so on. */
function idsFrom(
  database: DatabaseSync,
  history: LedgerHistory,
  field: string,
  search: string,
): Condition[] {
  if (!/^(?:0|[1-9]\d*)$/.test(search)) return [];
  const longest = `SELECT length(${field}) FROM ${history} WHERE ${field} < x'' ORDER BY ${field} DESC LIMIT 1`;
  const digits = search === '0' ? 1 : numberOf(database, longest);
  const ranges: Condition[] = [];
  for (let more = 0; search.length + more <= digits; more += 1) {
    const first = BigInt(search) * 10n ** BigInt(more);
    const range = `${field} BETWEEN ? AND ?`;
    // SQLite assumes that a range has many rows.
    const sql = search.length < rareDigits ? range : `likelihood(${range}, 0.0001)`;
    ranges.push({ sql, values: [first, first + 10n ** BigInt(more) - 1n] });
  }
  return [...ranges, ...longIdsFrom(database, history, field, search)];
}

/** Ids that are stored as text stand after all integers. */
function longIdsFrom(
  database: DatabaseSync,
  history: LedgerHistory,
  field: string,
  search: string,
): Condition[] {
  const some = `SELECT EXISTS (SELECT 1 FROM ${history} WHERE ${field} >= x'')`;
  if (numberOf(database, some) === 0) return [];
  const start = textKey(search).subarray(1);
  const sql = `(${field} >= x'' AND substr(${field}, 2, ${start.length}) = ?)`;
  return [{ sql, values: [start] }];
}

function referencesFrom(field: string, search: string): Condition {
  return { sql: `(${field} >= ? AND ${field} < ?)`, values: [search, `${search}\u{10ffff}`] };
}

function allOf(conditions: readonly Condition[]): Condition {
  return joined(conditions, ' AND ') ?? everyRow;
}

function anyOf(conditions: readonly Condition[]): Condition {
  return joined(conditions, ' OR ') ?? never;
}

function joined(conditions: readonly Condition[], word: string): Condition | undefined {
  if (conditions.length === 0) return undefined;
  const sql = conditions.map((each) => each.sql).join(word);
  const values = conditions.flatMap((each) => each.values);
  return { sql: conditions.length === 1 ? sql : `(${sql})`, values };
}
