import type { TableName } from '../../protocol/table.ts';
import { tablePhrases, type TableTexts } from '../../protocol/texts.ts';
import { localizedTexts } from '../text/messageText.ts';
import type { TableDefinition } from './definition.ts';
import { lotsTable, ordersTable, tradesTable, transactionsTable } from './histories.ts';
import { exchangeInformationTable, feeTiersTable, leverageRulesTable } from './referenceTables.ts';

const tableFactories: Readonly<Record<TableName, () => TableDefinition>> = {
  orders: ordersTable,
  trades: tradesTable,
  lots: lotsTable,
  transactions: transactionsTable,
  exchangeInformation: exchangeInformationTable,
  leverageRules: leverageRulesTable,
  feeTiers: feeTiersTable,
};

/** The definition of a table in the display language. */
export function createTableDefinition(name: TableName): TableDefinition {
  return tableFactories[name]();
}

/** The texts of a table page in the display language. */
export function tableTexts(name: TableName): TableTexts {
  return { ...localizedTexts(tablePhrases), ...createTableDefinition(name).texts };
}
