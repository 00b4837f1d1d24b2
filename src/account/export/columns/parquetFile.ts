import { ByteWriter, ParquetWriter, type SchemaElement, type Writer } from 'hyparquet-writer';
import type { FileHandle } from 'node:fs/promises';
import { parseTimestampMs } from '../../../base/time.ts';
import { amountOf, integerAt } from '../../../base/decimal.ts';
import { escapeLoneSurrogates } from '../exportFormats.ts';
import type { Cells, ExportColumn } from './exportColumns.ts';

/** The most digits that a decimal of Parquet, and of the engines that read it, can have. */
const precision = 38;
/** Small enough to be encoded without blocking the window, and to be held in memory. */
const rowGroupSize = 4096;

type ParquetValue = string | boolean | bigint | null;

/** How a column is written: its name for the meta file, its schema, and what becomes of a cell. */
type ColumnType = {
  readonly name: string;
  readonly schema: Omit<SchemaElement, 'name' | 'repetition_type'>;
  valueOf(cell: string | boolean): ParquetValue;
};

const textType: ColumnType = {
  name: 'STRING',
  schema: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  valueOf: (cell) => escapeLoneSurrogates(String(cell)),
};

const flagType: ColumnType = {
  name: 'BOOLEAN',
  schema: { type: 'BOOLEAN' },
  valueOf: (cell) => cell,
};

const utcType: ColumnType = {
  name: 'TIMESTAMP_MILLIS',
  schema: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  valueOf: (cell) => {
    const epochMs = parseTimestampMs(String(cell));
    return epochMs === undefined ? null : BigInt(epochMs);
  },
};

function decimalType(scale: number): ColumnType {
  return {
    name: `DECIMAL(${precision}, ${scale})`,
    schema: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 16,
      converted_type: 'DECIMAL',
      precision,
      scale,
      logical_type: { type: 'DECIMAL', precision, scale },
    },
    valueOf: (cell) => integerAt(amountOf(String(cell)), scale),
  };
}

/** One type for all rows of a column. Numbers that no decimal can hold side by side stay text. */
function typeOf(column: ExportColumn): ColumnType {
  if (column.kind === 'number') {
    const { whole, scale } = column.digits;
    return whole + scale <= precision ? decimalType(scale) : textType;
  }
  return { text: textType, flag: flagType, utc: utcType }[column.kind];
}

/** Writes rows as Parquet, and resolves to the type of each column. */
export async function writeParquet(
  file: FileHandle,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Cells[]>,
  createdBy: string,
): Promise<Readonly<Record<string, string>>> {
  const parquet = new ParquetFile(file, columns, createdBy);
  for await (const rows of batches) await parquet.add(rows);
  await parquet.finish();
  return columnTypes(columns);
}

/** The type of each column, by its name. */
export function columnTypes(columns: readonly ExportColumn[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column) => [column.name, typeOf(column).name]));
}

/** A Parquet file that is written group by group. */
export class ParquetFile {
  private readonly columns: readonly { name: string; at: number; type: ColumnType }[];
  private readonly parquet: ParquetWriter;
  private waiting: Cells[] = [];

  constructor(file: FileHandle, columns: readonly ExportColumn[], createdBy: string) {
    this.columns = columns.map((column) => ({ ...column, type: typeOf(column) }));
    const schema: SchemaElement[] = [
      { name: 'rows', num_children: columns.length },
      ...this.columns.map(({ name, type }): SchemaElement => ({
        name,
        repetition_type: 'OPTIONAL',
        ...type.schema,
      })),
    ];
    this.parquet = new ParquetWriter({ writer: writerTo(file), schema, createdBy });
  }

  async add(rows: readonly Cells[]): Promise<void> {
    this.waiting = [...this.waiting, ...rows];
    while (this.waiting.length >= rowGroupSize)
      await this.writeGroup(this.waiting.splice(0, rowGroupSize));
  }

  /** How many rows are held in memory. */
  get waitingRows(): number {
    return this.waiting.length;
  }

  /** Writes the rows that are held in memory. */
  async flush(): Promise<void> {
    if (this.waiting.length > 0) await this.writeGroup(this.waiting.splice(0));
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.parquet.finish();
  }

  private async writeGroup(rows: readonly Cells[]): Promise<void> {
    const columnData = this.columns.map(({ name, at, type }) => ({
      name,
      data: rows.map((row) => {
        const cell = row[at] ?? null;
        return cell === null ? null : type.valueOf(cell);
      }),
    }));
    await this.parquet.write({ columnData, rowGroupSize });
  }
}

/** Collects bytes until it is flushed, which happens after each group of rows and at the end. */
function writerTo(file: FileHandle): Writer {
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    await file.appendFile(writer.getBytes());
    writer.index = 0;
  };
  return Object.assign(writer, { flush, finish: flush });
}
