import { copiedText } from '../../../protocol/copiedText.ts';
import type { OpenState } from '../state/pageState.ts';
import { selectionOf, type GridPositions } from './gridPositions.ts';
import type { GridAction } from './gridState.ts';

/** What Ctrl+C puts into the clipboard now; without a text, the host is asked to copy. */
export type CopiedCells = { readonly text?: string; readonly action: GridAction };

/** The selected cells as TSV, or the label of the active header cell. Only the host has masked figures. */
export function copyCells(
  { description: { columns }, display }: OpenState,
  positions: GridPositions,
): CopiedCells {
  const { page, order, active } = positions;
  const label = columns[order.columns[active.column] ?? -1]?.label;
  if (active.row < 0) return { text: label ?? '', action: { kind: 'copied', selection: null } };
  const selection = selectionOf(positions);
  const isMasked = ({ row, columns: own }: (typeof selection.rows)[number]): boolean =>
    own.some((index) => {
      const field = columns[index]?.field;
      return field !== undefined && display.hides(field) && page.rows[row]?.[index] !== null;
    });
  if (selection.rows.some(isMasked))
    return { action: { kind: 'copyRequested', format: 'tsv', isRows: false } };
  const text = copiedText({ selection, format: 'tsv' }, columns, page.rows) ?? '';
  return { text, action: { kind: 'copied', selection } };
}
