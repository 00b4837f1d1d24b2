import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { BotFilePreview, BotSource } from '../../ledger/comparison/botFile.ts';
import { isUsable, type BotMapping } from '../../ledger/comparison/mapping.ts';
import { botFields, type BotField } from '../../ledger/comparison/comparison.ts';
import { t } from '../shared/translate.ts';

type Table = BotFilePreview['tables'][number];
type MappedTable = Pick<BotSource, 'table'> & { readonly mapping: BotMapping };

/** Asks which table and columns are compared; undefined if the person does not say. */
export async function askSource({ tables }: BotFilePreview): Promise<MappedTable | undefined> {
  const table = tables.length > 1 ? await askTable(tables) : tables[0];
  const mapping = table && (await askColumns(table));
  return mapping && { table: table.name, mapping };
}

async function askTable(tables: readonly Table[]): Promise<Table | undefined> {
  const items = tables.map((table) => ({
    label: cleanText(table.name ?? ''),
    description: cleanText(table.columns.join(', ')),
    table,
  }));
  const title = t('Which table has the bot’s fills or orders?');
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}

/** Shows the first rows of each column, until the mapping is confirmed. */
async function askColumns(table: Table): Promise<BotMapping | undefined> {
  let mapping = table.guess;
  for (;;) {
    const compare = { label: t('$(check) Compare'), field: null };
    const items = [
      ...(isUsable(mapping) ? [compare] : []),
      ...botFields.map((field) => fieldItem(field, mapping[field], table)),
    ];
    const options = { title: t('Columns of the bot’s file'), ignoreFocusOut: true };
    const placeHolder = t(
      'An amount, and an id or symbol and time, are needed. Choose a field to change it.',
    );
    const chosen = await vscode.window.showQuickPick(items, { ...options, placeHolder });
    if (!chosen) return undefined;
    if (chosen.field === null) return mapping;
    const column = await askColumn(chosen.label, table);
    if (column) mapping = withColumn(mapping, chosen.field, column.name);
  }
}

function withColumn(mapping: BotMapping, field: BotField, column: string | null): BotMapping {
  const others = Object.entries(mapping).filter(([name]) => name !== field);
  return Object.fromEntries(column === null ? others : [...others, [field, column]]);
}

function fieldItem(field: BotField, column: string | undefined, table: Table) {
  const description = column === undefined ? t('not in the file') : cleanText(column);
  const detail = column === undefined ? '' : sample(table, column);
  return { label: fieldLabel(field), field, description, detail };
}

async function askColumn(label: string, table: Table) {
  const columns = table.columns.map((name) => ({
    label: cleanText(name),
    detail: sample(table, name),
    name,
  }));
  const none = { label: t('Not in the file'), name: null };
  return vscode.window.showQuickPick([none, ...columns], { title: label, ignoreFocusOut: true });
}

function sample({ rows, columns }: Table, column: string): string {
  const place = columns.indexOf(column);
  return cleanText(rows.map((row) => row[place] ?? '—').join(' · '));
}

function fieldLabel(field: BotField): string {
  return {
    orderId: t('Order id'),
    clientOrderId: t('Client order id'),
    tradeId: t('Trade id'),
    symbol: t('Symbol'),
    side: t('Side'),
    amount: t('Amount'),
    price: t('Price'),
    fee: t('Fee'),
    feeAsset: t('Fee asset'),
    time: t('Time'),
    pnl: t('P&L'),
  }[field];
}
