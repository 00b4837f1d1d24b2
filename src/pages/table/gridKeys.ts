/** A cell of the grid; row −1 is the header. */
export type Position = { readonly row: number; readonly column: number };

export type Extent = {
  readonly rows: number;
  readonly columns: number;
  /** How many rows a page key passes. */
  readonly pageRows: number;
};

export type Key = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};

const headerRow = -1;

/** Where a key leads from a cell; null for a key that the grid does not take. */
export function moveBy(key: Key, { row, column }: Position, extent: Extent): Position | null {
  if (key.altKey || key.shiftKey) return null;
  const end = { row: extent.rows - 1, column: extent.columns - 1 };
  const withControl = key.ctrlKey || key.metaKey;
  switch (withControl ? `Control+${key.key}` : key.key) {
    case 'ArrowUp':
      return within({ row: row - 1, column }, extent);
    case 'ArrowDown':
      return within({ row: row + 1, column }, extent);
    case 'ArrowLeft':
      return within({ row, column: column - 1 }, extent);
    case 'ArrowRight':
      return within({ row, column: column + 1 }, extent);
    case 'PageUp':
      return within(
        { row: row > 0 ? Math.max(0, row - extent.pageRows) : headerRow, column },
        extent,
      );
    case 'PageDown':
      return within({ row: row + extent.pageRows, column }, extent);
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: end.column };
    case 'Control+Home':
      return within({ row: 0, column: 0 }, extent);
    case 'Control+End':
      return end;
    default:
      return null;
  }
}

/** The nearest cell that there is. */
export function within({ row, column }: Position, extent: Extent): Position {
  return {
    row: Math.max(headerRow, Math.min(row, extent.rows - 1)),
    column: Math.max(0, Math.min(column, extent.columns - 1)),
  };
}
