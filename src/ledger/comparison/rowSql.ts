/** A name of a table or column, whatever it is. */
export function quotedSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A query of one row, for the program that shows a database. */
export function rowSql(table: string, id: string): string {
  return `SELECT * FROM ${quotedSqlName(table)} WHERE rowid = ${id};`;
}
