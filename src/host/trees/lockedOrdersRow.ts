import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import type { LockedOrders } from '../../exchange/records.ts';
import { lockedSideText, lockedSides, lockedText } from '../text/lockedOrdersText.ts';
import type { Row } from './treeRow.ts';

/** What open orders lock in one symbol: one side with its locked balance, or the sizes of both. */
export function lockedOrdersRow(locked: LockedOrders, display: Display): Row {
  const { t } = vscode.l10n;
  const { symbol } = locked;
  const sides = lockedSides(locked);
  const [only, other] = sides;
  const full = (field: Exclude<keyof LockedOrders, 'symbol' | 'extra'>): string =>
    display.full(field, locked[field]);
  const compact: typeof full = (field) => display.compact(field, locked[field]);
  return {
    key: symbol,
    label: symbol,
    description:
      only && !other
        ? [`${only.label} ${compact(only.size)}`, compact(only.locked)].join(' · ')
        : sides.map(({ label, size }) => `${label} ${compact(size)}`).join(', '),
    icon: { name: 'lock' },
    screenReaderParts: [symbol, ...sides.map((side) => lockedSideText(side, full))],
    fields: sides.map((side) => [
      side.label,
      `${full(side.size)} · ${lockedText(full(side.locked))}`,
    ]),
    hoverHeading: t('balance locked by open orders'),
    hoverRows: [
      [t('Buy size'), full('sumSizeBid')],
      [t('Locked by buy orders'), full('lockedBid')],
      [t('Sell size'), full('sumSizeAsk')],
      [t('Locked by sell orders'), full('lockedAsk')],
    ],
    contextValue: 'lockedOrders',
    record: locked,
  };
}
