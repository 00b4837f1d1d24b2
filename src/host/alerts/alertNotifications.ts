import * as vscode from 'vscode';
import { AlertMonitor } from '../../account/alerts/alertMonitor.ts';
import type { Alert, AlertKind } from '../../account/alerts/alerts.ts';
import type { PositionAlert } from '../../account/alerts/positionAlerts.ts';
import type { LiquidationAlert } from '../../account/alerts/vanishedPositions.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { storageInMemory, type ValueStorage } from '../../base/storedValue.ts';
import type { Clock } from '../../base/time.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import type { Services } from '../settings/services.ts';
import { settingValue } from '../settings/settingValues.ts';
import { alertSettingKeys, isAlertEnabled, writeSetting } from '../settings/settings.ts';
import { commands, views } from '../shared/contributions.ts';
import { logRejection } from '../shared/log.ts';
import { createMachineClock } from '../shared/machineClock.ts';
import { t } from '../shared/translate.ts';
import { errorText } from '../text/failureText.ts';
import { accountLabel, firstOf, joined, untrustedText } from '../text/messageText.ts';
import { nextTryText, signInButtons } from '../text/signInHelp.ts';
import { runForAccount } from './accountOfAlert.ts';
import { AlertStorage, storedAlerts, type StoredAlerts } from './alertStorage.ts';

export function registerAlerts(context: FeatureContext): void {
  context.add(new AlertNotifications({ ...context, clock: createMachineClock() }));
}

type AlertNotificationsOptions = Pick<Services, 'active' | 'display' | 'log'> & {
  /** Shared by all windows. It survives a reload. */
  readonly globalState: ValueStorage;
  readonly clock: Clock;
  readonly risk: Pick<RiskAssessment, 'limits' | 'rankPositions'>;
};

/** Danger in the practice account shows inside the view only. */
const hasAlertInPractice: Readonly<Record<AlertKind, boolean>> = {
  positions: false,
  liquidations: true,
  equity: true,
  connection: true,
};

/** Watches the open account and shows a notification for each alert. */
export class AlertNotifications implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly options: AlertNotificationsOptions;
  private readonly stored: StoredAlerts;
  private watched: { readonly session: AccountSession; readonly monitor: AlertMonitor } | undefined;

  constructor(options: AlertNotificationsOptions) {
    this.options = options;
    this.stored = storedAlerts(options.globalState, options.clock);
    this.disposables.add(options.active.onDidChange(() => this.watchOpenAccount()));
    this.watchOpenAccount();
  }

  dispose(): void {
    this.watched?.monitor.dispose();
    this.disposables.dispose();
  }

  private watchOpenAccount(): void {
    const { state } = this.options.active;
    const session = state.kind === 'open' ? state.session : undefined;
    if (session === this.watched?.session) return;
    this.watched?.monitor.dispose();
    this.watched = session && { session, monitor: this.watch(session) };
  }

  private watch(session: AccountSession): AlertMonitor {
    const { clock, risk, log } = this.options;
    const { profile, fingerprint } = session;
    const isPractice = profile.environment === 'practice';
    // The practice exchange belongs to this window.
    const stored = isPractice ? storedAlerts(storageInMemory(), clock) : this.stored;
    return new AlertMonitor({
      store: session.store,
      account: session,
      clock,
      memory: new AlertStorage(fingerprint, stored, log),
      limits: () => ({
        ...risk.limits,
        equityFallPercent: settingValue('marginDesk.alerts.equityFallPercent'),
      }),
      sortByRisk: (snapshot) => risk.rankPositions(snapshot),
      zone: () => this.options.display.current.zone,
      isOn: (kind) => isAlertEnabled(kind) && (!isPractice || hasAlertInPractice[kind]),
      alert: (alert) => logRejection(log, 'showing an alert', this.show(alert, session)),
      onReadError: (error) => log.failure('reading the orders of a vanished position', error),
    });
  }

  private async show(alert: Alert, session: AccountSession): Promise<void> {
    const { display, log } = this.options;
    log.info(`alert: ${alert.kind}`);
    const positions = { title: t('Show Positions') };
    const turnOff = { title: t('Do Not Show Again') };
    const { showErrorMessage, showWarningMessage } = vscode.window;
    const message = isErrorAlert(alert) ? showErrorMessage : showWarningMessage;
    const text = alertText(alert, session.profile, display.latest());
    const isRefused = alert.kind === 'connection' && isSignInRefused(session.store.state.failure);
    const nextTry = isRefused ? nextTryText(session, display.latest()) : '';
    const actions = isRefused ? signInButtons() : [positions];
    const chosen = await message(joined(text, nextTry), ...actions, turnOff);
    if (chosen === turnOff) await writeSetting(alertSettingKeys[alert.kind], false);
    else if (chosen) {
      const command = 'action' in chosen ? commands[chosen.action] : `${views.positions}.focus`;
      await runForAccount(this.options.active, session, () =>
        vscode.commands.executeCommand(command),
      );
    }
  }
}

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
