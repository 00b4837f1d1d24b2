import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import type { ExportFields } from '../exportFields.ts';
import type { ColumnFormat } from '../exportFormats.ts';
import { columnsOf, type Cells, type ExportColumn } from './exportColumns.ts';
import { writeParquet } from './parquetFile.ts';
import { writeParquetParts, type ParquetPart, type Partition } from './parquetParts.ts';
import { CellTooLong, writeXlsx } from './xlsxFile.ts';

const lineEnd = 0x0a;
/** Rows are handed on in pieces of this size, between which the window can do other work. */
const pieceBytes = 64 * 1024;

type ColumnFileOptions = {
  readonly format: ColumnFormat;
  /** The path of the saved rows, and of the file or folder to write, which is replaced. */
  readonly rows: string;
  readonly target: string;
  /** Of the history, which names the sheets of a workbook. */
  readonly name: string;
  /** What the folders of `parquetParts` say. */
  readonly partition: Partition;
  readonly fields: ExportFields;
  /** The name and version of the extension. */
  readonly writtenBy: string;
  /** Called with the number of rows that were written. */
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
};

type WrittenColumns = {
  readonly columns: Readonly<Record<string, string>>;
  /** The files of a folder, by their paths in it. */
  readonly parts?: readonly ParquetPart[];
};

/** The type of each column. `refused`: a text is too long for a cell of the format. */
export type ColumnFile =
  | ({ readonly kind: 'written' } & WrittenColumns)
  | { readonly kind: 'refused' };

/**
 * Makes a file of the saved rows of an export, which stay. Reads them twice: the type of a column depends
 * on all its values. Loaded when it is needed, as a bundle of its own: its errors are of no class that
 * its caller knows.
 */
export async function writeColumnFile(options: ColumnFileOptions): Promise<ColumnFile> {
  const { rows, target, fields, signal } = options;
  const columns = await columnsOf(fields, savedRows(rows, signal));
  await rm(target, { recursive: true, force: true });
  try {
    return { kind: 'written', ...(await writeRows(options, columns)) };
  } catch (error) {
    if (error instanceof CellTooLong) return { kind: 'refused' };
    throw error;
  }
}

async function writeRows(
  { format, rows, target, name, partition, fields, writtenBy, onRows, signal }: ColumnFileOptions,
  columns: readonly ExportColumn[],
): Promise<WrittenColumns> {
  const batches = counted(savedRows(rows, signal), onRows);
  if (format === 'parquetParts') {
    await mkdir(target, { mode: 0o700 });
    const timeAt = Object.values(fields).indexOf('time');
    const folder = { path: target, partition, columns, timeAt, createdBy: writtenBy };
    return writeParquetParts(folder, batches);
  }
  const file = await open(target, 'w', 0o600);
  try {
    switch (format) {
      case 'parquet':
        return { columns: await writeParquet(file, columns, batches, writtenBy) };
      case 'xlsx':
        return { columns: await writeXlsx(file, columns, batches, name) };
    }
  } finally {
    await file.close();
  }
}

async function* counted(
  batches: AsyncIterable<readonly Cells[]>,
  onRows: ColumnFileOptions['onRows'],
): AsyncGenerator<readonly Cells[]> {
  let count = 0;
  for await (const rows of batches) {
    yield rows;
    onRows((count += rows.length));
  }
}

/** The rows of a file with a row of cells per line, in pieces. Its end is a line end. */
async function* savedRows(file: string, signal: AbortSignal): AsyncGenerator<readonly Cells[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: pieceBytes })) {
    signal.throwIfAborted();
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const end = bytes.lastIndexOf(lineEnd) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield parsed(bytes.toString('utf8', 0, end - 1));
  }
}

function parsed(lines: string): readonly Cells[] {
  return lines.split('\n').map((line) => JSON.parse(line) as Cells);
}
