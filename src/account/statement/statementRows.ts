import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Interval } from '../../base/interval.ts';
import { timeOf, type HistoryRecord } from '../../exchange/history/records.ts';
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
import { writeText } from '../export/exportedFile.ts';
import { rowPieces } from '../export/exportRows.ts';
import type { StatementFormat } from './manifest.ts';

/** Account data: only its user may read it. */
const mode = 0o600;

export type RowsSource = {
  readonly reader: Pick<LedgerReader, 'rows' | 'piece' | 'sums'>;
  readonly period: Interval;
  /** Where its files are written, and how. */
  readonly folder: string;
  readonly format: StatementFormat;
  readonly writtenBy: string;
  /** Called with the number of rows that were written since the last call. */
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

/** The rows of a period that the exchange still lists, oldest first. */
function rowsOf(
  { reader, period, signal }: RowsSource,
  history: LedgerHistory,
): AsyncIterable<readonly HistoryRecord[]> {
  return rowPieces({ reader, query: oldestFirst(history, period), start: null }, signal);
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
  const file = path.join(folder, name);
  const operation = operationOf(history);
  const fields = exportFields(operation);
  let rows = 0;
  const onRows = (written: number): void => {
    source.onRows(written - rows);
    rows = written;
  };
  const pieces = () => rowsOf(source, history);
  if (format === 'csv') {
    await writeText(file, rowSerializer('csv', fields), pieces(), onRows);
    return { rows, columns: undefined };
  }
  const { writeColumnFile } = await import('../export/columns/columnFile.ts');
  const partition = { account: '', operation: history };
  const written = await writeColumnFile({
    ...{ format, file, pieces, fields, writtenBy, partition, onRows, signal },
    name: operation,
  });
  if (written.kind === 'refused') throw new Error('Parquet refuses no row.');
  return { rows, columns: written.columns };
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
  for await (const rows of rowsOf(source, transactionHistories[accountType])) {
    for (const row of rows) {
      // The histories of transactions have no other records.
      const transaction = row as Transaction;
      yield { accountType, transaction, epochMs: timeOf(row) ?? source.period.from };
    }
    source.onRows(rows.length);
  }
}
