import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, plain, sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { Cell, Column } from '../../protocol/table.ts';

/** What a cell shows: figures with every digit, ids as they are, times in the shown zone, text made safe. */
export function cellText(
  cell: Cell,
  { field, kind }: Pick<Column, 'field' | 'kind'>,
  display: Display,
): string {
  if (cell === null) return unknownValue;
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
    default:
      return kind satisfies never;
  }
}

/** Whether a column's cells stand at the line's end, digit under digit. */
export function isNumeric(kind: Column['kind']): boolean {
  return kind === 'decimal' || kind === 'percent' || kind === 'id';
}

/** Fields whose sign says whether something was won or lost. */
const earnings: ReadonlySet<string> = new Set(['rpnl', 'upl']);

/** Which colour a figure has; none where it is zero, hidden, or no matter of gain and loss. */
export function gainOf(cell: Cell, { field }: Pick<Column, 'field'>): 'gain' | 'loss' | '' {
  if (cell === null || !earnings.has(field) || !isNumberText(cell)) return '';
  const earned = sign(cell);
  if (earned === 0) return '';
  return earned > 0 ? 'gain' : 'loss';
}
