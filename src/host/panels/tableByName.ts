import type { TableName } from '../../protocol/table.ts';
import type { Table } from './table.ts';
import { exchangeInformationTable } from './tables/exchangeInformation.ts';
import { feeTiersTable } from './tables/feeTiers.ts';
import { leverageRulesTable } from './tables/leverageRules.ts';
import { lotsTable } from './tables/lots.ts';
import { ordersTable } from './tables/orders.ts';
import { tradesTable } from './tables/trades.ts';
import { transactionsTable } from './tables/transactions.ts';

const tables: Readonly<Record<TableName, () => Table>> = {
  orders: ordersTable,
  trades: tradesTable,
  lots: lotsTable,
  transactions: transactionsTable,
  exchangeInformation: exchangeInformationTable,
  leverageRules: leverageRulesTable,
  feeTiers: feeTiersTable,
};

/** The definition of a table, in the language of this window. */
export function tableByName(name: TableName): Table {
  return tables[name]();
}
