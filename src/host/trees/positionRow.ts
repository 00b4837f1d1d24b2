import * as vscode from 'vscode';
import type { CachedRead } from '../../account/session/cachedRead.ts';
import {
  identityOf,
  notionalOf,
  positionKey,
  type RiskBand,
  type PositionRisk,
} from '../../account/session/positionRisk.ts';
import { cleanText } from '../../base/cleanText.ts';
import { isSame, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position, LeverageRule } from '../../exchange/records.ts';
import { colors } from '../shared/contributions.ts';
import type { HoverRow } from '../text/hoverTable.ts';
import { directionSource, directionText, distanceText, riskLabel } from '../text/riskText.ts';
import { namedRowFields, type Row, type RowField, type RowIcon } from './treeRow.ts';

/**
 * A position: its direction and size, as a short one may have a negative amount; upl with ROE; and its
 * distance to liquidation. The direction is inferred, and the hover says so. Privacy mode does not hide it,
 * because the prices reveal it anyway.
 */
export function positionRow(risk: PositionRisk, display: Display): Row {
  const { position, band } = risk;
  const direction = directionText(risk.direction);
  const labelled = positionFields(position, display);
  const fields = [...namedRowFields(labelled), ...estimates(risk, display)];
  return {
    key: positionKey(identityOf(risk)),
    label: position.symbol,
    description: [
      `${direction} ${display.narrowSize('amount', position.amount)}`,
      profitText(position, display),
      vscode.l10n.t('liq {0}', distanceText(risk, display)),
    ].join(' · '),
    icon: dangerIcons[band],
    screenReaderParts: [
      position.symbol,
      riskLabel(risk),
      direction,
      ...fields.map(([label, value]) => `${label} ${value}`),
    ],
    fields,
    hoverHeading: [direction, labelled.leverage[1], labelled.marginMode[1]].join(' · '),
    hoverRows: hoverRows(risk, labelled, display),
    contextValue: 'position',
    record: position,
  };
}

function profitText({ upl, uplPercentage }: Position, display: Display): string {
  const profit = display.signedNarrow('upl', upl);
  if (uplPercentage === null) return profit;
  return `${profit} (${display.signedPercent('uplPercentage', uplPercentage)})`;
}

/** A direction is a word. */
const dangerIcons: Readonly<Record<RiskBand, RowIcon>> = {
  critical: { name: 'flame', color: colors.criticalForeground },
  near: { name: 'warning', color: 'list.warningForeground' },
  notNear: { name: 'blank' },
  unknown: { name: 'blank' },
};

type PositionFields = Readonly<Record<Exclude<keyof Position, 'extra'>, HoverRow>>;

/** Every field of section 2.6, the figures that matter first; only `uplPercentage` has a unit there. */
function positionFields(position: Position, display: Display): PositionFields {
  const { t } = vscode.l10n;
  const full = (field: Exclude<keyof Position, 'symbol' | 'marginMode' | 'extra'>): string =>
    display.full(field, position[field]);
  const withUnit = (field: 'uplPercentage' | 'leverage', unit: string): string =>
    position[field] === null ? unknownText : full(field) + unit;
  return {
    upl: [t('Unrealised P&L'), full('upl')],
    uplPercentage: [t('ROE'), withUnit('uplPercentage', ' %')],
    liquidationPrice: [t('Liquidation price'), full('liquidationPrice')],
    markPrice: [t('Mark price'), full('markPrice')],
    basePrice: [t('Entry price'), full('basePrice')],
    amount: [t('Amount'), full('amount')],
    leverage: [t('Leverage'), withUnit('leverage', '×')],
    marginMode: [t('Margin mode'), cleanText(position.marginMode ?? unknownText, 20)],
    lockedBalance: [t('Locked balance'), full('lockedBalance')],
    symbol: [t('Symbol'), position.symbol],
  };
}

/** Figures that we compute; the exchange does not send them. */
function estimates(risk: PositionRisk, display: Display): RowField[] {
  const distance = `${display.shortPercent('distance', risk.distancePercent)} (${riskLabel(risk)})`;
  return [[vscode.l10n.t('Distance to liquidation'), distance], notional(risk, display)];
}

function notional({ position }: PositionRisk, display: Display): HoverRow {
  return [vscode.l10n.t('Notional (est.)'), display.full('notional', notionalOf(position))];
}

function hoverRows(
  risk: PositionRisk,
  { upl, uplPercentage, amount, ...others }: PositionFields,
  display: Display,
): HoverRow[] {
  return [
    [upl[0], `${upl[1]} (${uplPercentage.join(' ')})`],
    [amount[0], `${amount[1]} (${directionSource()})`],
    notional(risk, display),
    others.basePrice,
    others.markPrice,
    [liquidationLabel(risk, display), others.liquidationPrice[1]],
    others.lockedBalance,
  ];
}

function liquidationLabel({ distancePercent, isPast }: PositionRisk, display: Display): string {
  const { t } = vscode.l10n;
  const distance = display.shortPercent('distance', distancePercent);
  if (distancePercent === null) return t('Liquidation price — distance unknown');
  return isPast
    ? t('Liquidation price — {0} past', distance)
    : t('Liquidation price — {0} away', distance);
}

/** The leverage rule (section 2.8) of the position's leverage, with its time once it should be read again. */
export function leverageRuleRow(
  position: Position,
  { cached, isFresh }: Pick<CachedRead<readonly LeverageRule[]>, 'cached' | 'isFresh'>,
  display: Display,
): HoverRow {
  const { t } = vscode.l10n;
  const label = t('Limit at {0}×', display.full('leverage', position.leverage));
  if (!cached) return [label, t('unknown')];
  const rule = cached.value.find(({ leverage }) => isSame(leverage, position.leverage));
  if (!rule) return [label, t('none listed')];
  const limits = [
    display.full('positionNotional', rule.positionNotional),
    t('maintenance {0} %', display.full('maintenanceMargin', rule.maintenanceMargin)),
    t('initial {0} %', display.full('initialMargin', rule.initialMargin)),
    ...(isFresh ? [] : [t('read at {0}', display.timeToSecond(cached.readAt))]),
  ];
  return [label, limits.join(' · ')];
}
