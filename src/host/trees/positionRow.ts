import * as vscode from 'vscode';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, plain, sign } from '../../base/decimal.ts';
import { glance, grouped, signedGlance, unknownValue } from '../../base/format.ts';
import type { Position } from '../../exchange/records.ts';
import type { Row, RowField } from './row.ts';

/** A position; its direction is our reading of the sign of `amount`, and the hover says so. */
export function positionRow(position: Position): Row {
  const direction = directionOf(position);
  const fields = positionFields(position);
  return {
    key: position.symbol,
    label: position.symbol,
    description: [
      `${signedGlance(position.upl)} (${signedGlance(position.uplPercentage)} %)`,
      `${direction.word} ${grouped(glance(absolute(position.amount)))}`,
      `×${plain(position.leverage)}`,
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
function positionFields(position: Position): RowField[] {
  return [
    ['symbol', position.symbol],
    ['amount', plain(position.amount)],
    ['leverage', plain(position.leverage)],
    ['marginMode', position.marginMode],
    ['basePrice', plain(position.basePrice)],
    ['markPrice', plain(position.markPrice)],
    [
      'liquidationPrice',
      position.liquidationPrice === null ? unknownValue : plain(position.liquidationPrice),
    ],
    ['upl', plain(position.upl)],
    ['uplPercentage', `${plain(position.uplPercentage)} %`],
    ['lockedBalance', plain(position.lockedBalance)],
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
