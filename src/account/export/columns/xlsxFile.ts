import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dayMs, parseTimestampMs } from '../../../base/time.ts';
import { escapeLoneSurrogates, mostSheetRows } from '../exportFormats.ts';
import type { Cells, ExportColumn } from './exportColumns.ts';

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

/** The cell styles of `xl/styles.xml`, by their place in it. A text stays a text when it is edited. */
const styleIds = { header: 1, text: 2, date: 3 };

/** Marks a template as markup. */
const xml = String.raw;

const declaration = xml`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`;
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const styles = xml`${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The parts of a workbook beside its sheets, with their names. `name` is plain ASCII. */
function workbookParts(name: string, sheets: number): readonly (readonly [string, string])[] {
  const numbers = Array.from({ length: sheets }, (_none, index) => index + 1);
  const each = (text: (number: number) => string): string => numbers.map(text).join('');
  const listed = each(
    (number) =>
      xml`<sheet name="${number === 1 ? name : `${name} ${number}`}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const targets = each(
    (number) =>
      xml`<Relationship Id="rId${number}" Type="${relationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  const types = each(
    (number) =>
      xml`<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`,
  );
  return [
    [
      'xl/workbook.xml',
      xml`${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${listed}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      xml`${declaration}<Relationships xmlns="${packageRelationships}">${targets}<Relationship Id="rIdStyles" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', styles],
    [
      '_rels/.rels',
      xml`${declaration}<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      xml`${declaration}<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${types}</Types>`,
    ],
  ];
}
