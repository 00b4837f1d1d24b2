import { l10n } from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, plain, sign, unknownText } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { Column } from '../../protocol/table.ts';
import { cellOf } from '../panels/tableDefinition.ts';
import { profitLabel } from './profitLabel.ts';

/** Records in the columns of their history; an address that only a panel can open is left out. */
export function recentTable(
  items: readonly object[],
  allColumns: readonly Column[],
  display: Display,
): Pick<DocumentTable, 'columns' | 'rows'> {
  const columns = allColumns.filter(({ kind }) => kind !== 'link');
  return {
    columns: columns.map(({ label, kind }) => ({ label, isNumeric: isNumeric(kind) })),
    rows: items.map((item) => columns.map((column) => cellLabel(item, column, display))),
  };
}

function isNumeric(kind: Column['kind']): boolean {
  return kind === 'decimal' || kind === 'percent' || kind === 'id';
}

function cellLabel(item: object, { field, kind }: Column, display: Display): Label {
  const cell = cellOf(item, field);
  if (cell === null) return { text: unknownText };
  if (display.hides(field)) return { text: mask };
  if (!isNumberText(cell) || kind === 'text' || kind === 'enum') return textLabel(cell, kind);
  if (kind === 'time')
    return { text: display.timeToSecond(cell), detail: display.timeInBothZones(cell) };
  if (kind === 'id') return { text: plain(cell) };
  if (field === 'rpnl') return profitLabel(field, cell, display);
  const text = display.full(field, cell);
  return isPriceOfMarketOrder(item, field, cell) ? { text: unknownText, detail: text } : { text };
}

function textLabel(cell: string, kind: Column['kind']): Label {
  if (kind !== 'flag') return { text: cleanText(cell) };
  return { text: cell === 'true' ? l10n.t('yes') : l10n.t('no') };
}

/** A market order has no price; the exchange writes 0. */
function isPriceOfMarketOrder(item: object, field: string, cell: string): boolean {
  return field === 'price' && sign(cell) === 0 && cellOf(item, 'type') === 'MARKET';
}
