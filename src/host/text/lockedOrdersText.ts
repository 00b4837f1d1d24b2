import * as vscode from 'vscode';
import type { LockedFigures } from '../../account/cancelAll/receipts.ts';
import { cleanText } from '../../base/cleanText.ts';
import { sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';

/** What open orders lock in one symbol, every digit: `btc_usdt: Buy 2 · 100 locked, Sell 1 · 50 locked`. */
export function lockedOrdersText(locked: LockedFigures, display: Display): string {
  const sides = lockedSidesText(locked, (field) => display.full(field, locked[field]));
  return `${cleanText(locked.symbol, 60)}: ${sides}`;
}

type LockedField = 'lockedAsk' | 'lockedBid' | 'sumSizeAsk' | 'sumSizeBid';

/** The sides on which something is locked; both if neither has anything. */
export function lockedSidesText(
  { sumSizeBid, lockedBid, sumSizeAsk, lockedAsk }: LockedFigures,
  show: (field: LockedField) => string,
): string {
  const buy = vscode.l10n.t('Buy {0} · {1} locked', show('sumSizeBid'), show('lockedBid'));
  const sell = vscode.l10n.t('Sell {0} · {1} locked', show('sumSizeAsk'), show('lockedAsk'));
  const hasBids = sign(sumSizeBid) !== 0 || sign(lockedBid) !== 0;
  const hasAsks = sign(sumSizeAsk) !== 0 || sign(lockedAsk) !== 0;
  if (hasBids === hasAsks) return `${buy}, ${sell}`;
  return hasBids ? buy : sell;
}
