import type { HistoryName } from '../../api/operations.ts';
import { t } from '../shared/translate.ts';

/** The one name of a history: of its panel, its row in the side bar, and wherever it is chosen or listed. */
export function historyLabel(history: HistoryName): string {
  return {
    orders: t('Order History'),
    trades: t('Trade History'),
    lots: t('Liquidation Auctions'),
    transactions: t('Transaction History'),
  }[history];
}
