import type { Field, FieldKind, FieldOfKind } from '../../api/fields.ts';
import { fieldsOf, type HistoryName, type operations } from '../../api/operations.ts';
import { operationOf, type LedgerHistory } from '../ledger.ts';
import { idKey, numberKey, type SqlInteger } from './numberKey.ts';

/**
 * A field as it is stored beside its record, to be sorted, filtered and searched. An id is an integer, searched by its
 * beginning; so is a reference. A word is searched by a part. A number is three integers, see `numberKey`.
 */
export type StoredColumn = { readonly field: string; readonly kind: FieldKind };

/** The columns of a history: the record's id, its time, and the others in the order of the API. */
export function columnsOf(history: LedgerHistory): readonly StoredColumn[] {
  const rank = ({ kind, isIdentity }: Field): number =>
    kind === 'id' && isIdentity ? 0 : kind === 'time' ? 1 : 2;
  return [...fieldsOf(operationOf(history))]
    .toSorted(([, one], [, other]) => rank(one) - rank(other))
    .map(([field, { kind }]) => ({ field, kind }));
}

export function idColumn(history: LedgerHistory): string {
  return columnsOf(history)[0]?.field ?? '';
}

/** The SQL columns of a field: a number has three, which sort and add together. */
export function sqlColumns({ field, kind }: StoredColumn): readonly string[] {
  if (kind === 'number') return [field, `${field}Nano`, `${field}Atto`];
  return [kind === 'time' ? 'time' : field];
}

/** The figures that are added up. An order without a limit has no price, so prices of orders are not among them. */
const summedFigures: {
  readonly [Name in HistoryName]: readonly FieldOfKind<(typeof operations)[Name]['of'], 'number'>[];
} = {
  orders: ['amount', 'filled'],
  trades: ['amount', 'price', 'fee', 'rpnl'],
  lots: ['amount'],
  transactions: ['amount'],
};

/** The condition of rows that lack such a figure, or the asset of a fee. They have an index, which is found by this text. */
export function lacksFigure(
  history: LedgerHistory,
  figures: readonly string[] = summedFigures[operationOf(history)],
): string {
  const paid = 'feeAsset IS NULL AND (fee <> 0 OR feeNano <> 0 OR feeAtto <> 0)';
  return figures
    .flatMap((field) => [`${field} IS NULL`, ...(field === 'fee' ? [paid] : [])])
    .join(' OR ');
}

export type SqlValue = SqlInteger | string;

/** Adds the values of a record's field for its SQL columns. The record's time is stored by its caller. */
export function addSqlValues(values: SqlValue[], kind: FieldKind, value: unknown): void {
  switch (kind) {
    case 'number':
      values.push(...numberKey(typeof value === 'string' ? value : null));
      return;
    case 'id':
      values.push(typeof value === 'string' ? idKey(value) : null);
      return;
    case 'flag':
      values.push(typeof value === 'boolean' ? Number(value) : null);
      return;
    case 'reference':
    case 'word':
      values.push(typeof value === 'string' ? value : null);
      return;
    case 'time':
      return;
  }
}
