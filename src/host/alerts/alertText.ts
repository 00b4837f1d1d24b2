import type { Alert } from '../../account/alerts/alerts.ts';
import type { PositionAlert } from '../../account/alerts/positionAlerts.ts';
import type { LiquidationAlert } from '../../account/alerts/vanishedPositions.ts';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { firstOf, accountLabel, untrustedText } from '../text/messageText.ts';

const maxListed = 3;

/** The text of an alert. It begins with the account; privacy masks its figures. */
export function alertText(
  alert: Alert,
  profile: Pick<Profile, 'name' | 'environment'>,
  display: Display,
): string {
  return `${accountLabel(profile)}: ${alertMessage(alert, display)}`;
}

/** Whether the alert is an error, not a warning: a position is liquidated or close to it. */
export function isErrorAlert(alert: Alert): boolean {
  switch (alert.kind) {
    case 'positions':
      return alert.positions.some(({ band }) => band === 'critical');
    case 'liquidations':
      return true;
    case 'equity':
    case 'connection':
      return false;
  }
}

function alertMessage(alert: Alert, display: Display): string {
  switch (alert.kind) {
    case 'positions':
      return liquidationRiskText(alert.positions, display);
    case 'liquidations':
      return liquidationText(alert, display);
    case 'equity': {
      const { first, equity, asOf, fallPercent } = alert;
      return t(
        'equity is {0} below the first figure of the day, through losses or withdrawals: {1} at {2}, {3} at {4}.',
        display.shortPercent('equityFallPercent', fallPercent),
        display.figure('equity', first.equity),
        display.timeOfDay(first.seenAt),
        display.figure('equity', equity),
        display.timeOfDay(asOf),
      );
    }
    case 'connection': {
      const since = display.timeOfDay(alert.since);
      const why = errorText(alert.failure, display);
      return t('no account data since {0}. {1}', since, why);
    }
  }
}

/** A notification stays on screen, so its text says when its figures were read. */
function liquidationRiskText(positions: readonly PositionAlert[], display: Display): string {
  const listed = firstOf(
    positions.map((position) => alertedDistanceText(position, display)),
    maxListed,
    display,
  );
  const asOf = display.timeOfDay(Math.min(...positions.map((position) => position.asOf)));
  return positions.length === 1
    ? t('a position is close to liquidation: {0}, as of {1}.', listed, asOf)
    : t(
        '{0} positions are close to liquidation: {1}, as of {2}.',
        display.count(positions.length),
        listed,
        asOf,
      );
}

function alertedDistanceText(
  { symbol, band, isPast, distancePercent }: PositionAlert,
  display: Display,
): string {
  const name = untrustedText(symbol, 40);
  const distance = display.shortPercent('distance', distancePercent);
  if (isPast) return t('{0} {1} past its liquidation price (critical)', name, distance);
  return band === 'critical'
    ? t('{0} {1} (critical)', name, distance)
    : t('{0} {1} (near)', name, distance);
}

function liquidationText({ by, symbols }: LiquidationAlert, display: Display): string {
  const listed = firstOf(
    symbols.map((symbol) => untrustedText(symbol, 40)),
    maxListed,
    display,
  );
  switch (by) {
    case 'order':
      return t(
        'liquidated: {0}. The position is no longer listed, and the order history shows an order with status LIQUIDATED.',
        listed,
      );
    case 'unread':
      return t(
        'no longer listed: {0}. The order history could not be read completely, so it is unknown whether this was a liquidation. Check the order history.',
        listed,
      );
  }
}
