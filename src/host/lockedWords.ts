import * as vscode from 'vscode';
import { cleanText } from '../base/cleanText.ts';
import { plain, sign, type NumberText } from '../base/decimal.ts';
import type { LockedOrders } from '../exchange/records.ts';

/** What open orders lock in one symbol, every digit: `btc_usdt: bids 2 (locked 100), asks 1 (locked 50)`. */
export function lockedWords(locked: LockedOrders): string {
  return `${cleanText(locked.symbol, 60)}: ${lockedSides(locked)}`;
}

/** The sides on which something is locked; both when neither has anything. */
export function lockedSides({
  sumSizeBid,
  lockedBid,
  sumSizeAsk,
  lockedAsk,
}: LockedOrders): string {
  const sides = [
    {
      size: sumSizeBid,
      locked: lockedBid,
      words: sideWords(vscode.l10n.t('bids'), sumSizeBid, lockedBid),
    },
    {
      size: sumSizeAsk,
      locked: lockedAsk,
      words: sideWords(vscode.l10n.t('asks'), sumSizeAsk, lockedAsk),
    },
  ];
  const used = sides.filter(({ size, locked }) => sign(size) !== 0 || sign(locked) !== 0);
  return (used.length === 0 ? sides : used).map(({ words }) => words).join(', ');
}

function sideWords(side: string, size: NumberText, locked: NumberText): string {
  return vscode.l10n.t('{0} {1} (locked {2})', side, plain(size), plain(locked));
}
