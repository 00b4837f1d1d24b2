import { cleanText } from '../../../base/cleanText.ts';
import { isNumberText, plain, sign, unknownText } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import type { Cell, Column } from '../../../protocol/table.ts';
import type { CellPosition } from './gridKeys.ts';

/** Numbers keep every digit, times are in the display's time zone, text is cleaned of hidden characters. */
export function cellText(
  cell: Cell,
  { field, kind }: Pick<Column, 'field' | 'kind'>,
  display: Display,
): string {
  if (cell === null) return unknownText;
  switch (kind) {
    case 'decimal':
      return isNumberText(cell) ? display.full(field, cell) : cleanText(cell);
    case 'id':
      return isNumberText(cell) ? plain(cell) : cleanText(cell);
    case 'percent':
      return isNumberText(cell) ? `${display.full(field, cell)} %` : cleanText(cell);
    case 'time':
      return cleanText(display.time(cell));
    case 'enum':
    case 'flag':
    case 'link':
    case 'text':
      return cleanText(cell);
  }
}

/** Numeric columns are right-aligned. */
export function isNumeric(kind: Column['kind']): boolean {
  return kind === 'decimal' || kind === 'percent' || kind === 'id';
}

const profitFields: ReadonlySet<string> = new Set(['rpnl', 'upl']);

/** The colour of a profit or loss; empty for zero, a masked value and any other field. */
export function gainOrLoss(cell: Cell, { field }: Pick<Column, 'field'>): 'gain' | 'loss' | '' {
  if (cell === null || !profitFields.has(field) || !isNumberText(cell)) return '';
  const earned = sign(cell);
  if (earned === 0) return '';
  return earned > 0 ? 'gain' : 'loss';
}

export type CopiedCell =
  | { readonly kind: 'text'; readonly text: string }
  /** Only the host has the real value. */
  | { readonly kind: 'masked' }
  | { readonly kind: 'none' };

/** The exchange's own text of a cell, or the label of a header cell. */
export function copiedCell(
  { row, column }: CellPosition,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): CopiedCell {
  const { label, field } = columns[column] ?? {};
  const text = row < 0 ? label : rows[row]?.[column];
  if (field === undefined || text === undefined || text === null) return { kind: 'none' };
  return row >= 0 && display.hides(field) ? { kind: 'masked' } : { kind: 'text', text };
}
