import type { Direction } from '../../account/session/positionDirections.ts';
import type {
  LiquidationDistance,
  PositionRisk,
  RiskBand,
} from '../../account/session/positionRisk.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { t } from '../shared/translate.ts';

/** A distance to liquidation in a few characters: `1.5%`, `1.5% past`, `—`. */
export function distanceText(
  { distancePercent, isPast }: LiquidationDistance,
  display: Display,
): string {
  if (distancePercent === null) return unknownText;
  const distance = display.shortPercent('distance', distancePercent);
  return isPast ? t('{0} past', distance) : distance;
}

/** How close a position is to its liquidation, in words. */
export function riskLabel({ isPast, band }: PositionRisk): string {
  return isPast ? t('critical, past its liquidation price') : bandWords()[band];
}

export function bandWords(): Readonly<Record<RiskBand, string>> {
  return {
    critical: t('critical'),
    near: t('near liquidation'),
    notNear: t('not near liquidation'),
    unknown: t('distance unknown'),
  };
}

export function directionText(direction: Direction): string {
  return {
    long: t('Long'),
    short: t('Short'),
    flat: t('Flat'),
    unknown: t('Direction unknown'),
  }[direction];
}

/** Where the direction comes from: the API does not name it. */
export function directionSource(): string {
  return t('direction inferred from its sign and from P&L');
}
