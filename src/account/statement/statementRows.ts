import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Interval } from '../../base/interval.ts';
import { timeOf, type HistoryRecord } from '../../exchange/history/historyRecords.ts';
import type { AccountType, Transaction } from '../../exchange/records.ts';
import {
  operationOf,
  transactionHistories,
  type LedgerHistory,
  type LedgerQuery,
  type LedgerReader,
} from '../../ledger/ledger.ts';
import { exportFields } from '../export/exportFields.ts';
import { rowSerializer } from '../export/exportFormats.ts';
import type { StatementFormat } from './manifest.ts';

/** Few enough to be written without blocking the window. */
const pageSize = 5000;
/** Account data: only its user may read it. */
const mode = 0o600;

export type RowsSource = {
  readonly reader: Pick<LedgerReader, 'rows' | 'sums'>;
  readonly period: Interval;
  /** Where its files are written, and how. */
  readonly folder: string;
  readonly format: StatementFormat;
  readonly writtenBy: string;
  /** Called with the number of rows of each page. */
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
};

/** How many rows of a period the exchange still lists. */
export async function countRows(
  reader: Pick<LedgerReader, 'rows'>,
  history: LedgerHistory,
  period: Interval,
): Promise<number> {
  return (await reader.rows(oldestFirst(history, period), 0, 0)).total;
}

/** The rows of a period that the exchange still lists, oldest first, in pages. */
async function* pagesOf(
  { reader, period, onRows, signal }: RowsSource,
  history: LedgerHistory,
): AsyncGenerator<readonly HistoryRecord[]> {
  const query = oldestFirst(history, period);
  for (let read = 0; ;) {
    const { rows } = await reader.rows(query, read, pageSize);
    signal.throwIfAborted();
    yield rows;
    onRows(rows.length);
    read += rows.length;
    if (rows.length < pageSize) return;
  }
}

function oldestFirst(history: LedgerHistory, period: Interval): LedgerQuery {
  const sort = { field: 'time', isDescending: false };
  return { history, period, filters: {}, search: '', sort, isListed: true };
}

type WrittenRows = {
  readonly rows: number;
  readonly columns: Readonly<Record<string, string>> | undefined;
};

/** Writes a history as one file. */
export async function writeRows(
  source: RowsSource,
  history: LedgerHistory,
  name: string,
): Promise<WrittenRows> {
  const { format, folder, writtenBy, signal } = source;
  const target = path.join(folder, name);
  if (format === 'csv') return writeText(source, history, 'csv', target);
  const cells = `${target}.cells`;
  const { rows } = await writeText(source, history, 'cells', cells);
  const { writeColumnFile } = await import('../export/columns/columnFile.ts');
  const operation = operationOf(history);
  const file = await writeColumnFile({
    format,
    rows: cells,
    target,
    name: operation,
    fields: exportFields(operation),
    writtenBy,
    partition: { account: '', operation: history },
    onRows: () => undefined,
    signal,
  });
  await rm(cells);
  if (file.kind === 'refused') throw new Error('Parquet refuses no row.');
  return { rows, columns: file.columns };
}

async function writeText(
  source: RowsSource,
  history: LedgerHistory,
  format: 'csv' | 'cells',
  target: string,
): Promise<WrittenRows> {
  const serializer = rowSerializer(format, exportFields(operationOf(history)));
  let count = 0;
  await withNewFile(target, async (file) => {
    await file.appendFile(serializer.header);
    for await (const rows of pagesOf(source, history)) {
      const texts = rows.map((row, index) => serializer.row(row, count + index === 0));
      await file.appendFile(texts.join(''));
      count += rows.length;
    }
    await file.appendFile(serializer.footer);
  });
  return { rows: count, columns: undefined };
}

/** Writes a file that is not there yet, and onto the disk. */
export async function withNewFile<T>(
  target: string,
  write: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path.normalize(target), 'wx', mode);
  try {
    const result = await write(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

type BookedTransaction = {
  readonly accountType: AccountType;
  readonly transaction: Transaction;
  readonly epochMs: number;
};

/** The transactions of both accounts, oldest first; at one time, those of FUTURE first. */
export async function* transactionsOf(source: RowsSource): AsyncGenerator<BookedTransaction> {
  const [future, spot] = [booked(source, 'FUTURE'), booked(source, 'SPOT')];
  let [one, other] = [await nextOf(future), await nextOf(spot)];
  while (one || other) {
    if (one && one.epochMs <= (other?.epochMs ?? Infinity)) {
      yield one;
      one = await nextOf(future);
    } else if (other) {
      yield other;
      other = await nextOf(spot);
    }
  }
}

async function nextOf(
  transactions: AsyncIterator<BookedTransaction, void>,
): Promise<BookedTransaction | undefined> {
  const next = await transactions.next();
  return next.done ? undefined : next.value;
}

async function* booked(
  source: RowsSource,
  accountType: AccountType,
): AsyncGenerator<BookedTransaction> {
  for await (const rows of pagesOf(source, transactionHistories[accountType]))
    for (const row of rows) {
      // The histories of transactions have no other records.
      const transaction = row as Transaction;
      yield { accountType, transaction, epochMs: timeOf(row) ?? source.period.from };
    }
}
