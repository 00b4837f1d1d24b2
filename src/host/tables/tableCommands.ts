import type { TableName } from '../../protocol/table.ts';
import { commands, type CommandId } from '../shared/contributions.ts';

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
