import { createReadStream } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
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

/** The type of each column, or why the format cannot hold the rows. */
export type ColumnFile =
  | ({ readonly kind: 'written' } & WrittenColumns)
  | { readonly kind: 'refused'; readonly because: 'cellTooLong' };

/**
 * Makes a file of the saved rows of an export, which stay. Reads them twice: the type of a column depends
 * on all its values. Loaded when it is needed, as a bundle of its own: its errors are of no class that
 * its caller knows.
 */
export async function writeColumnFile(options: ColumnFileOptions): Promise<ColumnFile> {
  const { format, rows, target, fields, signal } = options;
  const columns = await columnsOf(fields, savedRows(rows, signal));
  await rm(target, { recursive: true, force: true });
  try {
    const written =
      format === 'parquetParts'
        ? await writeFolder(options, columns)
        : { columns: await writeFile({ ...options, format }, columns) };
    return { kind: 'written', ...written };
  } catch (error) {
    if (error instanceof CellTooLong) return { kind: 'refused', because: 'cellTooLong' };
    throw error;
  }
}

async function writeFolder(
  { rows, target, fields, partition, writtenBy, onRows, signal }: ColumnFileOptions,
  columns: readonly ExportColumn[],
): Promise<WrittenColumns> {
  await mkdir(target, { mode: 0o700 });
  const batches = counted(savedRows(rows, signal), onRows);
  const timeAt = Object.values(fields).indexOf('time');
  const folder = { path: target, partition, timeAt };
  return writeParquetParts(folder, columns, batches, writtenBy);
}

type SingleFileOptions = ColumnFileOptions & {
  readonly format: Exclude<ColumnFormat, 'parquetParts'>;
};

async function writeFile(
  options: SingleFileOptions,
  columns: readonly ExportColumn[],
): Promise<WrittenColumns['columns']> {
  const file = await open(options.target, 'w', 0o600);
  try {
    return await writeRows(options, file, columns);
  } finally {
    await file.close();
  }
}

function writeRows(
  { format, rows, name, writtenBy, onRows, signal }: SingleFileOptions,
  file: FileHandle,
  columns: readonly ExportColumn[],
): Promise<Readonly<Record<string, string>>> {
  const batches = counted(savedRows(rows, signal), onRows);
  switch (format) {
    case 'parquet':
      return writeParquet(file, columns, batches, writtenBy);
    case 'xlsx':
      return writeXlsx(file, columns, batches, name);
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
