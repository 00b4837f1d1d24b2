import type { CellSelection } from '../../protocol/gridMessages.ts';
import type { gridPhrases, GridTextName } from '../../protocol/texts.ts';
import { fill } from '../fill.ts';
import { cellCount } from './selection.ts';

/** The texts of a grid: a text that has places is a function of what fills them. */
export type GridTexts = ReturnType<typeof formatGridTexts>;

export function formatGridTexts(texts: Readonly<Record<GridTextName, string>>, locale: string) {
  const filled = fill<typeof gridPhrases>(texts, locale);
  const copiedCells = (selection: CellSelection | null): string => {
    if (!selection) return texts.copied;
    const { isRows, rows } = selection;
    const count = isRows ? rows.length : cellCount(selection);
    if (count === 1) return isRows ? texts.copiedRow : texts.copiedCell;
    return isRows ? filled.copiedRows(count) : filled.copiedCells(count);
  };
  return {
    ...filled,
    copiedCells,
    rowsRead: (count: number) => (count === 1 ? texts.oneRow : filled.rows(count)),
    /** What was added up, and how many rows lack it. */
    lacking: (figures: string, rows: number) =>
      rows === 0 ? figures : filled.lacking(figures, rows),
  };
}
