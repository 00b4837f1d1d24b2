import { environmentLabel, type Profile } from '../../account/profile.ts';
import { cleanText } from '../../base/cleanText.ts';
import { plain } from '../../base/decimal.ts';
import { unknownValue, utcTime } from '../../base/format.ts';
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

/** Every cancelled order with all its fields and every digit, a block each. */
export function canceledOrdersText(profile: Profile, orders: readonly CanceledOrder[]): string {
  const title = `${cleanText(profile.name)} · ${environmentLabel(profile)}`;
  return [title, ...orders.map(orderBlock)].join('\n\n') + '\n';
}

const figures: readonly string[] = ['amount', 'price', 'averageExecutionPrice', 'filled'];

function shownField(field: string, value: string): string {
  return figures.includes(field) ? plain(value) : cleanText(value, 500);
}

function orderBlock(order: CanceledOrder): string {
  return canceledOrderFields
    .map((field) => {
      const value = order[field];
      const shown = value === null ? unknownValue : shownField(field, value);
      const when = field === 'updatedAt' ? `  (${utcTime(order.updatedAt)})` : '';
      return `${field.padEnd(22)} ${shown}${when}`;
    })
    .join('\n');
}
