import type { TableName } from '../../protocol/table.ts';
import { commands, type CommandId } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { historyLabel } from '../text/historyLabel.ts';

/** The command that opens each table. */
export const tableCommands = {
  orders: commands.openOrderHistory,
  trades: commands.openTradeHistory,
  lots: commands.openLiquidationHistory,
  transactions: commands.openTransactionHistory,
  exchangeInformation: commands.openExchangeInformation,
  leverageRules: commands.openLeverageRules,
  feeTiers: commands.openFeeTiers,
} as const satisfies Readonly<Record<TableName, CommandId>>;

/** How the side bar lists each table. */
export type TableEntry = {
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
};

export function tableEntry(table: TableName): TableEntry {
  const entries: Readonly<Record<TableName, TableEntry>> = {
    orders: { label: historyLabel('orders'), icon: 'history' },
    trades: { label: historyLabel('trades'), icon: 'arrow-swap' },
    lots: { label: historyLabel('lots'), icon: 'flame', description: t('exchange-wide') },
    transactions: { label: historyLabel('transactions'), icon: 'list-ordered' },
    exchangeInformation: { label: t('Exchange Information'), icon: 'info' },
    leverageRules: { label: t('Leverage Rules'), icon: 'law' },
    feeTiers: { label: t('Fee Tiers'), icon: 'layers' },
  };
  return entries[table];
}
