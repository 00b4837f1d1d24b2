/** Row −1 is the header. */
export type CellPosition = { readonly row: number; readonly column: number };

export type GridExtent = {
  readonly rows: number;
  readonly columns: number;
  /** How many rows Page Up and Page Down move by. */
  readonly pageRows: number;
};

export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};

const headerRow = -1;

/** The cell that a key moves to; null for a key that the grid does not handle. */
export function moveByKey(
  key: KeyPress,
  { row, column }: CellPosition,
  extent: GridExtent,
): CellPosition | null {
  if (key.altKey || key.shiftKey) return null;
  const end = { row: extent.rows - 1, column: extent.columns - 1 };
  const withControl = key.ctrlKey || key.metaKey;
  switch (withControl ? `Control+${key.key}` : key.key) {
    case 'ArrowUp':
      return clampPosition({ row: row - 1, column }, extent);
    case 'ArrowDown':
      return clampPosition({ row: row + 1, column }, extent);
    case 'ArrowLeft':
      return clampPosition({ row, column: column - 1 }, extent);
    case 'ArrowRight':
      return clampPosition({ row, column: column + 1 }, extent);
    case 'PageUp':
      return clampPosition(
        { row: row > 0 ? Math.max(0, row - extent.pageRows) : headerRow, column },
        extent,
      );
    case 'PageDown':
      return clampPosition({ row: row + extent.pageRows, column }, extent);
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: end.column };
    case 'Control+Home':
      return clampPosition({ row: 0, column: 0 }, extent);
    case 'Control+End':
      return end;
    default:
      return null;
  }
}

/** The nearest cell that exists. */
export function clampPosition({ row, column }: CellPosition, extent: GridExtent): CellPosition {
  return {
    row: Math.max(headerRow, Math.min(row, extent.rows - 1)),
    column: Math.max(0, Math.min(column, extent.columns - 1)),
  };
}
