import * as vscode from 'vscode';
import type { LockedFigures } from '../account/receipts.ts';
import { cleanText } from '../base/cleanText.ts';
import { sign } from '../base/decimal.ts';
import type { Display } from '../base/display.ts';

/** What open orders lock in one symbol, every digit: `btc_usdt: bids 2 (locked 100), asks 1 (locked 50)`. */
export function lockedWords(locked: LockedFigures, display: Display): string {
  const sides = lockedSides(locked, (field) => display.full(field, locked[field]));
  return `${cleanText(locked.symbol, 60)}: ${sides}`;
}

type LockedFigure = 'lockedAsk' | 'lockedBid' | 'sumSizeAsk' | 'sumSizeBid';

/** The sides on which something is locked; both when neither has anything. `show` writes the figure of a field. */
export function lockedSides(
  { sumSizeBid, lockedBid, sumSizeAsk, lockedAsk }: LockedFigures,
  show: (field: LockedFigure) => string,
): string {
  const words = (side: string, size: LockedFigure, locked: LockedFigure): string =>
    vscode.l10n.t('{0} {1} (locked {2})', side, show(size), show(locked));
  const bids = words(vscode.l10n.t('bids'), 'sumSizeBid', 'lockedBid');
  const asks = words(vscode.l10n.t('asks'), 'sumSizeAsk', 'lockedAsk');
  const hasBids = sign(sumSizeBid) !== 0 || sign(lockedBid) !== 0;
  const hasAsks = sign(sumSizeAsk) !== 0 || sign(lockedAsk) !== 0;
  if (hasBids === hasAsks) return `${bids}, ${asks}`;
  return hasBids ? bids : asks;
}
