import { mayBeLocked } from '../../account/cancelAll/lockedOrders.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import type { LockedFigures } from '../../exchange/records.ts';
import { t } from '../shared/translate.ts';

/** One side of what open orders lock; the two are never added. */
export type LockedSide = {
  readonly label: string;
  readonly size: 'sumSizeAsk' | 'sumSizeBid';
  readonly locked: 'lockedAsk' | 'lockedBid';
};

type ShowFigure = (field: LockedSide['size' | 'locked']) => string;

/** What open orders lock in one symbol: `btc_usdt: Buy 2 · 100 locked, Sell 1 · 50 locked`. */
export function lockedOrdersText(locked: LockedFigures, display: Display): string {
  return ofSymbol(locked, (field) => display.figure(field, locked[field]));
}

/** The same with every digit, for a hover, which breaks its lines between sides, not within one. */
export function fullLockedOrdersText(locked: LockedFigures, display: Display): string {
  const sides = lockedSides(locked).map((side) =>
    lockedSideText(side, (field) => display.full(field, locked[field])).replaceAll(' ', '\u{a0}'),
  );
  return `${cleanText(locked.symbol, 60)}: ${sides.join(', ')}`;
}

function ofSymbol(locked: LockedFigures, show: ShowFigure): string {
  return `${cleanText(locked.symbol, 60)}: ${lockedSidesText(locked, show)}`;
}

export function lockedSidesText(figures: LockedFigures, show: ShowFigure): string {
  return lockedSides(figures)
    .map((side) => lockedSideText(side, show))
    .join(', ');
}

/** `Buy 2 · 100 locked`. */
function lockedSideText({ label, size, locked }: LockedSide, show: ShowFigure): string {
  return `${label} ${show(size)} · ${lockedText(show(locked))}`;
}

export function lockedText(figure: string): string {
  return t('{0} locked', figure);
}

/** The sides on which something is, or may be, locked; both if neither has anything. */
export function lockedSides(figures: LockedFigures): readonly LockedSide[] {
  const sides = bothSides().filter((side) => isLocked(figures, side));
  return sides.length === 0 ? bothSides() : sides;
}

export function bothSides(): readonly LockedSide[] {
  return [
    { label: t('Buy'), size: 'sumSizeBid', locked: 'lockedBid' },
    { label: t('Sell'), size: 'sumSizeAsk', locked: 'lockedAsk' },
  ];
}

export function isLocked(figures: LockedFigures, { size, locked }: LockedSide): boolean {
  return mayBeLocked(figures[size]) || mayBeLocked(figures[locked]);
}
