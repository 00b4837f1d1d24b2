import type { Display } from '../../base/display.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import type { Position } from './gridKeys.ts';

export type CopiedCell =
  | { readonly kind: 'text'; readonly text: string }
  /** It is masked here: only the host has it. */
  | { readonly kind: 'masked' }
  | { readonly kind: 'nothing' };

/** What a copy of a cell takes along: the text as the wire wrote it; of the header its label. */
export function copiedCell(
  { row, column }: Position,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): CopiedCell {
  const { label, field = '' } = columns[column] ?? {};
  const text = row < 0 ? label : rows[row]?.[column];
  if (text === undefined || text === null) return { kind: 'nothing' };
  return row >= 0 && display.hides(field) ? { kind: 'masked' } : { kind: 'text', text };
}
