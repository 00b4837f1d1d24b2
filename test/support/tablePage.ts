import type { TablePage } from '../../src/protocol/table.ts';

/** A page of a table that has no more than these rows, with nothing to know of them. */
export function tablePage(rows: TablePage['rows'], fields: Partial<TablePage> = {}): TablePage {
  const count = String(rows.length);
  return {
    id: 1,
    rows,
    marks: [],
    startRow: null,
    summary: [],
    notes: [],
    omittedRows: 0,
    part: null,
    size: count,
    totalPages: '1',
    totalElements: count,
    badRecords: [],
    readAt: 0,
    ...fields,
  };
}
