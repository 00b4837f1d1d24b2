import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import { aloud } from '../words.ts';

/** A record of the account as a row: how it stands at a glance, and below it every field in full. */
export type Row = {
  /** Names the record as long as it lives, so that selection and expansion stay with it. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** What a screen reader says, with full values. */
  readonly spoken: string;
  /** The first line of the hover. */
  readonly title: string;
  /** The record's fields by the interface's names, every digit that privacy leaves. */
  readonly fields: readonly RowField[];
  readonly contextValue: string;
};

export type RowField = readonly [name: string, value: string];

/** The row itself. */
export function rowItem(row: Row, id: string): vscode.TreeItem {
  const item = new vscode.TreeItem(
    cleanText(row.label, 60),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: cleanText(aloud(row.spoken), 500) };
  item.tooltip = fieldsMarkdown(row.title, row.fields);
  return item;
}

/** One field below its row. */
export function fieldItem([name, value]: RowField, rowId: string): vscode.TreeItem {
  const item = new vscode.TreeItem(name);
  item.id = `${rowId}/${name}`;
  item.description = cleanText(value, 500);
  item.contextValue = 'field';
  item.accessibilityInformation = { label: aloud(`${name} ${item.description}`) };
  return item;
}
