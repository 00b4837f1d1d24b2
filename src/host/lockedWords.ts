import * as vscode from 'vscode';
import { cleanText } from '../base/cleanText.ts';
import { plain } from '../base/decimal.ts';
import type { LockedOrders } from '../exchange/records.ts';

/** What open orders lock in one symbol, every digit: `btc_usdt: bids 2 (locked 100), asks 1 (locked 50)`. */
export function lockedWords(locked: LockedOrders): string {
  return vscode.l10n.t(
    '{0}: bids {1} (locked {2}), asks {3} (locked {4})',
    cleanText(locked.symbol, 60),
    plain(locked.sumSizeBid),
    plain(locked.lockedBid),
    plain(locked.sumSizeAsk),
    plain(locked.lockedAsk),
  );
}
