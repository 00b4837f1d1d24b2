import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { parseTimestampMs } from '../../../base/time.ts';
import { escapeLoneSurrogates } from '../exportFormats.ts';
import type { Cells, ExportColumn } from './exportColumns.ts';
import { columnTypes, ParquetFile } from './parquetFile.ts';

/** What the folder names give for all rows. */
export type Partition = { readonly account: string; readonly operation: string };

/** A file of a folder, by its path in it, with `/` on every system. */
export type ParquetPart = { readonly file: string; readonly rows: number };

type PartsFolder = {
  /** An empty folder. */
  readonly path: string;
  readonly partition: Partition;
  readonly columns: readonly ExportColumn[];
  /** The index of the cell with a row's time. */
  readonly timeAt: number;
  readonly createdBy: string;
};

type OpenPart = { readonly handle: FileHandle; readonly parquet: ParquetFile; rows: number };

/** Rows of many months may wait for their groups: with more than these, the largest group is written. */
const mostWaitingRows = 4096;

/**
 * Writes rows as `account=…/operation=…/month=2026-01/rows.parquet`, one file for each month of UTC: engines
 * read the folders as columns. Each column has one type in all files.
 */
export async function writeParquetParts(
  folder: PartsFolder,
  batches: AsyncIterable<readonly Cells[]>,
) {
  const parts = new ParquetParts(folder);
  try {
    for await (const rows of batches)
      for (const [month, own] of Map.groupBy(rows, (row) => monthOf(row[folder.timeAt])))
        await parts.add(month, own);
    return { columns: columnTypes(folder.columns), parts: await parts.finish() };
  } finally {
    await parts.close();
  }
}

/** The files of all months that have a row. */
class ParquetParts {
  private readonly folder: PartsFolder;
  private readonly months = new Map<string, OpenPart>();

  constructor(folder: PartsFolder) {
    this.folder = folder;
  }

  async add(month: string, rows: readonly Cells[]): Promise<void> {
    const part = this.months.get(month) ?? (await this.open(month));
    part.rows += rows.length;
    await part.parquet.add(rows);
    const waiting = [...this.months.values()].map(({ parquet }) => parquet);
    const total = waiting.reduce((sum, { waitingRows }) => sum + waitingRows, 0);
    if (total <= mostWaitingRows) return;
    const [largest] = waiting.toSorted((one, other) => other.waitingRows - one.waitingRows);
    await largest?.flush();
  }

  async finish(): Promise<readonly ParquetPart[]> {
    // An engine finds the names and types of the columns in an export without rows, too.
    if (this.months.size === 0) await this.open(noMonth);
    const parts: ParquetPart[] = [];
    for (const [month, { parquet, rows }] of this.months) {
      await parquet.finish();
      parts.push({ file: this.fileOf(month), rows });
    }
    return parts.sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  async close(): Promise<void> {
    for (const { handle } of this.months.values()) await handle.close();
  }

  private async open(month: string): Promise<OpenPart> {
    const { path: root, columns, createdBy } = this.folder;
    const file = path.join(root, ...this.fileOf(month).split('/'));
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'wx', 0o600);
    const parquet = new ParquetFile(handle, columns, createdBy);
    const part = { handle, parquet, rows: 0 };
    this.months.set(month, part);
    return part;
  }

  private fileOf(month: string): string {
    const { account, operation } = this.folder.partition;
    const folders = Object.entries({ account, operation, month });
    return [...folders.map(([name, value]) => `${name}=${encoded(value)}`), 'rows.parquet'].join(
      '/',
    );
  }
}

/** What engines read as null. */
const noMonth = '__HIVE_DEFAULT_PARTITION__';

/** `2026-01`, in UTC. */
function monthOf(time: Cells[number] | undefined): string {
  const epochMs = typeof time === 'string' ? parseTimestampMs(time) : undefined;
  return epochMs === undefined ? noMonth : new Date(epochMs).toISOString().slice(0, -17);
}

/** A value as a part of a folder's name on every system: engines decode it. */
function encoded(value: string): string {
  return encodeURIComponent(escapeLoneSurrogates(value)).replace(
    /[!'()*.~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
