import * as vscode from 'vscode';
import { AlertMonitor } from '../../account/alerts/alertMonitor.ts';
import type { Alert, AlertKind } from '../../account/alerts/alerts.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import { isSignInRefused } from '../../exchange/exchangeError.ts';
import { commands, views } from '../shared/contributions.ts';
import { createMachineClock } from '../shared/machineClock.ts';
import { logRejection } from '../shared/log.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import { writeSetting, isAlertEnabled, alertSettingKeys } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { storageInMemory, type ValueStorage } from '../../base/storedValue.ts';
import { t } from '../shared/translate.ts';
import { joined } from '../text/messageText.ts';
import { nextTryText, signInButtons } from '../text/signInHelp.ts';
import { runForAccount } from './accountOfAlert.ts';
import { AlertStorage, storedAlerts, type StoredAlerts } from './alertStorage.ts';
import { alertText, isErrorAlert } from './alertText.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { Services } from '../settings/services.ts';

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
