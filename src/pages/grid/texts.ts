import { integerFormat } from '../../base/display.ts';
import type { CellSelection } from '../../protocol/gridMessages.ts';
import type { GridTextName } from '../../protocol/texts.ts';
import { cellCount } from './selection.ts';

/** The texts of a grid, with a function for each text that has placeholders. */
export type GridTexts = ReturnType<typeof formatGridTexts>;

/** `locale` is a BCP 47 tag; it groups the digits of numbers. */
export function formatGridTexts(texts: Readonly<Record<GridTextName, string>>, locale: string) {
  const format = formatIn(locale);
  const { oneRow, rows } = texts;
  const copiedCells = (selection: CellSelection | null): string => {
    if (!selection) return texts.copied;
    const { isRows, rows: copiedRows } = selection;
    const count = isRows ? copiedRows.length : cellCount(selection);
    if (count === 1) return isRows ? texts.copiedRow : texts.copiedCell;
    return format(isRows ? texts.copiedRows : texts.copiedCells, count);
  };
  return {
    ...texts,
    copiedCells,
    rowsRead: (count: number) => (count === 1 ? oneRow : format(rows, count)),
    cells: (count: number) => format(texts.cells, count),
    sums: (name: string, figures: readonly [string, string, string, string]) =>
      format(texts.sums, name, ...figures),
    /** What was added up, and how many rows lack it. */
    lacking: (figures: string, rows: number) =>
      rows === 0 ? figures : format(texts.lacking, figures, rows),
    copyField: (label: string) => format(texts.copyField, label),
    matchOf: (match: string, count: number) => format(texts.matchOf, match, count),
  };
}

type Format = (text: string, ...values: readonly (string | number)[]) => string;

/** Puts values into the places of a text. */
export function formatIn(locale: string): Format {
  const integers = integerFormat(locale);
  return (text, ...values) =>
    text.replace(/\{(\d)\}/g, (place, index: string) => {
      const value = values[Number(index)] ?? place;
      return typeof value === 'number' ? integers.format(value) : value;
    });
}
