import type { Display } from '../../base/display.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import { lockedSidesText } from '../text/lockedOrdersText.ts';
import type { Row, RowField } from './treeRow.ts';

/** What open orders lock in one symbol. */
export function lockedOrdersRow(locked: LockedOrders, display: Display): Row {
  const fields = lockedFields(locked, display);
  return {
    key: locked.symbol,
    label: locked.symbol,
    description: lockedSidesText(locked, (field) => display.short(field, locked[field])),
    icon: { name: 'lock' },
    screenReaderParts: fields.map((field) => field.join(' ')),
    title: locked.symbol,
    fields,
    notes: [],
    contextValue: 'lockedOrders',
    record: locked,
  };
}

/** The five fields of section 2.6. */
function lockedFields(locked: LockedOrders, display: Display): RowField[] {
  return [
    ['symbol', locked.symbol],
    ['sumSizeBid', display.full('sumSizeBid', locked.sumSizeBid)],
    ['lockedBid', display.full('lockedBid', locked.lockedBid)],
    ['sumSizeAsk', display.full('sumSizeAsk', locked.sumSizeAsk)],
    ['lockedAsk', display.full('lockedAsk', locked.lockedAsk)],
  ];
}
