import { l10n } from 'vscode';
import type { LiquidationDistance } from '../../account/session/positionRisk.ts';
import { unknownText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';

/** A distance to liquidation in a few characters: `1.5%`, `1.5% past`, `—`. */
export function distanceText(
  { distancePercent, isPast }: LiquidationDistance,
  display: Display,
): string {
  if (distancePercent === null) return unknownText;
  const distance = display.shortPercent('distance', distancePercent);
  return isPast ? l10n.t('{0} past', distance) : distance;
}
