import type { ReceiptRecord, Receipt } from '../../account/cancelAll/receipts.ts';
import type { Display } from '../../base/display.ts';
import type { GridRows } from '../../protocol/document.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import { t } from '../shared/translate.ts';
import type { DocumentGrid } from '../webview/gridRequests.ts';
import { cellsOf, maskCells, recordFields } from '../webview/recordCells.ts';
import { recordColumns } from '../tables/definition.ts';
import { orderFieldColumns } from '../tables/histories.ts';

/** The orders that the exchange returned, masked, in its order. */
export function returnedOrderRows(
  receipt: Receipt,
  display: Display,
  layout: ColumnLayout,
): GridRows {
  const columns = returnedOrderColumns();
  const orders = returnedOrders(receipt);
  return {
    pageId: returnedOrdersId(receipt),
    columns,
    rows: orders.map((order) => maskCells(cellsOf(order, columns), columns, display)),
    extras: orders.map((order) => [...recordFields(order, [], display).extra]),
    // The page has no menu that would show a hidden column again.
    layout: { ...layout, hidden: [] },
    keys: orders.map((_order, index) => String(index)),
  };
}

/** What the host knows of the grid in a receipt. */
export function returnedOrdersGrid(
  receipt: () => Receipt,
  layout: DocumentGrid['layout'],
): DocumentGrid {
  return {
    name: 'returnedOrders',
    columns: returnedOrderColumns,
    records: (id) => (returnedOrdersId(receipt()) === id ? returnedOrders(receipt()) : undefined),
    layout,
    texts: {
      sortedAscending: t('Orders sorted, ascending'),
      sortedDescending: t('Orders sorted, descending'),
      unsorted: t('Orders as the exchange returned them'),
      find: t('Find in the orders'),
    },
  };
}

/** Names the rows in requests of the page: they never change once the exchange has answered. */
function returnedOrdersId({ sentAt, endedAt }: Receipt): number {
  return endedAt ?? sentAt;
}

export function returnedOrderColumns(): GridRows['columns'] {
  return recordColumns('canceledOrder', {
    updatedAt: { label: t('Updated at') },
    ...orderFieldColumns(),
  });
}

/** Every figure as the exchange wrote it: privacy hides nothing here. */
function returnedOrders({ canceled }: Receipt): object[] {
  const named = new Set<string>(returnedOrderColumns().map(({ field }) => field));
  const fieldsOf = (record: ReceiptRecord, areNamed: boolean): object =>
    Object.fromEntries(record.filter(([name]) => named.has(name) === areNamed));
  return canceled.map((record) => ({ ...fieldsOf(record, true), extra: fieldsOf(record, false) }));
}
