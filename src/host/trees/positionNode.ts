import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, plain, sign } from '../../base/decimal.ts';
import { glance, grouped, signedGlance, unknownValue } from '../../base/format.ts';
import type { Position } from '../../exchange/records.ts';
import { fieldsMarkdown } from '../safeMarkdown.ts';

/** The ten fields of a position in the order of the interface (section 2.6). */
export const positionFields = [
  'symbol',
  'amount',
  'leverage',
  'marginMode',
  'basePrice',
  'markPrice',
  'liquidationPrice',
  'upl',
  'uplPercentage',
  'lockedBalance',
] as const satisfies readonly (keyof Position)[];

const texts: readonly string[] = ['symbol', 'marginMode'];

/** A field's full value for a detail: every digit, `—` where there is none, % where the interface says so. */
export function positionValue(position: Position, field: (typeof positionFields)[number]): string {
  const value = position[field];
  if (value === null) return unknownValue;
  if (texts.includes(field)) return cleanText(value);
  return field === 'uplPercentage' ? `${plain(value)} %` : plain(value);
}

/** One row a position: how it stands at a glance, everything in the hover. */
export function positionItem(position: Position, id: string): vscode.TreeItem {
  const direction = directionOf(position);
  const item = new vscode.TreeItem(
    cleanText(position.symbol, 60),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(direction.icon);
  item.contextValue = 'position';
  item.description = [
    `${signedGlance(position.upl)} (${signedGlance(position.uplPercentage)} %)`,
    `${direction.word} ${grouped(glance(absolute(position.amount)))}`,
    `×${plain(position.leverage)}`,
    cleanText(position.marginMode, 20),
  ].join(' · ');
  item.accessibilityInformation = { label: spoken(position, direction.word) };
  item.tooltip = fieldsMarkdown(
    vscode.l10n.t('{0}: {1}, by the sign of its amount', position.symbol, direction.word),
    positionFields.map((field) => [field, positionValue(position, field)]),
  );
  return item;
}

/** One row a field below its position. */
export function positionFieldItem(
  position: Position,
  field: (typeof positionFields)[number],
  parentId: string,
): vscode.TreeItem {
  const item = new vscode.TreeItem(field);
  item.id = `${parentId}/${field}`;
  item.description = positionValue(position, field);
  item.accessibilityInformation = { label: `${field} ${item.description}` };
  return item;
}

/** The interface states no direction; the sign of `amount` is our reading. */
function directionOf({ amount }: Position): { word: string; icon: string } {
  switch (sign(amount)) {
    case 1:
      return { word: vscode.l10n.t('long'), icon: 'arrow-up' };
    case -1:
      return { word: vscode.l10n.t('short'), icon: 'arrow-down' };
    case 0:
      return { word: vscode.l10n.t('flat'), icon: 'dash' };
  }
}

function spoken(position: Position, direction: string): string {
  return vscode.l10n.t(
    '{0}, {1} {2}, leverage {3}, upl {4}, {5}',
    cleanText(position.symbol, 60),
    direction,
    positionValue(position, 'amount'),
    positionValue(position, 'leverage'),
    positionValue(position, 'upl'),
    positionValue(position, 'uplPercentage'),
  );
}
