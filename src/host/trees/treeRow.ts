import * as vscode from 'vscode';
import { fieldText, type AccountRecord } from '../../account/session/recordJson.ts';
import { cleanText } from '../../base/cleanText.ts';
import type { Display } from '../../base/display.ts';
import { t } from '../shared/translate.ts';
import type { HoverRow } from '../text/hoverTable.ts';
import { ageText, screenReaderText } from '../text/messageText.ts';
import type { CommandButton } from '../text/signInHelp.ts';

/** A row above the positions: whose account it is, or what to do about a failure. A press runs its command. */
export type Head = CommandButton & {
  readonly key: string;
  readonly description: string;
  readonly icon: RowIcon;
  /** For a screen reader and the hover. */
  readonly spoken: string;
  readonly isLive?: boolean;
};

/** A record of the account as a row: the two figures that matter. The rest is in the hover and below it. */
export type Row = {
  /** Identifies the record, so that selection and expansion stay with it. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** `blank` keeps the labels of a view aligned. */
  readonly icon: RowIcon;
  /** What a screen reader says after the label, before the fields. */
  readonly spoken: readonly string[];
  /** Below the row, every digit. */
  readonly fields: readonly RowField[];
  /** Beside the label in the hover; the rows below it have every digit. */
  readonly hoverHeading: string;
  readonly hoverRows: readonly HoverRow[];
  readonly contextValue: string;
  /** The record as the exchange sent it. */
  readonly record: AccountRecord;
};

export type RowIcon = { readonly name: string; readonly color?: string };
/** A field of the record has its name in the API; what is computed has none. */
export type RowField = readonly [label: string, value: string, name?: string];

/** The fields of a record by their names in the API. */
export function namedRowFields(labelled: Readonly<Record<string, HoverRow>>): RowField[] {
  return Object.entries(labelled).map(([name, [label, value]]) => [label, value, name]);
}

/** A row in its view; `row` is what it shows now. */
type NodeOf<Kind, Shown> = { readonly kind: Kind; readonly id: string; row: Shown };
export type RowNode = NodeOf<'row', Row>;
export type HeadNode = NodeOf<'head', Head>;
type FieldNode = {
  readonly kind: 'field';
  readonly parent: RowNode;
  readonly field: RowField;
};
/** Of a record of the account. */
export type RecordNode = RowNode | FieldNode;
export type AccountNode = RecordNode | HeadNode;

export const maxLabelLength = 60;
const maxScreenReaderLength = 500;
/** Longer than any figure that is shown. */
const maxFieldLength = 2000;

/** Adds the age of stale figures to the start of the screen reader label. */
export function withStaleAge(row: Row, staleMs: number | undefined, display: Display): Row {
  if (staleMs === undefined) return row;
  const age = t('stale: {0} old', ageText(staleMs, display));
  return { ...row, spoken: [age, ...row.spoken] };
}

/** A row without its hover, which is resolved when it is shown. */
export function rowItem({ row, id }: RowNode, display: Display): vscode.TreeItem {
  const item = new vscode.TreeItem(
    cleanText(row.label, maxLabelLength),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = id;
  item.description = row.description;
  item.iconPath = themeIcon(row.icon);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: screenReaderLabel(spokenParts(row), display) };
  return item;
}

export function themeIcon({ name, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
}

/** One field below its row. What is computed, or unknown, cannot be copied. */
export function fieldItem({ parent, field: [label, value, name] }: FieldNode): vscode.TreeItem {
  const canCopy = name !== undefined && fieldText(parent.row.record, name) !== undefined;
  const item = new vscode.TreeItem(cleanText(label, maxLabelLength));
  item.id = `${parent.id}/${name ?? label}`;
  item.description = cleanText(value, maxFieldLength);
  item.contextValue = canCopy ? 'field' : 'note';
  item.accessibilityInformation = {
    label: cleanText(screenReaderText(`${label} ${value}`), maxFieldLength),
  };
  return item;
}

/** The screen reader label in parts, with full values; the first names the row. */
export function spokenParts({ label, spoken, fields }: Row): readonly string[] {
  return [label, ...spoken, ...fields.map(([name, value]) => `${name} ${value}`)];
}

/** As many whole parts as fit: a figure that is cut off would be another figure. */
export function screenReaderLabel(
  [name = '', ...parts]: readonly string[],
  display: Display,
): string {
  let label = cleanText(screenReaderText(name), maxLabelLength);
  let omitted = 0;
  for (const part of parts) {
    const longer = `${label}, ${cleanText(screenReaderText(part), maxFieldLength)}`;
    if (longer.length > maxScreenReaderLength) omitted += 1;
    else label = longer;
  }
  if (omitted === 0) return label;
  return omitted === 1
    ? t('{0}, and 1 more field', label)
    : t('{0}, and {1} more fields', label, display.count(omitted));
}

/**
 * The new rows, and those that must be redrawn: `all` if rows were added, removed or moved. A record that
 * stays keeps its node object. Two records can have the same key; each gets its own id.
 */
export function replaceRows<Kind, Shown extends { readonly key: string }>(
  kind: Kind,
  before: readonly NodeOf<Kind, Shown>[],
  rows: readonly Shown[],
) {
  const known = new Map(before.map((node) => [node.id, node]));
  const keyCounts = new Map<string, number>();
  const changed: NodeOf<Kind, Shown>[] = [];
  const nodes = rows.map((row): NodeOf<Kind, Shown> => {
    const number = keyCounts.get(row.key) ?? 0;
    keyCounts.set(row.key, number + 1);
    const id = `${row.key}#${number}`;
    const node = known.get(id);
    if (!node) return { kind, id, row };
    if (JSON.stringify(node.row) !== JSON.stringify(row)) changed.push(node);
    node.row = row;
    return node;
  });
  const isSameList =
    nodes.length === before.length && nodes.every((node, index) => node === before[index]);
  return { nodes, changed: isSameList ? changed : ('all' as const) };
}
