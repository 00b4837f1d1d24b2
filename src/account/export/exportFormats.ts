import { isNumberText } from '../../base/decimal.ts';
import { utcInstant, utcFieldName, type ExportRecord, type ExportFields } from './exportFields.ts';

/** A file is `header`, the rows in order, and `footer`. */
export type RowSerializer = {
  readonly header: string;
  row(record: ExportRecord, isFirst: boolean): string;
  readonly footer: string;
};

/**
 * What a format makes of the rows. One of typed columns, a file or a folder, needs every row before the first can be
 * written: the type of a column depends on all.
 */
const madeBy = {
  csv: 'text',
  xlsx: 'columns',
  parquet: 'columns',
  /** With a Parquet file for each month. */
  parquetParts: 'folderOfColumns',
  json: 'text',
  jsonl: 'text',
} as const;
export type ExportFormat = keyof typeof madeBy;
export const exportFormats = Object.keys(madeBy) as readonly ExportFormat[];
type TextFormat = {
  [Format in ExportFormat]: (typeof madeBy)[Format] extends 'text' ? Format : never;
}[ExportFormat];
export type ColumnFormat = Exclude<ExportFormat, TextFormat>;

export function isColumnFormat(format: ExportFormat): format is ColumnFormat {
  return madeBy[format] !== 'text';
}

/** `.csv`; empty for a folder. */
export function fileExtension(format: ExportFormat): string {
  return madeBy[format] === 'folderOfColumns' ? '' : `.${format}`;
}

/** The most rows of a sheet in a workbook, with the row of names. */
export const mostSheetRows = 1_048_576;

/** How many sheets a workbook with this number of rows has. */
export function sheetCount(rows: number): number {
  return Math.max(1, Math.ceil(rows / (mostSheetRows - 1)));
}

const serializers: Readonly<Record<TextFormat, (fields: ExportFields) => RowSerializer>> = {
  csv: csvSerializer,
  json: jsonSerializer,
  jsonl: jsonLinesSerializer,
};

export function rowSerializer(format: TextFormat, fields: ExportFields): RowSerializer {
  return serializers[format](fields);
}

/**
 * CSV by RFC 4180: a header with the API's names, CRLF, no byte order mark. Numbers are as the exchange
 * wrote them; null is an empty field, empty text is `""`; `extra` is a JSON object.
 */
function csvSerializer(fields: ExportFields): RowSerializer {
  const names = Object.entries(fields).flatMap(([field, kind]) =>
    kind === 'time' ? [field, utcFieldName(field)] : [field],
  );
  return {
    header: line([...names, 'extra']),
    row: (record) => line([...fieldCells(record, fields), extraCell(record)]),
    footer: '',
  };
}

function fieldCells(record: ExportRecord, fields: ExportFields): string[] {
  return Object.entries(fields).flatMap(([field, kind]) => {
    const value = record[field];
    if (typeof value === 'boolean') return [String(value)];
    const text = typeof value === 'string' ? value : null;
    if (kind === 'time') return [text ?? '', utcInstant(text ?? '') ?? ''];
    if (kind !== 'text' || text === null || plainText.test(text)) return [text ?? ''];
    return [quoted(escapeFormulas(text))];
  });
}

function extraCell({ extra }: ExportRecord): string {
  // A `;` occurs only inside JSON strings. Escaped, it does not start a cell in any spreadsheet.
  const text = JSON.stringify(extra).replaceAll(';', '\\u003b');
  return Object.keys(extra).length === 0 ? '' : quoted(text);
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Most texts: a word that is a cell as it is. */
const plainText = /^[a-z][a-z_]*$/i;

/** What a spreadsheet may run as a formula, also after spaces and invisible characters. */
const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠|%]/u;

/** Where a spreadsheet may start a new cell, depending on its locale and settings. */
const cellSeparators = /([;\t\r\n])/;

/**
 * Puts a `'` before what a spreadsheet would run, and before a `'`. Removing one `'` from the start and
 * after each `;`, tab and line end restores the text. A plain number is not a formula.
 */
function escapeFormulas(text: string): string {
  return escapeLoneSurrogates(text)
    .split(cellSeparators)
    .map((piece) => (needsEscape(piece) ? `'${piece}` : piece))
    .join('');
}

function needsEscape(piece: string): boolean {
  const isNumber: boolean = isNumberText(piece);
  return piece.startsWith("'") || (formulaStart.test(piece) && !isNumber);
}

/** Half a surrogate pair has no UTF-8: it is written as in JSON, such as `\ud83d`. */
export function escapeLoneSurrogates(text: string): string {
  return text.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/** A JSON array with one record per line. Numbers are as the exchange wrote them; unknown fields are in `extra`. */
function jsonSerializer(fields: ExportFields): RowSerializer {
  return {
    header: '[',
    row: (record, isFirst) => `${isFirst ? '' : ','}\n${recordText(record, fields)}`,
    footer: '\n]\n',
  };
}

/** The same records without an array. */
function jsonLinesSerializer(fields: ExportFields): RowSerializer {
  return { header: '', row: (record) => `${recordText(record, fields)}\n`, footer: '' };
}

function recordText(record: ExportRecord, fields: ExportFields): string {
  const members = Object.entries(fields).flatMap(([field, kind]) => {
    const value = record[field] ?? null;
    if (typeof value !== 'string' || kind === 'text') return [member(field, JSON.stringify(value))];
    if (kind !== 'time') return [member(field, value)];
    return [member(field, value), member(utcFieldName(field), JSON.stringify(utcInstant(value)))];
  });
  const hasExtra = Object.keys(record.extra).length > 0;
  return object(hasExtra ? [...members, member('extra', JSON.stringify(record.extra))] : members);
}

function object(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

function member(key: string, text: string): string {
  return `${JSON.stringify(key)}:${text}`;
}
