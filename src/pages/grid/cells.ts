import { html, svg, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, compare, isNumberText, plain, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import {
  fullFigure,
  isPriceOfMarketOrder,
  timeWithoutZone,
  wordOf,
  wordText,
} from '../../protocol/cellRules.ts';
import type { Cell, Column, DistanceScale } from '../../protocol/table.ts';

type Row = readonly Cell[];

/** Numbers keep every digit, times are in the display's time zone, text is cleaned of hidden characters. */
export function cellText(
  cell: Cell,
  column: Pick<Column, 'field' | 'kind' | 'words' | 'isSigned'>,
  display: Display,
): string {
  if (cell === null) return unknownText;
  const { field, kind } = column;
  switch (kind) {
    case 'decimal':
      return isNumberText(cell) ? fullFigure(cell, column, display) : cleanText(cell);
    case 'id':
      return isNumberText(cell) ? plain(cell) : cleanText(cell);
    case 'percent':
    case 'distance':
      return isNumberText(cell) ? `${display.full(field, cell)} %` : cleanText(cell);
    case 'time':
      return cleanText(display.time(cell));
    case 'flag':
      return wordOf(cell, column)?.text ?? cleanText(cell);
    case 'enum':
    case 'link':
    case 'text':
      return cleanText(cell);
  }
}

/** What the grid shows of a cell: shorter when its header, its tooltip or its row says the rest. */
export function gridCellText(
  row: Row,
  index: number,
  columns: readonly Column[],
  zone: string,
  display: Display,
): string {
  const [cell, column] = [row[index] ?? null, columns[index]];
  if (!column) return '';
  if (column.kind === 'time' && cell !== null && zone !== '') return timeWithoutZone(cell, display);
  const word = wordOf(cell, column);
  if (word) return wordText(word, fieldsOf(row, columns), display);
  if (column.kind === 'link' && cell !== null) return linkHost(cell);
  if (cell !== null && column.scale) return distanceText(cell, column.field, column.scale, display);
  return hasNoPrice(row, index, columns) ? unknownText : cellText(cell, column, display);
}

/** The number in short and its word, which says whether the distance is passed. */
function distanceText(
  cell: string,
  field: Column['field'],
  { steps, beyond }: DistanceScale,
  display: Display,
): string {
  if (!isNumberText(cell)) return cleanText(cell);
  const step = steps.find(({ upTo }) => compare(cell, String(upTo)) <= 0);
  const word = step?.word ?? beyond;
  const percent = display.shortPercent(field, absolute(cell));
  return word === '' ? percent : `${percent} · ${word}`;
}

/** The tooltip of a cell that does not show everything; empty for one that does. */
export function cellTooltip(
  row: Row,
  index: number,
  columns: readonly Column[],
  display: Display,
): string {
  const [cell, column] = [row[index] ?? null, columns[index]];
  if (!column || cell === null) return '';
  const { kind } = column;
  if (kind === 'time') return cleanText(display.timeInBothZones(cell));
  if (kind === 'link' || kind === 'enum' || kind === 'distance' || hasNoPrice(row, index, columns))
    return cellText(cell, column, display);
  return '';
}

function fieldsOf(row: Row, columns: readonly Column[]): (field: string) => Cell {
  return (field) => row[columns.findIndex((column) => column.field === field)] ?? null;
}

/** Of a market order. */
export function hasNoPrice(row: Row, index: number, columns: readonly Column[]): boolean {
  const orderType = fieldsOf(row, columns)('type');
  return isPriceOfMarketOrder(columns[index]?.field ?? '', row[index] ?? null, orderType);
}

function linkHost(cell: string): string {
  const host = URL.canParse(cell) ? new URL(cell).host : '';
  return cleanText(host === '' ? cell : host);
}

/** A cell with an address that the host can be asked to open. */
export function isLink(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell !== '';
}

/** Of the bar and the gap after it, in CSS pixels. */
export const barWidth = 80;

/**
 * Empty once the distance is passed, with a line at each limit. The text beside it says the same. Its
 * lengths are rounded: they are drawn, not read.
 */
export function distanceBar(cell: string, { full, steps }: DistanceScale): TemplateResult {
  const toLength = (percent: number): number =>
    Math.round(Math.max(0, Math.min((100 * percent) / full, 100)));
  const limits = steps.filter(({ upTo }) => upTo > 0);
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${toLength(Number(cell))} height="8"></rect>
    ${limits.map(({ upTo }) => {
      const at = toLength(upTo);
      return svg`<line x1=${at} x2=${at} y1="0" y2="8"></line>`;
    })}
  </svg>`;
}
