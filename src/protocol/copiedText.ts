import { isNumberText } from '../base/decimal.ts';
import { rawNumber } from '../base/exactJson.ts';
import { isoTime } from '../base/time.ts';
import { isNumeric } from './cellRules.ts';
import type { CopyRequest } from './gridMessages.ts';
import type { Cell, Column } from './table.ts';

/** Selected cells: by row, one for each selected column; undefined if a cell is not selected. */
type Selected = {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Cell | undefined)[])[];
};

/**
 * What is copied of a page: the exchange's own text, but a time as ISO 8601. Undefined if the page does
 * not have these cells.
 */
export function copiedText(
  { selection, format }: CopyRequest,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string | undefined {
  const picked = selection.columns.flatMap((index) => columns[index] ?? []);
  const exists = selection.rows.every(({ row }) => rows[row] !== undefined);
  if (!exists || picked.length < selection.columns.length) return undefined;
  const selected = {
    columns: picked,
    rows: selection.rows.map(({ row, columns: own }) =>
      selection.columns.map((index) =>
        own.includes(index) ? (rows[row]?.[index] ?? null) : undefined,
      ),
    ),
  };
  if (format === 'json') return json(selected);
  if (format === 'markdown') return rowsMarkdown(selected);
  return tabSeparated(selected, format === 'tsvWithHeaders');
}

/** A single cell is its text alone, byte for byte. */
function tabSeparated({ columns, rows }: Selected, withHeaders: boolean): string {
  const lines = rows.map((cells) => cells.map((cell, index) => textOf(cell, columns[index])));
  const [[only] = []] = lines;
  if (!withHeaders && lines.length === 1 && lines[0]?.length === 1) return only ?? '';
  const headers = withHeaders ? [columns.map(({ label }) => label)] : [];
  return [...headers, ...lines].map((cells) => cells.map(spreadsheetCell).join('\t')).join('\n');
}

/** The exchange's own text, but a time as ISO 8601; empty for a cell without a value. */
function textOf(cell: Cell | undefined, column: Column | undefined): string {
  return (cell && column?.kind === 'time' ? isoTime(cell) : cell) ?? '';
}

/** In quotes if the text would end the cell, as spreadsheets write it. */
function spreadsheetCell(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One object for one row, else a list; with the names of the API. */
function json({ columns, rows }: Selected): string {
  const objects = rows.map((cells) =>
    Object.fromEntries(
      columns.flatMap((column, index) => {
        const cell = cells[index];
        return cell === undefined ? [] : [[column.field, jsonValue(cell, column)]];
      }),
    ),
  );
  return JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2);
}

function jsonValue(cell: Cell, { kind }: Column): unknown {
  if (cell === null) return null;
  if (kind === 'time') return isoTime(cell);
  if (kind === 'flag') return cell === 'true';
  return (isNumeric(kind) || kind === 'distance') && isNumberText(cell) ? rawNumber(cell) : cell;
}

/** Rows as a table. */
export function rowsMarkdown({ columns, rows }: Selected): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ label }) => markdownText(label))),
    line(columns.map(({ kind }) => (isNumeric(kind) ? '---:' : '---'))),
    ...rows.map((cells) =>
      line(cells.map((cell, index) => markdownText(textOf(cell, columns[index])))),
    ),
  ].join('\n');
}

/** Whatever would be markup is escaped: it would show something else than the text. */
function markdownText(text: string): string {
  return text
    .replace(/[\\|`*[\]<>~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&')
    .replace(/\r\n?|\n/g, '<br>');
}
