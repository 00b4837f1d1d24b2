import { l10n } from 'vscode';
import {
  notionalOf,
  type PositionRisk,
  type RiskLimits,
} from '../../account/session/positionRisk.ts';
import { cleanText } from '../../base/cleanText.ts';
import { compare, type NumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position } from '../../exchange/records.ts';
import { gainOrLoss } from '../../protocol/cellRules.ts';
import type { Bar, DocumentTable, Label } from '../../protocol/documentTable.ts';
import { directionText, distanceText, riskLabel } from '../text/riskText.ts';

type PositionFigure = Exclude<keyof Position, 'symbol' | 'marginMode' | 'extra'>;

/** Every field of every position, the nearest to liquidation first. */
export function positionsTable(
  risks: readonly PositionRisk[],
  limits: RiskLimits,
  display: Display,
): Pick<DocumentTable, 'columns' | 'rows'> {
  return {
    columns: columns(),
    rows: risks.map((risk) => positionCells(risk, limits, display)),
  };
}

function columns(): DocumentTable['columns'] {
  const { t } = l10n;
  const text = (label: string) => ({ label, isNumeric: false });
  const number = (label: string) => ({ label, isNumeric: true });
  return [
    text(t('Symbol')),
    text(t('Direction')),
    text(t('Distance to liquidation')),
    number(t('Unrealised P&L')),
    number(t('ROE')),
    number(t('Amount')),
    number(t('Notional (est.)')),
    number(t('Entry price')),
    number(t('Mark price')),
    number(t('Liquidation price')),
    number(t('Leverage')),
    text(t('Margin mode')),
    number(t('Locked balance')),
  ];
}

function positionCells(risk: PositionRisk, limits: RiskLimits, display: Display): Label[] {
  const { position } = risk;
  const full = (field: PositionFigure, unit = ''): Label => ({
    text: display.full(field, position[field]) + unit,
  });
  return [
    { text: cleanText(position.symbol, 60) },
    { text: directionText(position), detail: l10n.t('Inferred from the sign of the amount') },
    distanceCell(risk, limits, display),
    profitLabel('upl', position.upl, display),
    full('uplPercentage', ' %'),
    full('amount'),
    { text: display.full('notional', notionalOf(position)) },
    full('basePrice'),
    full('markPrice'),
    full('liquidationPrice'),
    full('leverage', '×'),
    { text: cleanText(position.marginMode, 20) },
    full('lockedBalance'),
  ];
}

/** A profit or loss with every digit, its sign and its colour; what privacy hides has neither. */
export function profitLabel(
  field: 'upl' | 'rpnl',
  figure: NumberText | null,
  display: Display,
): Label {
  const text = display.full(field, figure);
  const tone = display.hides(field) ? undefined : gainOrLoss(figure, field);
  return tone ? { text: tone === 'gain' ? `+${text}` : text, tone } : { text };
}

/** The number and the word of a distance; the bar beside them is empty at the liquidation price. */
function distanceCell(risk: PositionRisk, limits: RiskLimits, display: Display): Label {
  const { band, distancePercent } = risk;
  if (band === 'unknown' || distancePercent === null) return { text: riskLabel(risk) };
  const text = `${distanceText(risk, display)} · ${riskLabel(risk)}`;
  const scale = fullBarPercent(limits);
  const detail = l10n.t('Full at {0} % or more', display.count(scale));
  return { text, detail, bar: distanceBar(risk, limits, scale) };
}

/** Twice the distance at which a position is near: beyond it, more distance means little. */
function fullBarPercent({ nearPercent }: RiskLimits): number {
  return 2 * nearPercent;
}

function distanceBar(
  { band, distancePercent, isPast }: PositionRisk,
  { nearPercent, criticalPercent }: RiskLimits,
  scale: number,
): Bar {
  const distance = distancePercent ?? '0';
  const isFull = compare(distance, String(scale)) >= 0;
  return {
    filled: isPast ? 0 : isFull ? 100 : toWhole((100 * Number(distance)) / scale),
    limits: [criticalPercent, nearPercent].map((percent) => (100 * percent) / scale),
    band: band === 'unknown' ? 'notNear' : band,
  };
}

/** A width to draw, not a figure to read. */
function toWhole(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
