import { cleanText } from '../base/cleanText.ts';
import { isNumberText, product, quotient, sign, type NumberText } from '../base/decimal.ts';
import type { Display } from '../base/display.ts';
import type { Cell, Column, Word } from './table.ts';

/** What the grid of a panel and the tables of the overview show alike. */

type Signed = Pick<Column, 'field' | 'isSigned'>;

/** Every digit of a figure; of a profit or loss with its sign. */
export function fullFigure(figure: NumberText, column: Signed, display: Display): string {
  const { field } = column;
  return isProfit(column) ? display.signedFull(field, figure) : display.full(field, figure);
}

/** What is shown in place of a value of the exchange; undefined for a value that has no word. */
export function wordOf(cell: Cell, { words }: Pick<Column, 'words'>): Word | undefined {
  return cell !== null && words && Object.hasOwn(words, cell) ? words[cell] : undefined;
}

/** The word, and how much of the whole there is: `Partially filled 32 %`. */
export function wordText(
  { text, share }: Word,
  cellOf: (field: string) => Cell,
  display: Display,
): string {
  const part = (share && cellOf(share.part)) ?? '';
  const whole = (share && cellOf(share.whole)) ?? '';
  if (!isNumberText(part) || !isNumberText(whole) || sign(whole) === 0) return text;
  const percent = product(quotient(part, whole), '100');
  return `${text} ${display.shortPercent('ratio', percent)}`;
}

/** Numeric columns are right-aligned. */
export function isNumeric(kind: Column['kind']): boolean {
  return kind === 'decimal' || kind === 'percent' || kind === 'id';
}

/** A market order has no price; the exchange writes 0. */
export function isPriceOfMarketOrder(field: string, cell: Cell, orderType: Cell): boolean {
  if (field !== 'price' || orderType !== 'MARKET' || cell === null) return false;
  return isNumberText(cell) && sign(cell) === 0;
}

/** The unit of a number, by the cell of its row that names it. */
export function unitNamed(name: string, { units = {} }: Pick<Column, 'units'>): string {
  return (Object.hasOwn(units, name) ? units[name] : undefined) ?? name;
}

const profitFields: ReadonlySet<string> = new Set(['rpnl', 'upl', 'netPl']);

/** Profits and losses have their sign always written: a colour alone would be lost on many. */
export function isProfit({ field, isSigned = false }: Signed): boolean {
  return isSigned || profitFields.has(field);
}

/** The colour of a profit or loss; undefined for zero, a masked value and any other field. */
export function gainOrLoss(cell: Cell, column: Signed): 'gain' | 'loss' | undefined {
  if (cell === null || !isProfit(column) || !isNumberText(cell)) return undefined;
  const earned = sign(cell);
  if (earned === 0) return undefined;
  return earned > 0 ? 'gain' : 'loss';
}

/** The zone of all these times; empty if it changes between them, as on a day when clocks change. */
export function sharedZone(cells: readonly Cell[], display: Display): string {
  const zones = new Set<string>();
  for (const cell of cells) {
    const zone = cell === null ? undefined : display.zoneAt(cell);
    if (zone !== undefined) zones.add(zone);
    if (zones.size > 1) return '';
  }
  return [...zones][0] ?? '';
}

/** A time to the second, whose zone the header of its column has. */
export function timeWithoutZone(cell: string, display: Display): string {
  const shown = display.timeToSecond(cell);
  return shown === cell ? cleanText(cell) : shown.slice(0, shown.lastIndexOf(' '));
}

export function headerText({ label }: Pick<Column, 'label'>, zone: string): string {
  return zone === '' ? label : `${label} (${zone})`;
}
