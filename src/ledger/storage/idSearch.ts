import type { DatabaseSync } from 'node:sqlite';
import type { IdPlace } from '../ledger.ts';
import { columnsOf } from './columns.ts';
import { idKey, isLongId } from './numberKey.ts';

/** For each id, the index of the first of these places where it stands; −1 for none. All of them are indexed. */
export function findIds(
  database: DatabaseSync,
  places: readonly IdPlace[],
  ids: readonly string[],
): Int8Array {
  const found = new Int8Array(ids.length).fill(-1);
  for (const [number, place] of places.entries()) {
    const sought = ids.flatMap((_id, index) => (found[index] === -1 ? [index] : []));
    for (const index of indexesAt(database, place, ids, sought)) found[index] = number;
  }
  return found;
}

/** Those of the indexes whose ids stand there. */
function indexesAt(
  database: DatabaseSync,
  place: IdPlace,
  ids: readonly string[],
  sought: readonly number[],
): readonly number[] {
  const idAt = (index: number): string => ids[index] ?? '';
  const kind = columnsOf(place.history).find(({ field }) => field === place.field)?.kind;
  if (kind === 'reference')
    return listed(database, place, sought, JSON.stringify(sought.map(idAt)), '1');
  // A number with zeros before it is no id.
  const numbers = sought.filter((index) => /^(?:0|[1-9]\d*)$/.test(idAt(index)));
  const isLong = (index: number): boolean => isLongId(idAt(index));
  const short = numbers.filter((index) => !isLong(index));
  return [
    ...listed(database, place, short, `[${short.map(idAt).join()}]`, between(place)),
    ...longIdsAt(database, place, numbers.filter(isLong), idAt),
  ];
}

/** Texts are compared as they are. Each result is one text: a row for each id would take longer than to find it. */
function listed(
  database: DatabaseSync,
  { history, field }: IdPlace,
  sought: readonly number[],
  list: string,
  condition: string,
): number[] {
  if (sought.length === 0) return [];
  const sql = `SELECT json_group_array(key) AS keys FROM json_each(?) WHERE ${condition}
    AND EXISTS (SELECT 1 FROM ${history} WHERE ${field} = value)`;
  const keys = JSON.parse(String(database.prepare(sql).get(list)?.keys)) as number[];
  return keys.flatMap((key) => sought[key] ?? []);
}

/** Most numbers of a text, such as times, are no id by their size. */
function between({ history, field }: IdPlace): string {
  const end = (direction: 'ASC' | 'DESC'): string =>
    `(SELECT ${field} FROM ${history} WHERE ${field} < x'' ORDER BY ${field} ${direction} LIMIT 1)`;
  return `value BETWEEN ${end('ASC')} AND ${end('DESC')}`;
}

/** Ids that are stored as text are few, and JSON has no such list. */
function longIdsAt(
  database: DatabaseSync,
  { history, field }: IdPlace,
  sought: readonly number[],
  idAt: (index: number) => string,
): number[] {
  if (sought.length === 0) return [];
  const statement = database.prepare(`SELECT 1 FROM ${history} WHERE ${field} = ? LIMIT 1`);
  return sought.filter((index) => statement.get(idKey(idAt(index))) !== undefined);
}
