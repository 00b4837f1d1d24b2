import type { Phrase } from '../../base/phrase.ts';
import type { TableName } from '../../protocol/table.ts';
import {
  customPeriodPhrases,
  gridPhrases,
  tablePhrases,
  type TableTexts,
} from '../../protocol/texts.ts';
import { localized } from '../text/messageText.ts';
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
  return { ...translated(tablePhrases), ...createTableDefinition(name).texts };
}

export function gridTexts() {
  return translated(gridPhrases);
}

export function customPeriodTexts() {
  return translated(customPeriodPhrases);
}

/** A translation that lost a place is not used: a page fills the places of the English text. */
function translated<Name extends string>(
  phrases: Readonly<Record<Name, Phrase>>,
): Record<Name, string> {
  const texts = Object.entries<Phrase>(phrases).map(([name, phrase]) => {
    const text = localized(phrase);
    return [name, phrase.text.includes('{0}') && !text.includes('{0}') ? phrase.text : text];
  });
  return Object.fromEntries(texts) as Record<Name, string>;
}
