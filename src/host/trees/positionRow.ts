import * as vscode from 'vscode';
import { positionKey } from '../../account/positionKey.ts';
import { notionalOf, type Band, type PositionRisk } from '../../account/risk.ts';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, sign } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position } from '../../exchange/records.ts';
import { colors } from '../contributions.ts';
import type { Row, RowField, RowIcon } from './row.ts';

/**
 * A position and how near it is to its liquidation. Its direction is our reading of the sign of
 * `amount`, and the hover says so. Privacy leaves it: a side is no amount, and the prices beside it
 * tell it anyway.
 */
export function positionRow(risk: PositionRisk, display: Display): Row {
  const { position } = risk;
  const direction = directionOf(position);
  const fields = positionFields(position, display);
  const notes = positionNotes(risk, display);
  return {
    key: positionKey(position),
    label: position.symbol,
    description: [
      `${direction.word} ${display.glance('amount', absolute(position.amount))}`,
      `×${display.full('leverage', position.leverage)}`,
      cleanText(position.marginMode, 20),
      `${display.signedGlance('upl', position.upl)} (${display.signedGlance('uplPercentage', position.uplPercentage)} %)`,
      distanceWords(risk, display),
    ].join(' · '),
    icon: iconOf(risk, direction.icon, display),
    spoken: [
      position.symbol,
      dangerWord(risk),
      direction.word,
      ...[...fields.slice(1), ...notes].map((field) => field.join(' ')),
    ],
    title: vscode.l10n.t('{0}: {1}, by the sign of its amount', position.symbol, direction.word),
    fields,
    notes,
    contextValue: 'position',
    record: position,
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

/** What is ours and not the exchange's. */
function positionNotes(risk: PositionRisk, display: Display): RowField[] {
  const { t } = vscode.l10n;
  return [
    [
      t('distance to liquidation'),
      `${display.glance('distance', risk.distancePercent)} % (${dangerWord(risk)})`,
    ],
    [
      t('notional (our estimate)'),
      t('{0}, |amount × markPrice|', display.full('notional', notionalOf(risk.position))),
    ],
  ];
}

function distanceWords({ distancePercent, isPast }: PositionRisk, display: Display): string {
  const distance = display.glance('distance', distancePercent);
  return isPast
    ? vscode.l10n.t('{0} % past its liquidation price', distance)
    : vscode.l10n.t('{0} % to liquidation', distance);
}

/** The band by its icon; a calm position shows its direction, coloured by what it earns. */
function iconOf({ position, band }: PositionRisk, direction: string, display: Display): RowIcon {
  switch (band) {
    case 'critical':
      return { name: 'flame', color: colors.criticalForeground };
    case 'near':
      return { name: 'warning', color: 'list.warningForeground' };
    case 'calm':
    case 'unknown':
      return { name: direction, ...uplColor(position, display) };
    default:
      return band satisfies never;
  }
}

function uplColor({ upl }: Position, display: Display): { color?: string } {
  if (display.hides('upl') || sign(upl) === 0) return {};
  return { color: sign(upl) > 0 ? colors.gainForeground : colors.lossForeground };
}

function dangerWord({ isPast, band }: PositionRisk): string {
  return isPast ? vscode.l10n.t('critical, past its liquidation price') : bandWord(band);
}

function bandWord(band: Band): string {
  switch (band) {
    case 'critical':
      return vscode.l10n.t('critical');
    case 'near':
      return vscode.l10n.t('near liquidation');
    case 'calm':
      return vscode.l10n.t('calm');
    case 'unknown':
      return vscode.l10n.t('distance unknown');
    default:
      return band satisfies never;
  }
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
