import JSZip from 'jszip';
import { readFile } from 'node:fs/promises';
import { parseStringPromise } from 'xml2js';

/** A cell as a workbook has it: a number and a date as the text of its number. */
export type ReadCell = {
  readonly type: 'text' | 'number' | 'boolean' | 'date';
  readonly value: string;
};
export type ReadSheet = {
  readonly name: string;
  /** By the name of the column; null for a cell that is not there. */
  readonly rows: readonly Readonly<Record<string, ReadCell | null>>[];
};

/** What xml2js makes of an element: its attributes, its text, and its children by name. */
type XmlElement = { readonly $?: Readonly<Record<string, string>>; readonly _?: string } & Readonly<
  Record<string, readonly (XmlElement | string)[]>
>;

/** Reads the sheets of a workbook: checks the sums of its archive, and refuses a cell that is a formula. */
export async function readXlsx(file: string): Promise<readonly ReadSheet[]> {
  const zip = await JSZip.loadAsync(await readFile(file), { checkCRC32: true });
  const part = async (name: string): Promise<Readonly<Record<string, XmlElement>>> => {
    const text = (await zip.file(name)?.async('string')) ?? '';
    return (await parseStringPromise(text, { includeWhiteChars: true })) as never;
  };
  const targets = new Map(
    elements((await part('xl/_rels/workbook.xml.rels')).Relationships, 'Relationship').map(
      ({ $ = {} }) => [$.Id, $.Target],
    ),
  );
  const [list] = elements((await part('xl/workbook.xml')).workbook, 'sheets');
  return Promise.all(
    elements(list, 'sheet').map(async ({ $ = {} }) => {
      const { worksheet } = await part(`xl/${targets.get($['r:id'])}`);
      const [data] = elements(worksheet, 'sheetData');
      return { name: $.name ?? '', rows: rowsOf(elements(data, 'row')) };
    }),
  );
}

function rowsOf([head, ...rows]: readonly XmlElement[]): ReadSheet['rows'] {
  const names = new Map(
    elements(head, 'c').map((cell) => [letterOf(cell), cellOf(cell).value] as const),
  );
  return rows.map((row) => {
    const cells = new Map(elements(row, 'c').map((cell) => [letterOf(cell), cellOf(cell)]));
    return Object.fromEntries(
      [...names].map(([letter, name]) => [name, cells.get(letter) ?? null] as const),
    );
  });
}

/** The letter of a cell's column: `B` of `B7`. */
function letterOf({ $ = {} }: XmlElement): string {
  return ($.r ?? '').replace(/\d+/, '');
}

function cellOf(cell: XmlElement): ReadCell {
  if (cell.f) throw new Error(`${cell.$?.r} is a formula`);
  if (cell.$?.t === 'inlineStr') {
    const [inline] = elements(cell, 'is');
    const [text] = elements(inline, 't');
    return { type: 'text', value: unescaped(text?._ ?? '') };
  }
  const [value] = elements(cell, 'v');
  const number = value?._ ?? '';
  if (cell.$?.t === 'b') return { type: 'boolean', value: number };
  return { type: cell.$?.s === '3' ? 'date' : 'number', value: number };
}

/** An element without attributes or children is its text alone. */
function elements(parent: XmlElement | undefined, name: string): XmlElement[] {
  return (parent?.[name] ?? []).map((one) =>
    typeof one === 'string' ? ({ _: one } as XmlElement) : one,
  );
}

function unescaped(text: string): string {
  return text.replace(/_x([\dA-F]{4})_/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
