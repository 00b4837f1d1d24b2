import { l10n } from 'vscode';
import type { Alert } from '../../account/alerts/alerts.ts';
import type { DangerAlert } from '../../account/alerts/danger.ts';
import type { LiquidationAlert } from '../../account/alerts/vanished.ts';
import type { Profile } from '../../account/profile.ts';
import type { Display } from '../../base/display.ts';
import { quoted, sentenceFor, whose } from '../words.ts';

const named = 3;

/** What an alert says, beginning with whose account it is about; what privacy hides is masked. */
export function alertWords(
  alert: Alert,
  profile: Pick<Profile, 'name' | 'environment'>,
  display: Display,
): string {
  return `${whose(profile)}: ${saying(alert, display)}`;
}

/** Whether it is an error, not a warning: a position is lost, or next to it. */
export function isUrgent(alert: Alert): boolean {
  switch (alert.kind) {
    case 'positions':
      return alert.positions.some(({ band }) => band === 'critical');
    case 'liquidations':
      return true;
    case 'equity':
    case 'connection':
      return false;
    default:
      return alert satisfies never;
  }
}

function saying(alert: Alert, display: Display): string {
  const { t } = l10n;
  switch (alert.kind) {
    case 'positions':
      return dangerWords(alert.positions, display);
    case 'liquidations':
      return liquidationWords(alert, display);
    case 'equity': {
      const { first, equity, asOf, fallPercent } = alert;
      return t(
        'equity is {0} % below the first figure of the day, by loss or by withdrawal: {1} at {2}, {3} at {4}.',
        display.glance('equityFallPercent', fallPercent),
        display.glance('equity', first.equity),
        display.timeOfDay(String(first.seenAt)),
        display.glance('equity', equity),
        display.timeOfDay(String(asOf)),
      );
    }
    case 'connection': {
      const since = display.timeOfDay(String(alert.since));
      const why = sentenceFor(alert.failure, display);
      return t('the account could not be read since {0}. {1}', since, why);
    }
    default:
      return alert satisfies never;
  }
}

/** A notification stays: its figures are of the time that it tells, or of a later one. */
function dangerWords(positions: readonly DangerAlert[], display: Display): string {
  const { t } = l10n;
  const listed = listWords(
    positions.map((position) => distanceWords(position, display)),
    display,
  );
  const asOf = display.timeOfDay(String(Math.min(...positions.map((position) => position.asOf))));
  return positions.length === 1
    ? t('a position is in danger of liquidation: {0}, as of {1}.', listed, asOf)
    : t(
        '{0} positions are in danger of liquidation: {1}, as of {2}.',
        display.count(positions.length),
        listed,
        asOf,
      );
}

function distanceWords(
  { symbol, band, isPast, distancePercent }: DangerAlert,
  display: Display,
): string {
  const { t } = l10n;
  const name = quoted(symbol, 40);
  const distance = display.glance('distancePercent', distancePercent);
  if (isPast) return t('{0} {1} % past its liquidation price (critical)', name, distance);
  return band === 'critical'
    ? t('{0} {1} % (critical)', name, distance)
    : t('{0} {1} % (near)', name, distance);
}

function liquidationWords({ by, symbols }: LiquidationAlert, display: Display): string {
  const { t } = l10n;
  const listed = listWords(
    symbols.map((symbol) => quoted(symbol, 40)),
    display,
  );
  switch (by) {
    case 'order':
      return t(
        'liquidated: {0}. The position is gone, and the order history has an order with the status LIQUIDATED.',
        listed,
      );
    case 'fee':
      return t(
        'gone: {0}. Since then there is a LIQUIDATION_FEE, which does not say for which position.',
        listed,
      );
    case 'unread':
      return t(
        'gone: {0}. Whether it was a liquidation is not known, as the records could not be read: look into the order history.',
        listed,
      );
    default:
      return by satisfies never;
  }
}

/** The first few, and how many more. */
function listWords(items: readonly string[], display: Display): string {
  const more = items.length - named;
  const shown = items.slice(0, named).join(', ');
  return more > 0 ? l10n.t('{0} and {1} more', shown, display.count(more)) : shown;
}
