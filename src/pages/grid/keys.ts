import type { CellPosition } from './selection.ts';
import type { GridAction } from './state.ts';

type GridExtent = {
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

/** How many pixels wider or narrower a key makes a column. */
const widthStep = 16;

/** What a key asks of the grid besides moving; `width` is by how many pixels the column grows, or null to fit. */
type GridKey =
  | { readonly kind: 'action'; readonly action: GridAction }
  | { readonly kind: 'moveColumn'; readonly by: 1 | -1 }
  | { readonly kind: 'width'; readonly by: number | null }
  | { readonly kind: 'sort' };

/** Null for a key that the grid does not handle, so that VS Code gets it. */
export function gridKey(key: KeyPress, active: CellPosition, extent: GridExtent): GridKey | null {
  if (key.altKey) return columnKey(key);
  const to = moveByKey(key, active, extent);
  if (to) return { kind: 'action', action: moveOrExtend(to, key.shiftKey && active.row >= 0) };
  const withControl = key.ctrlKey || key.metaKey;
  const name = `${withControl ? 'Control+' : ''}${key.shiftKey ? 'Shift+' : ''}${key.key}`;
  if (active.row < 0 && (name === 'Enter' || name === ' ')) return { kind: 'sort' };
  const action = otherKeys.get(name.length > 1 ? name.toLowerCase() : name);
  return action ? { kind: 'action', action } : null;
}

/** A selection ends at the first row: the header is no part of it. */
function moveOrExtend(to: CellPosition, isExtended: boolean): GridAction {
  return isExtended
    ? { kind: 'moved', to: { ...to, row: Math.max(0, to.row) }, mode: 'extend' }
    : { kind: 'moved', to, mode: 'move' };
}

const otherKeys: ReadonlyMap<string, GridAction> = new Map<string, GridAction>([
  ['enter', { kind: 'detailsOpened' }],
  [' ', { kind: 'detailsOpened' }],
  ['shift+ ', { kind: 'rowsSelected' }],
  ['escape', { kind: 'escaped' }],
  ['control+a', { kind: 'allSelected' }],
  ['control+shift+c', { kind: 'copyRequested', format: 'tsvWithHeaders', isRows: false }],
]);

function columnKey({ key, shiftKey, ctrlKey, metaKey }: KeyPress): GridKey | null {
  if (ctrlKey || metaKey) return null;
  if (shiftKey && key === 'Home') return { kind: 'width', by: null };
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const by = key === 'ArrowLeft' ? -1 : 1;
  return shiftKey ? { kind: 'width', by: by * widthStep } : { kind: 'moveColumn', by };
}

/** The cell that a key moves to, with or without Shift; null for any other key. */
export function moveByKey(
  key: KeyPress,
  { row, column }: CellPosition,
  extent: GridExtent,
): CellPosition | null {
  if (key.altKey) return null;
  const end = { row: extent.rows - 1, column: extent.columns - 1 };
  const withControl = key.ctrlKey || key.metaKey;
  const to = (position: CellPosition): CellPosition => clampPosition(position, extent);
  switch (withControl ? `Control+${key.key}` : key.key) {
    case 'ArrowUp':
      return to({ row: row - 1, column });
    case 'ArrowDown':
      return to({ row: row + 1, column });
    case 'ArrowLeft':
      return to({ row, column: column - 1 });
    case 'ArrowRight':
      return to({ row, column: column + 1 });
    case 'PageUp':
      return to({ row: row > 0 ? Math.max(0, row - extent.pageRows) : headerRow, column });
    case 'PageDown':
      return to({ row: row + extent.pageRows, column });
    case 'Control+ArrowUp':
      return to({ row: row > 0 ? 0 : headerRow, column });
    case 'Control+ArrowDown':
      return { row: end.row, column };
    case 'Home':
    case 'Control+ArrowLeft':
      return { row, column: 0 };
    case 'End':
    case 'Control+ArrowRight':
      return { row, column: end.column };
    case 'Control+Home':
      return to({ row: 0, column: 0 });
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
