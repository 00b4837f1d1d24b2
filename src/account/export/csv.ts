import { isNumberText } from '../../base/decimal.ts';
import { utcInstant, utcNameOf, type ExportRecord, type Fields } from './fields.ts';
import type { RowWriter } from './rowWriter.ts';

/**
 * CSV as RFC 4180 has it: a header with the interface's names, CRLF, no byte order mark. Numbers are
 * the text of the wire; null is an empty field, empty text `""`; `extra` is a JSON object.
 */
export function csvWriter(fields: Fields): RowWriter {
  const names = Object.entries(fields).flatMap(([field, kind]) =>
    kind === 'time' ? [field, utcNameOf(field)] : [field],
  );
  return {
    head: line([...names, 'extra']),
    row: (record) => line([...fieldCells(record, fields), extraCell(record)]),
    tail: '',
  };
}

function fieldCells(record: ExportRecord, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([field, kind]) => {
    const value = record[field];
    if (typeof value === 'boolean') return [String(value)];
    const text = typeof value === 'string' ? value : null;
    if (kind === 'time') return [text ?? '', utcInstant(text ?? '') ?? ''];
    return [kind === 'text' && text !== null ? quoted(guarded(text)) : (text ?? '')];
  });
}

function extraCell({ extra }: ExportRecord): string {
  // A `;` stands only in the texts of JSON, where it may be written so: no spreadsheet splits there.
  const text = JSON.stringify(extra).replaceAll(';', '\\u003b');
  return Object.keys(extra).length === 0 ? '' : quoted(text);
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a spreadsheet may take for a formula, also behind spaces and characters that cannot be seen. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠|%]/u;

/** Where a spreadsheet of another country, or one that splits at tabs, may begin a new cell. */
const splits = /([;\t\r\n])/;

/**
 * What a spreadsheet would run gets a `'` before it, as does what begins with a `'`: so that taking
 * one `'` from the start and after each `;`, tab and line end gives the text back. A plain number is
 * no formula.
 */
function guarded(text: string): string {
  return whole(text)
    .split(splits)
    .map((piece) => (needsGuard(piece) ? `'${piece}` : piece))
    .join('');
}

function needsGuard(piece: string): boolean {
  const isNumber: boolean = isNumberText(piece);
  return piece.startsWith("'") || (formula.test(piece) && !isNumber);
}

/** Half a character has no UTF-8: it stands as in JSON, such as `\ud83d`. */
function whole(text: string): string {
  return text.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
