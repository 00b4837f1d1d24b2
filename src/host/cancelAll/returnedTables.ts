import { l10n } from 'vscode';
import type { ReceiptRecord, Receipt } from '../../account/cancelAll/receipts.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isNumberText, unknownText } from '../../base/decimal.ts';
import { mask, type Display } from '../../base/display.ts';
import { isTimestamp } from '../../base/time.ts';
import type { CanceledOrder } from '../../exchange/records.ts';
import type { DocumentTable, Label } from '../../protocol/documentTable.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { ReceiptTable } from '../../protocol/receipt.ts';
import { localized } from '../text/messageText.ts';
import { returnedOrdersGrid } from './returnedOrdersGrid.ts';

/**
 * The orders that the exchange returned, and the records that could not be read, with all their fields.
 * With a layout the orders are a grid in place of rows: both of 20,000 orders would be too much at once.
 */
export function returnedTables(
  receipt: Receipt,
  display: Display,
  layout: ColumnLayout | undefined,
): ReceiptTable[] {
  const { canceled, unread, failure, endedAt } = receipt;
  const isAnswered = endedAt !== null && failure === null;
  if (!isAnswered) return [];
  const title = l10n.t('Returned orders ({0})', display.count(canceled.length));
  const none = l10n.t('The exchange returned no order that could be read.');
  const notes = canceled.length === 0 ? [none] : [];
  return [
    {
      title,
      notes,
      ...(layout && canceled.length > 0
        ? { columns: [], rows: [], grid: returnedOrdersGrid(receipt, display, layout) }
        : recordsTable(canceled, display)),
    },
    ...(unread.length > 0 ? [unreadTable(unread, display)] : []),
  ];
}

function unreadTable(unread: Receipt['unread'], display: Display): DocumentTable {
  const { columns, rows } = recordsTable(
    unread.map(({ record = [] }) => record),
    display,
  );
  return {
    title: l10n.t('Records that could not be read ({0})', display.count(unread.length)),
    notes: [],
    columns: [{ label: l10n.t('Problem'), isNumeric: false }, ...columns],
    rows: unread.map((one, index) => [{ text: cleanText(localized(one)) }, ...(rows[index] ?? [])]),
  };
}

/** A column for each field of any record, in the order of first appearance. A field that a record lacks is empty. */
function recordsTable(
  records: readonly ReceiptRecord[],
  display: Display,
): Pick<DocumentTable, 'columns' | 'rows'> {
  const names = [...new Set(records.flatMap((record) => record.map(([name]) => name)))];
  return {
    columns: names.map((name) => ({
      label: cleanText(name, 60),
      isNumeric: isOneOf(numberFields, name),
    })),
    rows: records.map((record) => {
      const values = new Map(record);
      return names.map((name) => {
        const value = values.get(name);
        return value === undefined ? { text: '' } : fieldLabel(name, value, display);
      });
    }),
  };
}

const numberFields = ['amount', 'price', 'averageExecutionPrice', 'filled'] as const;
const timeFields: readonly (keyof CanceledOrder)[] = ['updatedAt'];
const textFields: readonly (keyof CanceledOrder)[] = [
  'symbol',
  'side',
  'orderId',
  'clientOrderId',
  'type',
  'status',
];

/**
 * A field that the API does not name may contain anything, and so may one that broke its type: privacy
 * mode hides all their digits.
 */
function fieldLabel(name: string, text: string | null, display: Display): Label {
  if (text === null) return { text: unknownText };
  if (isOneOf(numberFields, name) && isNumberText(text)) return { text: display.full(name, text) };
  if (isOneOf(timeFields, name) && isTimestamp(text))
    return { text: display.time(text), detail: `${text} · ${display.timeInBothZones(text)}` };
  const isHarmless = isOneOf(textFields, name) && !/^[[{]/.test(text);
  if (!isHarmless && display.settings.hidesMoney && /\d/.test(text)) return { text: mask };
  return { text: cleanText(text, 2000) };
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}
