import type { LedgerQuery } from '../ledger.ts';
import { columnsOf, idColumn, sqlColumns, type StoredColumn } from './columns.ts';

/** The order of rows, as SQL. All terms have one direction, so that rows can be compared as a whole. */
export type RowOrder = { readonly terms: readonly string[]; readonly isDescending: boolean };

/** Ties are in the order of time and id. No two rows are equal. */
export function rowOrder({ history, sort }: LedgerQuery): RowOrder {
  const column = columnsOf(history).find(({ field }) => field === sort?.field);
  const ties = ['time', idColumn(history), 'row'];
  if (!column || !sort) return { terms: ties, isDescending: true };
  const terms = new Set([...sortedTerms(column), ...ties]);
  return { terms: [...terms], isDescending: sort.isDescending };
}

export function reversed({ terms, isDescending }: RowOrder): RowOrder {
  return { terms, isDescending: !isDescending };
}

export function orderBy({ terms, isDescending }: RowOrder): string {
  return terms.map((term) => `${term} ${isDescending ? 'DESC' : 'ASC'}`).join(', ');
}

/** Nothing can be compared with null: it is what sorts before all values, where SQLite has it as well. */
function sortedTerms(column: StoredColumn): string[] {
  switch (column.kind) {
    case 'number': {
      const [whole, ...fraction] = sqlColumns(column);
      return [`ifnull(${whole}, -1 << 63)`, ...fraction.map((part) => `ifnull(${part}, 0)`)];
    }
    case 'reference':
    case 'word':
      return [`ifnull(${column.field}, '')`];
    case 'flag':
      return [column.field];
    case 'id':
    case 'time':
      return [...sqlColumns(column)];
  }
}
