import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';
import { ageWords, aloud } from '../words.ts';
import { fieldText, type FieldRecord } from '../../account/recordJson.ts';

/** A record of the account as a row: how it stands at a glance, and below it every field in full. */
export type Row = {
  /** Names the record as long as it lives, so that selection and expansion stay with it. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** What a screen reader says, part by part, with full values; the first names the row. */
  readonly spoken: readonly string[];
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

const mostNamed = 60;
const mostSpoken = 500;
/** No figure that is shown is longer. */
const longestField = 2000;

/** The row of figures that are stale: what a screen reader says begins with their age. */
export function agedRow(row: Row, staleMs: number | undefined, display: Display): Row {
  if (staleMs === undefined) return row;
  const [name = '', ...rest] = row.spoken;
  const age = vscode.l10n.t('stale: {0} old', ageWords(staleMs, display));
  return { ...row, spoken: [name, age, ...rest] };
}

/** The row itself; its hover comes when it is asked for. */
export function rowItem({ row, id }: RowNode, display: Display): vscode.TreeItem {
  const item = new vscode.TreeItem(
    cleanText(row.label, mostNamed),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  const { name, color } = row.icon;
  item.id = id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: spokenLabel(row.spoken, display) };
  return item;
}

/** A row's hover: every field in full and what we know besides, between `first` and `last`. */
export function rowHover(
  row: Row,
  first: readonly RowField[],
  last: readonly RowField[],
): vscode.MarkdownString {
  return fieldsMarkdown(row.title, [...first, ...row.fields, ...row.notes, ...last]);
}

/** One field below its row; a note is nothing that the exchange sent, and cannot be copied as such. */
export function fieldItem({ parent, field: [name, value] }: FieldNode): vscode.TreeItem {
  const item = new vscode.TreeItem(cleanText(name, mostNamed));
  item.id = `${parent.id}/${name}`;
  item.description = cleanText(value, 500);
  item.contextValue = fieldText(parent.row.record, name) === undefined ? 'note' : 'field';
  item.accessibilityInformation = {
    label: cleanText(aloud(`${name} ${value}`), longestField),
  };
  return item;
}

/** Whole parts, as many as are short enough together: a part of a figure would be another figure. */
export function spokenLabel([name = '', ...parts]: readonly string[], display: Display): string {
  const { t } = vscode.l10n;
  let label = cleanText(aloud(name), mostNamed);
  let left = 0;
  for (const part of parts) {
    const longer = `${label}, ${cleanText(aloud(part), longestField)}`;
    if (longer.length > mostSpoken) left += 1;
    else label = longer;
  }
  if (left === 0) return label;
  return left === 1
    ? t('{0}, and 1 more field', label)
    : t('{0}, and {1} more fields', label, display.count(left));
}
