/** Section 2.1 of the interface document. */
export type Page<Row> = {
  readonly content: readonly Row[];
  readonly size: number;
  readonly totalPages: number;
  readonly totalElements: number;
};

const defaultPageSize = 20;
const largestPageSize = 500;

/** The page with this number, counted from 0. A larger size than 500 is cut to that; a page past the end is empty. */
export function pageOf<Row>(rows: readonly Row[], page = 0, size = defaultPageSize): Page<Row> {
  const usedSize = Math.min(size, largestPageSize);
  return {
    content: rows.slice(page * usedSize, (page + 1) * usedSize),
    size: usedSize,
    totalPages: Math.ceil(rows.length / usedSize),
    totalElements: rows.length,
  };
}
