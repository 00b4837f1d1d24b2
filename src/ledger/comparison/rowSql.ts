import type { BotPlace } from './comparison.ts';

/** A name of a table or column, whatever it is. */
export function quotedSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A query of one row, for the program that shows a database. */
export function rowSql(table: string, { key, id }: BotPlace): string {
  const row = key
    ? `WHERE CAST(${key} AS TEXT) = '${id.replaceAll("'", "''")}'`
    : `LIMIT 1 OFFSET ${Number(id) - 1}`;
  return `SELECT * FROM ${quotedSqlName(table)} ${row};`;
}
