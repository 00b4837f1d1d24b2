import type { TableName } from '../../protocol/table.ts';
import { tablePhrases, type TableTexts } from '../../protocol/texts.ts';
import { localizedTexts } from '../text/messageText.ts';
import type { TableDefinition } from './definition.ts';
import { historyTables } from './histories.ts';
import { referenceTables } from './referenceTables.ts';

/** The definition of a table in the display language. */
export function createTableDefinition(name: TableName): TableDefinition {
  return { ...historyTables(), ...referenceTables() }[name];
}

/** The texts of a table page in the display language. */
export function tableTexts(name: TableName): TableTexts {
  return { ...localizedTexts(tablePhrases), ...createTableDefinition(name).texts };
}
