import { createHash } from 'node:crypto';
import type Big from 'big.js';
import type { BookedEntry } from './books.ts';
import { isTransfer, type AccountType, type TransactionType } from './entries.ts';
import { hasAll, isWithin, type Period } from './filters.ts';
import { Draws } from './random.ts';

/** Section 2.5 of the interface document. */
export type Transaction = {
  readonly transactionId: bigint;
  readonly transactionUuid: string;
  readonly asset: string;
  readonly link: string;
  readonly amount: Big;
  readonly type: TransactionType;
  readonly time: number;
};

/** What the transaction history can be narrowed to (section 4.4). */
export type TransactionFilter = Period & {
  readonly accountType: AccountType;
  readonly type?: TransactionType | undefined;
  readonly asset?: string | undefined;
};

const explorer = 'https://explorer.example/transactions';

export function entryMatches(
  entry: BookedEntry,
  { dateFrom, dateTo, ...wanted }: TransactionFilter,
): boolean {
  return hasAll<BookedEntry>(entry, wanted) && isWithin(entry.time, { dateFrom, dateTo });
}

/** The entry as it is told: the two of one transfer share their UUID and their link. */
export function transactionOf(seed: number, entry: BookedEntry): Transaction {
  const { transactionId, asset, amount, type, time } = entry;
  const own = isTransfer(entry) ? `${type}/${asset}/${time}` : String(transactionId);
  const key = `${seed}/transaction/${own}`;
  const hash = createHash('sha256').update(key).digest('hex');
  const transactionUuid = new Draws(key).uuid();
  return { transactionId, transactionUuid, asset, link: `${explorer}/${hash}`, amount, type, time };
}
