import { environmentLabel, type Profile } from '../../account/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { CanceledOrder } from '../../exchange/records.ts';

/** The fields of section 2.2 in the order of the document, with `updatedAt` in place of `time`. */
const canceledOrderFields = [
  'symbol',
  'amount',
  'side',
  'orderId',
  'price',
  'clientOrderId',
  'averageExecutionPrice',
  'filled',
  'updatedAt',
  'type',
  'status',
] as const satisfies readonly (keyof CanceledOrder)[];

/** Every cancelled order with all its fields and every digit that privacy leaves, a block each. */
export function canceledOrdersText(
  profile: Profile,
  orders: readonly CanceledOrder[],
  display: Display,
): string {
  const title = `${cleanText(profile.name)} · ${environmentLabel(profile)}`;
  return [title, ...orders.map((order) => orderBlock(order, display))].join('\n\n') + '\n';
}

const figures: readonly string[] = ['amount', 'price', 'averageExecutionPrice', 'filled'];

function shownField(field: string, value: string, display: Display): string {
  return figures.includes(field) ? display.full(field, value) : cleanText(value, 500);
}

function orderBlock(order: CanceledOrder, display: Display): string {
  return canceledOrderFields
    .map((field) => {
      const value = order[field];
      const shown = value === null ? unknownValue : shownField(field, value, display);
      const when = field === 'updatedAt' ? `  (${display.timeInBoth(order.updatedAt)})` : '';
      return `${field.padEnd(22)} ${shown}${when}`;
    })
    .join('\n');
}
