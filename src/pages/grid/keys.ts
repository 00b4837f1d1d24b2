import type { CellPosition } from './selection.ts';
import type { GridAction } from './model.ts';

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
  const { active, rows, fields, pageRows } = context;
  const control = key.ctrlKey || key.metaKey ? 'Control+' : '';
  const end = { row: rows - 1, column: fields.length - 1 };
  const to = moves[control + key.key]?.(active, end, pageRows);
  if (to) return moveOrExtend(clampPosition(to, end), key.shiftKey && active.row >= 0);
  const name = `${control}${key.shiftKey ? 'Shift+' : ''}${key.key}`;
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

/** Where each key moves to from the active cell, with or without Shift. `end` is the last cell. */
const moves: Readonly<
  Record<string, (active: CellPosition, end: CellPosition, pageRows: number) => CellPosition>
> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  PageUp: ({ row, column }, _end, pageRows) =>
    row > 0 ? { row: Math.max(0, row - pageRows), column } : { row: headerRow, column },
  PageDown: ({ row, column }, _end, pageRows) => ({ row: row + pageRows, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, end) => ({ row, column: end.column }),
  'Control+ArrowUp': ({ row, column }) => ({ row: row > 0 ? 0 : headerRow, column }),
  'Control+ArrowDown': ({ column }, end) => ({ row: end.row, column }),
  'Control+ArrowLeft': ({ row }) => ({ row, column: 0 }),
  'Control+ArrowRight': ({ row }, end) => ({ row, column: end.column }),
  'Control+Home': () => ({ row: 0, column: 0 }),
  'Control+End': (_active, end) => end,
};

/** The nearest cell that exists. */
export function clampPosition({ row, column }: CellPosition, end: CellPosition): CellPosition {
  return {
    row: Math.max(headerRow, Math.min(row, end.row)),
    column: Math.max(0, Math.min(column, end.column)),
  };
}
