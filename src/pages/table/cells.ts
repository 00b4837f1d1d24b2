import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, plain } from '../../base/decimal.ts';
import { unknownValue, utcTime } from '../../base/format.ts';
import type { Cell, CellKind } from '../../protocol/table.ts';

/** What a cell shows: numbers with every digit in plain notation, times in UTC, text made safe. */
export function cellText(cell: Cell, kind: CellKind): string {
  if (cell === null) return unknownValue;
  switch (kind) {
    case 'decimal':
    case 'id':
      return isNumberText(cell) ? plain(cell) : cleanText(cell);
    case 'percent':
      return isNumberText(cell) ? `${plain(cell)} %` : cleanText(cell);
    case 'time':
      return cleanText(utcTime(cell));
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
export function isNumeric(kind: CellKind): boolean {
  return kind === 'decimal' || kind === 'percent' || kind === 'id';
}
