import { mkdir, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { ExportFields, ExportRecord } from '../exportFields.ts';
import type { ColumnFormat } from '../exportFormats.ts';
import { columnsOf, type Cells, type ExportColumn } from './exportColumns.ts';
import { writeParquet } from './parquetFile.ts';
import { writeParquetParts, type ParquetPart, type Partition } from './parquetParts.ts';
import { CellTooLong, writeXlsx } from './xlsxFile.ts';

export type ColumnFileOptions = {
  readonly format: ColumnFormat;
  /** The path of the new file or folder. */
  readonly file: string;
  /** All rows, the same each time. */
  readonly pieces: () => AsyncIterable<readonly ExportRecord[]>;
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

export type WrittenColumns = {
  readonly columns: Readonly<Record<string, string>>;
  /** The files of a folder, by their paths in it. */
  readonly parts?: readonly ParquetPart[];
};

/** The type of each column. `refused`: a text is too long for a cell of the format. */
type ColumnFile = ({ readonly kind: 'written' } & WrittenColumns) | { readonly kind: 'refused' };

/**
 * Makes a file of the rows of an export. Reads them twice: the type of a column depends on all its values. Loaded when it
 * is needed, as a bundle of its own: its errors are of no class that its caller knows.
 */
export async function writeColumnFile(options: ColumnFileOptions): Promise<ColumnFile> {
  const { fields } = options;
  const columns = await columnsOf(fields, cellsOf(options));
  try {
    return { kind: 'written', ...(await writeRows(options, columns)) };
  } catch (error) {
    if (error instanceof CellTooLong) return { kind: 'refused' };
    throw error;
  }
}

async function writeRows(
  options: ColumnFileOptions,
  columns: readonly ExportColumn[],
): Promise<WrittenColumns> {
  const { format, file, name, partition, fields, writtenBy, onRows } = options;
  const batches = counted(cellsOf(options), onRows);
  if (format === 'parquetParts') {
    await mkdir(file, { mode: 0o700 });
    const timeAt = Object.values(fields).indexOf('time');
    const folder = { path: file, partition, columns, timeAt, createdBy: writtenBy };
    return writeParquetParts(folder, batches);
  }
  const handle = await open(file, 'w', 0o600);
  try {
    switch (format) {
      case 'parquet':
        return { columns: await writeParquet(handle, columns, batches, writtenBy) };
      case 'xlsx':
        return { columns: await writeXlsx(handle, columns, batches, name) };
    }
  } finally {
    await handle.close();
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

/** Few enough to be encoded without blocking the window. Files depend on it. */
const batchSize = 250;

/** The fields of each record in order, and the JSON text of the others. */
async function* cellsOf({
  fields,
  pieces,
  signal,
}: ColumnFileOptions): AsyncGenerator<readonly Cells[]> {
  const names = Object.keys(fields);
  const cells = (record: ExportRecord): Cells => [
    ...names.map((name) => (record[name] ?? null) as Cells[number]),
    Object.keys(record.extra).length === 0 ? null : JSON.stringify(record.extra),
  ];
  let batch: Cells[] = [];
  for await (const piece of pieces())
    for (const record of piece) {
      batch.push(cells(record));
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
      await setImmediate();
      signal.throwIfAborted();
    }
  yield batch;
}
