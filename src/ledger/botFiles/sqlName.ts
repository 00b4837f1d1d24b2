/** A name of a table or column, whatever it is. */
export function quotedSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
