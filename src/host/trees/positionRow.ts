import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position } from '../../exchange/records.ts';
import type { Row, RowField } from './row.ts';

/**
 * A position; its direction is our reading of the sign of `amount`, and the hover says so. Privacy
 * leaves it: a side is no amount, and the prices beside it tell it anyway.
 */
export function positionRow(position: Position, display: Display): Row {
  const direction = directionOf(position);
  const fields = positionFields(position, display);
  return {
    key: position.symbol,
    label: position.symbol,
    description: [
      `${display.signedGlance('upl', position.upl)} (${display.signedGlance('uplPercentage', position.uplPercentage)} %)`,
      `${direction.word} ${display.glance('amount', absolute(position.amount))}`,
      `×${display.full('leverage', position.leverage)}`,
      cleanText(position.marginMode, 20),
    ].join(' · '),
    icon: direction.icon,
    spoken: [
      position.symbol,
      direction.word,
      ...fields.slice(1).map((field) => field.join(' ')),
    ].join(', '),
    title: vscode.l10n.t('{0}: {1}, by the sign of its amount', position.symbol, direction.word),
    fields,
    contextValue: 'position',
  };
}

/** The ten fields of section 2.6; only `uplPercentage` has a unit there. */
function positionFields(position: Position, display: Display): RowField[] {
  return [
    ['symbol', position.symbol],
    ['amount', display.full('amount', position.amount)],
    ['leverage', display.full('leverage', position.leverage)],
    ['marginMode', position.marginMode],
    ['basePrice', display.full('basePrice', position.basePrice)],
    ['markPrice', display.full('markPrice', position.markPrice)],
    ['liquidationPrice', display.full('liquidationPrice', position.liquidationPrice)],
    ['upl', display.full('upl', position.upl)],
    ['uplPercentage', `${display.full('uplPercentage', position.uplPercentage)} %`],
    ['lockedBalance', display.full('lockedBalance', position.lockedBalance)],
  ];
}

function directionOf({ amount }: Position): { word: string; icon: string } {
  const direction = sign(amount);
  switch (direction) {
    case 1:
      return { word: vscode.l10n.t('long'), icon: 'arrow-up' };
    case -1:
      return { word: vscode.l10n.t('short'), icon: 'arrow-down' };
    case 0:
      return { word: vscode.l10n.t('flat'), icon: 'dash' };
    default:
      return direction satisfies never;
  }
}
