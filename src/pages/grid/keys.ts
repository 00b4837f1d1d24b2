import type { CellPosition } from './selection.ts';
import type { GridAction } from './state.ts';

/** The places of the shown rows and columns. */
type Extent = { readonly rows: number; readonly columns: number };

/** What the meaning of a key depends on. */
type KeyContext = {
  readonly active: CellPosition;
  readonly rows: number;
  /** Of the shown columns, each with its width in CSS pixels. */
  readonly fields: readonly string[];
  readonly widths: readonly number[];
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

/** Null for a key that the grid does not handle, so that VS Code gets it. */
export function keyAction(key: KeyPress, context: KeyContext): GridAction | null {
  if (key.altKey) return columnAction(key, context);
  const { active, fields } = context;
  const to = moveByKey(key, context);
  if (to) return moveOrExtend(to, key.shiftKey && active.row >= 0);
  const withControl = key.ctrlKey || key.metaKey;
  const name = `${withControl ? 'Control+' : ''}${key.shiftKey ? 'Shift+' : ''}${key.key}`;
  if (active.row < 0 && (name === 'Enter' || name === ' '))
    return { kind: 'sorted', field: fields[active.column] ?? '' };
  return otherKeys.get(name.length > 1 ? name.toLowerCase() : name) ?? null;
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

/** Moves the active column, or changes its width. */
function columnAction(
  { key, shiftKey, ctrlKey, metaKey }: KeyPress,
  { active: { column }, fields, widths }: KeyContext,
): GridAction | null {
  if (ctrlKey || metaKey) return null;
  const field = fields[column] ?? '';
  if (shiftKey && key === 'Home') return { kind: 'columnResized', field, width: null };
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const by = key === 'ArrowLeft' ? -1 : 1;
  return shiftKey
    ? { kind: 'columnResized', field, width: (widths[column] ?? 0) + by * widthStep }
    : { kind: 'columnMoved', field, target: fields[column + by] ?? '' };
}

/** The cell that a key moves to, with or without Shift; null for any other key. */
function moveByKey(key: KeyPress, context: KeyContext): CellPosition | null {
  const { active, rows, fields, pageRows } = context;
  const { row, column } = active;
  const end = { row: rows - 1, column: fields.length - 1 };
  const withControl = key.ctrlKey || key.metaKey;
  const to = (position: CellPosition): CellPosition =>
    clampPosition(position, { rows, columns: fields.length });
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
      return to({ row: row > 0 ? Math.max(0, row - pageRows) : headerRow, column });
    case 'PageDown':
      return to({ row: row + pageRows, column });
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
export function clampPosition({ row, column }: CellPosition, extent: Extent): CellPosition {
  return {
    row: Math.max(headerRow, Math.min(row, extent.rows - 1)),
    column: Math.max(0, Math.min(column, extent.columns - 1)),
  };
}
