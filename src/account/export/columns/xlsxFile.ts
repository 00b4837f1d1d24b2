import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dayMs, parseTimestampMs } from '../../../base/time.ts';
import { escapeLoneSurrogates, mostSheetRows } from '../exportFormats.ts';
import type { Cells, ExportColumn } from './exportColumns.ts';
import { declaration, styleIds, workbookParts, xml } from './xlsxParts.ts';

const mostCellCharacters = 32_767;
/** A spreadsheet calculates with floats: further digits would be lost. */
const exactDigits = 15;
/** Within the range of floats. */
const mostPlaces = 300;

export class CellTooLong extends Error {
  override readonly name = 'CellTooLong';
}

/** How all cells of a column are written. `date` is the moment of a timestamp. */
type CellType = 'text' | 'number' | 'boolean' | 'date';

type TypedColumn = { readonly letter: string; readonly at: number; readonly type: CellType };

/** Numbers with more digits than a float has are text, in all rows: a sum would leave out single ones. */
function typeOf(column: ExportColumn): CellType {
  if (column.kind === 'number') {
    const { significant, whole, scale } = column.digits;
    const isExact = significant <= exactDigits && whole <= mostPlaces && scale <= mostPlaces;
    return isExact ? 'number' : 'text';
  }
  return ({ text: 'text', flag: 'boolean', utc: 'date' } as const)[column.kind];
}

/** Writes rows as a workbook with as many sheets as they need, and resolves to the type of each column. */
export async function writeXlsx(
  file: FileHandle,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Cells[]>,
  name: string,
  sheetRows = mostSheetRows,
): Promise<Readonly<Record<string, string>>> {
  const archive = new Archive(file);
  const rows = new RowQueue(batches);
  let sheets = 0;
  do {
    sheets += 1;
    await archive.add(`xl/worksheets/sheet${sheets}.xml`, sheetTexts(columns, rows, sheetRows));
  } while (!(await rows.isEmpty()));
  for (const [part, text] of workbookParts(name, sheets)) await archive.add(part, [text]);
  await archive.finish();
  return Object.fromEntries(columns.map((column) => [column.name, typeOf(column)]));
}

/** The first time that an archive can have: equal parts give equal bytes. */
const partOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** The parts of a workbook, each compressed while it is made. */
class Archive {
  private readonly zip = new ZipFile();
  private readonly written: Promise<void>;

  constructor(file: FileHandle) {
    this.written = pipeline(
      this.zip.outputStream,
      async (chunks: AsyncIterable<string | Buffer>) => {
        for await (const chunk of chunks) await file.write(Buffer.from(chunk));
      },
    );
    // What fails is thrown by `add` or `finish`.
    this.written.catch(() => undefined);
    this.zip.on('error', () => undefined);
  }

  async add(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const part = Readable.from(texts, { objectMode: false });
    this.zip.addReadStream(part, name, partOptions);
    await Promise.race([finished(part), this.written]);
  }

  async finish(): Promise<void> {
    this.zip.end();
    await this.written;
  }
}

/** Rows that come in pieces, to be taken in others. */
class RowQueue {
  private readonly batches: AsyncIterator<readonly Cells[]>;
  private waiting: Cells[] = [];

  constructor(batches: AsyncIterable<readonly Cells[]>) {
    this.batches = batches[Symbol.asyncIterator]();
  }

  async isEmpty(): Promise<boolean> {
    while (this.waiting.length === 0) {
      const next = await this.batches.next();
      if (next.done) return true;
      this.waiting = [...next.value];
    }
    return false;
  }

  /** The next rows, at most `most`. */
  async take(most: number): Promise<readonly Cells[]> {
    return (await this.isEmpty()) ? [] : this.waiting.splice(0, most);
  }
}

/** The XML of a sheet with the next rows: at most `most` rows, including the row of names. */
async function* sheetTexts(
  columns: readonly ExportColumn[],
  rows: RowQueue,
  most: number,
): AsyncGenerator<string> {
  const typed = columns.map((column, index) => ({
    letter: String.fromCharCode(65 + index),
    at: column.at,
    type: typeOf(column),
  }));
  const names = columns.map(({ name }, index) =>
    textCell(`${typed[index]?.letter}1`, styleIds.header, name),
  );
  yield xml`${declaration}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="24" customWidth="1"/></cols><sheetData><row r="1">${names.join('')}</row>`;
  let written = 1;
  while (written < most) {
    const next = await rows.take(most - written);
    if (next.length === 0) break;
    yield next.map((row, index) => rowText(typed, row, written + index + 1)).join('');
    written += next.length;
  }
  yield '</sheetData></worksheet>';
}

function rowText(columns: readonly TypedColumn[], row: Cells, number: number): string {
  const cells = columns.map(({ letter, at, type }) => {
    const cell = row[at] ?? null;
    return cell === null ? '' : cellTexts[type](`${letter}${number}`, String(cell));
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

const cellTexts: Readonly<Record<CellType, (place: string, text: string) => string>> = {
  text: (place, text) => textCell(place, styleIds.text, text),
  number: (place, text) => `<c r="${place}"><v>${text}</v></c>`,
  boolean: (place, text) => `<c r="${place}" t="b"><v>${text === 'true' ? 1 : 0}</v></c>`,
  date: (place, text) => {
    const epochMs = parseTimestampMs(text);
    if (epochMs === undefined) return '';
    return `<c r="${place}" s="${styleIds.date}"><v>${epochMs / dayMs + daysBefore1970}</v></c>`;
  },
};

/** The number that a spreadsheet has for 1 January 1970. */
const daysBefore1970 = 25_569;

/** A cell of a text is never run as a formula, whatever it begins with. */
function textCell(place: string, style: number, text: string): string {
  const shown = escapeLoneSurrogates(text);
  if (shown.length > mostCellCharacters) throw new CellTooLong();
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(shown)}</t></is></c>`;
}

/** XML has no control characters: a workbook writes them as `_x000D_`, and a text that looks so with `_x005F_`. */
function xmlText(text: string): string {
  return text.replace(/[&<>\ufffe\uffff]|(?![\t\n])\p{Cc}|_(?=x[\dA-Fa-f]{4}_)/gu, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return xmlNames[character] ?? `_x${hex}_`;
  });
}

const xmlNames: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
