import { l10n } from 'vscode';
import type {
  LiquidationDistance,
  PositionRisk,
  RiskBand,
} from '../../account/session/positionRisk.ts';
import { sign, unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import type { Position } from '../../exchange/records.ts';

/** A distance to liquidation in a few characters: `1.5%`, `1.5% past`, `—`. */
export function distanceText(
  { distancePercent, isPast }: LiquidationDistance,
  display: Display,
): string {
  if (distancePercent === null) return unknownText;
  const distance = display.shortPercent('distance', distancePercent);
  return isPast ? l10n.t('{0} past', distance) : distance;
}

/** How close a position is to its liquidation, in words. */
export function riskLabel({ isPast, band }: PositionRisk): string {
  return isPast ? l10n.t('critical, past its liquidation price') : bandWords()[band];
}

export function bandWords(): Readonly<Record<RiskBand, string>> {
  return {
    critical: l10n.t('critical'),
    near: l10n.t('near liquidation'),
    notNear: l10n.t('not near liquidation'),
    unknown: l10n.t('distance unknown'),
  };
}

/** The direction as the sign of the amount has it. */
export function directionText({ amount }: Position): string {
  const direction = sign(amount);
  switch (direction) {
    case 1:
      return l10n.t('Long');
    case -1:
      return l10n.t('Short');
    case 0:
      return l10n.t('Flat');
  }
}
