import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import { aloud } from '../words.ts';
import { fieldText, type FieldRecord } from '../../account/recordJson.ts';

/** A record of the account as a row: how it stands at a glance, and below it every field in full. */
export type Row = {
  /** Names the record as long as it lives, so that selection and expansion stay with it. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** What a screen reader says, with full values. */
  readonly spoken: string;
  /** The first line of the hover. */
  readonly title: string;
  /** The record's fields by the interface's names, every digit that privacy leaves. */
  readonly fields: readonly RowField[];
  /** What we know besides, below the fields. */
  readonly notes: readonly RowField[];
  readonly contextValue: string;
  /** What the row shows, as the wire had it. */
  readonly record: FieldRecord;
};

export type RowIcon = { readonly name: string; readonly color?: string };
export type RowField = readonly [name: string, value: string];

/** A row among those of its view; `row` is what it shows now. */
export type RowNode = { readonly kind: 'row'; readonly id: string; row: Row };
export type FieldNode = {
  readonly kind: 'field';
  readonly parent: RowNode;
  readonly field: RowField;
};
export type AccountNode = RowNode | FieldNode;

/** The row itself; its hover comes when it is asked for. */
export function rowItem({ row, id }: RowNode): vscode.TreeItem {
  const item = new vscode.TreeItem(
    cleanText(row.label, 60),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  const { name, color } = row.icon;
  item.id = id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: cleanText(aloud(row.spoken), 500) };
  return item;
}

/** A row's hover: every field in full, what we know besides, and `more`. */
export function rowHover(row: Row, more: readonly RowField[]): vscode.MarkdownString {
  return fieldsMarkdown(row.title, [...row.fields, ...row.notes, ...more]);
}

/** One field below its row; a note is nothing that the exchange sent, and cannot be copied as such. */
export function fieldItem({ parent, field: [name, value] }: FieldNode): vscode.TreeItem {
  const item = new vscode.TreeItem(cleanText(name, 60));
  item.id = `${parent.id}/${name}`;
  item.description = cleanText(value, 500);
  item.contextValue = fieldText(parent.row.record, name) === undefined ? 'note' : 'field';
  item.accessibilityInformation = { label: cleanText(aloud(`${name} ${value}`), 500) };
  return item;
}
