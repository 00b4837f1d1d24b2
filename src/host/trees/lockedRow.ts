import { plain } from '../../base/decimal.ts';
import { glance, grouped } from '../../base/format.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import { lockedSides } from '../lockedWords.ts';
import type { Row, RowField } from './row.ts';

/** What open orders lock in one symbol. */
export function lockedRow(locked: LockedOrders): Row {
  const fields = lockedFields(locked);
  return {
    key: locked.symbol,
    label: locked.symbol,
    description: lockedSides(locked, (figure) => grouped(glance(figure))),
    icon: 'lock',
    spoken: fields.map((field) => field.join(' ')).join(', '),
    title: locked.symbol,
    fields,
    contextValue: 'lockedOrders',
  };
}

/** The five fields of section 2.6. */
function lockedFields(locked: LockedOrders): RowField[] {
  return [
    ['symbol', locked.symbol],
    ['sumSizeBid', plain(locked.sumSizeBid)],
    ['lockedBid', plain(locked.lockedBid)],
    ['sumSizeAsk', plain(locked.sumSizeAsk)],
    ['lockedAsk', plain(locked.lockedAsk)],
  ];
}
