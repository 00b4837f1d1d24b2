/**
 * Reads CSV as RFC 4180 says and no other, except for the line end of other programs: rows of fields.
 * Throws if a quote stands outside the rules.
 */
export function parseCsv(text: string, lineEnd: '\r\n' | '\n' = '\r\n'): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^",\\r\\n]*))(,|${lineEnd}|$)`, 'gy');
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`No CSV at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
    const [, quoted, bare = '', end] = match;
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
