import * as vscode from 'vscode';
import type { CachedValue } from '../../account/session/cachedRead.ts';
import {
  positionKey,
  notionalOf,
  type RiskBand,
  type PositionRisk,
} from '../../account/session/positionRisk.ts';
import { cleanText } from '../../base/cleanText.ts';
import { absolute, sign, isSame } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position, LeverageRule } from '../../exchange/records.ts';
import { colors } from '../contributions.ts';
import type { Row, RowField, RowIcon } from './treeRow.ts';

/**
 * A position and its distance to liquidation. The direction is inferred from the sign of `amount`, and the
 * hover says so. Privacy mode does not hide it, because the prices in the row reveal it anyway.
 */
export function positionRow(risk: PositionRisk, display: Display): Row {
  const { position } = risk;
  const direction = directionOf(position);
  const fields = positionFields(position, display);
  const notes = estimateFields(risk, display);
  return {
    key: positionKey(position),
    label: position.symbol,
    description: [
      `${direction.label} ${display.short('amount', absolute(position.amount))}`,
      `${display.full('leverage', position.leverage)}×`,
      cleanText(position.marginMode, 20),
      `${display.signedShort('upl', position.upl)} (${display.signedShort('uplPercentage', position.uplPercentage)} %)`,
      distanceText(risk, display),
    ].join(' · '),
    icon: iconOf(risk, direction.icon, display),
    screenReaderParts: [
      position.symbol,
      riskLabel(risk),
      direction.label,
      ...[...fields.slice(1), ...notes].map((field) => field.join(' ')),
    ],
    title: vscode.l10n.t(
      '{0}: {1} (inferred from the sign of the amount)',
      position.symbol,
      direction.label,
    ),
    fields,
    notes,
    contextValue: 'position',
    record: position,
  };
}

/** Every field of section 2.6; only `uplPercentage` has a unit there. */
function positionFields(position: Position, display: Display): RowField[] {
  const { symbol, marginMode } = position;
  const full = (field: Exclude<keyof Position, 'symbol' | 'marginMode' | 'extra'>): string =>
    display.full(field, position[field]);
  const fields: Readonly<Record<Exclude<keyof Position, 'extra'>, string>> = {
    symbol,
    amount: full('amount'),
    leverage: full('leverage'),
    marginMode,
    basePrice: full('basePrice'),
    markPrice: full('markPrice'),
    liquidationPrice: full('liquidationPrice'),
    upl: full('upl'),
    uplPercentage: `${full('uplPercentage')} %`,
    lockedBalance: full('lockedBalance'),
  };
  return Object.entries(fields);
}

/** Figures that we compute; the exchange does not send them. */
function estimateFields(risk: PositionRisk, display: Display): RowField[] {
  const { t } = vscode.l10n;
  return [
    [
      t('distance to liquidation'),
      `${display.short('distance', risk.distancePercent)} % (${riskLabel(risk)})`,
    ],
    [
      t('notional (est.)'),
      t('{0}, |amount × markPrice|', display.full('notional', notionalOf(risk.position))),
    ],
  ];
}

function distanceText({ distancePercent, isPast }: PositionRisk, display: Display): string {
  const distance = display.short('distance', distancePercent);
  return isPast
    ? vscode.l10n.t('{0} % past its liquidation price', distance)
    : vscode.l10n.t('{0} % to liquidation', distance);
}

/** The risk band; for a position that is not near liquidation, its direction in the colour of its upl. */
function iconOf({ position, band }: PositionRisk, direction: string, display: Display): RowIcon {
  switch (band) {
    case 'critical':
      return { name: 'flame', color: colors.criticalForeground };
    case 'near':
      return { name: 'warning', color: 'list.warningForeground' };
    case 'calm':
    case 'unknown':
      return { name: direction, ...uplColor(position, display) };
  }
}

function uplColor({ upl }: Position, display: Display): { color?: string } {
  if (display.hides('upl') || sign(upl) === 0) return {};
  return { color: sign(upl) > 0 ? colors.gainForeground : colors.lossForeground };
}

function riskLabel({ isPast, band }: PositionRisk): string {
  return isPast ? vscode.l10n.t('critical, past its liquidation price') : bandLabel(band);
}

function bandLabel(band: RiskBand): string {
  return {
    critical: vscode.l10n.t('critical'),
    near: vscode.l10n.t('near liquidation'),
    calm: vscode.l10n.t('not near liquidation'),
    unknown: vscode.l10n.t('distance unknown'),
  }[band];
}

function directionOf({ amount }: Position): { label: string; icon: string } {
  const direction = sign(amount);
  switch (direction) {
    case 1:
      return { label: vscode.l10n.t('long'), icon: 'arrow-up' };
    case -1:
      return { label: vscode.l10n.t('short'), icon: 'arrow-down' };
    case 0:
      return { label: vscode.l10n.t('flat'), icon: 'dash' };
  }
}

/** The leverage rule (section 2.8) of the position's leverage. */
export function leverageRuleField(
  position: Position,
  rules: CachedValue<readonly LeverageRule[]> | undefined,
  display: Display,
): RowField {
  const { t } = vscode.l10n;
  const name = t('limits at {0}×', display.full('leverage', position.leverage));
  if (!rules) return [name, t('unknown')];
  const rule = rules.value.find(({ leverage }) => isSame(leverage, position.leverage));
  if (!rule) return [name, t('none listed')];
  const limits = [
    t('max notional {0}', display.full('positionNotional', rule.positionNotional)),
    t('MMR {0} %', display.full('maintenanceMargin', rule.maintenanceMargin)),
    t('IMR {0} %', display.full('initialMargin', rule.initialMargin)),
    t('read at {0}', display.timeInBothZones(String(rules.readAt))),
  ];
  return [name, limits.join(', ')];
}
