import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { IdPlace } from '../ledger.ts';
import { columnsOf } from './columns.ts';
import { isLongId, textOfKey } from './numberKey.ts';

/** For each id, the index of the first of these places where it stands; −1 for none. All of them are indexed. */
export function findIds(
  database: DatabaseSync,
  places: readonly IdPlace[],
  ids: readonly string[],
): Int8Array {
  const found = new Int8Array(ids.length).fill(-1);
  const sought: SoughtIds = { ids, rounded: ids.map(roundedNumber) };
  for (const [number, place] of places.entries()) {
    const left = [...ids.keys()].filter((index) => found[index] === -1);
    for (const index of indexesAt(database, place, sought, left)) found[index] = number;
  }
  return found;
}

/** The ids with their values as numbers, rounded; NaN for what is none. */
type SoughtIds = { readonly ids: readonly string[]; readonly rounded: readonly number[] };

/** A number with leading zeros is not an id. */
function roundedNumber(text: string): number {
  return /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
}

/** How SQLite gets ids as a list, and compares one of them. */
type IdList = {
  readonly json: (ids: readonly string[]) => string;
  readonly sql: (place: IdPlace) => string;
};

const texts: IdList = { json: JSON.stringify, sql: ({ field }) => `${field} = value` };

const integers: IdList = {
  json: (ids) => `[${ids.join()}]`,
  sql: ({ field }) => `${field} = value`,
};

/** Ids of more digits than an integer has are stored as `textKey` of `numberKey.ts` writes them. */
const longIds: IdList = {
  json: JSON.stringify,
  sql: ({ field }) => `${field} = CAST(char(length(value)) || value AS BLOB)`,
};

/** Those of the indexes whose ids stand there. */
function indexesAt(
  database: DatabaseSync,
  place: IdPlace,
  { ids, rounded }: SoughtIds,
  sought: readonly number[],
): readonly number[] {
  const find = (some: readonly number[], list: IdList): number[] =>
    listed(
      database,
      place,
      list,
      some.map((index) => ids[index] ?? ''),
    ).flatMap((key) => some[key] ?? []);
  const kind = columnsOf(place.history).find(({ field }) => field === place.field)?.kind;
  if (kind === 'reference') return find(sought, texts);
  const { first, last } = rangeOf(database, place);
  const numbers = sought.filter((index) => {
    const value = rounded[index] ?? NaN;
    return value >= first && value <= last;
  });
  const isLong = (index: number): boolean => isLongId(ids[index] ?? '');
  return [
    ...find(
      numbers.filter((index) => !isLong(index)),
      integers,
    ),
    ...find(numbers.filter(isLong), longIds),
  ];
}

/**
 * Most numbers of a log, such as its times, are far from all ids. Rounding keeps the order of numbers: no id is
 * out of the range of rounded ids.
 */
function rangeOf(
  database: DatabaseSync,
  { history, field }: IdPlace,
): { readonly first: number; readonly last: number } {
  const statement = database.prepare(
    `SELECT (SELECT min(${field}) FROM ${history}) AS first, (SELECT max(${field}) FROM ${history}) AS last`,
  );
  statement.setReadBigInts(true);
  const { first, last } = statement.get() ?? {};
  const end = roundedId(last);
  // Negative ids that are stored as text do not sort by their value.
  return { first: roundedId(first), last: end < 0 ? Infinity : end };
}

/** NaN for none. */
function roundedId(key: SQLOutputValue | undefined): number {
  if (key instanceof Uint8Array) return Number(textOfKey(key));
  return typeof key === 'bigint' ? Number(key) : NaN;
}

/** The places in the list of what is there. They come as one text: a row for each would take longer than to find it. */
function listed(
  database: DatabaseSync,
  place: IdPlace,
  { json, sql }: IdList,
  ids: readonly string[],
): readonly number[] {
  if (ids.length === 0) return [];
  const statement = database.prepare(
    `SELECT json_group_array(key) AS keys FROM json_each(?)
     WHERE EXISTS (SELECT 1 FROM ${place.history} WHERE ${sql(place)})`,
  );
  return JSON.parse(String(statement.get(json(ids))?.keys)) as number[];
}
