import { l10n } from 'vscode';
import type { HistoryName } from '../../api/operations.ts';

/** The one name of a history: of its panel, its row in the side bar, and wherever it is chosen or listed. */
export function historyLabel(history: HistoryName): string {
  return {
    orders: l10n.t('Order History'),
    trades: l10n.t('Trade History'),
    lots: l10n.t('Liquidation Auctions'),
    transactions: l10n.t('Transaction History'),
  }[history];
}
