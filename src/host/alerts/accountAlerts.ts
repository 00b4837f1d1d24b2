import * as vscode from 'vscode';
import { AlertWatch } from '../../account/alerts/alertWatch.ts';
import type { Alert } from '../../account/alerts/alerts.ts';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import type { Session } from '../../account/session.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { TimeZone } from '../../base/timeZone.ts';
import { inBackground } from '../background.ts';
import { commands, views } from '../contributions.ts';
import type { DisplayState } from '../displayState.ts';
import type { Log } from '../log.ts';
import type { RiskState } from '../riskState.ts';
import { writeSetting } from '../settings.ts';
import { alertSetting, alertSettings, equityFallSetting } from '../watchSettings.ts';
import { KeptAlerts } from './keptAlerts.ts';
import { whose } from '../words.ts';
import { alertWords, isUrgent } from './alertWords.ts';

export type AccountAlertsParts = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  /** What all windows know, and know again after a reload. */
  readonly globalState: Pick<vscode.Memento, 'get' | 'update'>;
  readonly clock: Clock;
  readonly risk: Pick<RiskState, 'limits' | 'byDanger'>;
  readonly log: Log;
};

/** Watches the account that is open, and shows a notification for each alert of it. */
export class AccountAlerts implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly parts: AccountAlertsParts;
  private watched: { readonly session: Session; readonly watch: AlertWatch } | undefined;

  constructor(parts: AccountAlertsParts) {
    this.parts = parts;
    this.disposables.add(parts.active.onDidChange(() => this.follow()));
    this.follow();
  }

  dispose(): void {
    this.watched?.watch.dispose();
    this.disposables.dispose();
  }

  private follow(): void {
    const { state } = this.parts.active;
    const session = state.kind === 'open' ? state.session : undefined;
    if (session === this.watched?.session) return;
    this.watched?.watch.dispose();
    this.watched = session && { session, watch: this.watch(session) };
  }

  private watch(session: Session): AlertWatch {
    const { globalState: state, clock, display, risk, log } = this.parts;
    const { store, client } = session;
    const zone = (): TimeZone => display.current.zone;
    return new AlertWatch({
      store,
      records: client.at('refresh'),
      clock,
      memory: new KeptAlerts({ session, state, zone, log }),
      limits: () => ({ ...risk.limits, equityFallPercent: equityFallSetting() }),
      byDanger: (positions) => risk.byDanger(positions),
      zone,
      isOn: alertSetting,
      alert: (alert) => inBackground(log, 'showing an alert', this.show(alert, session)),
      onProblem: (error) => log.failure('reading why a position is gone', error),
    });
  }

  private async show(alert: Alert, session: Session): Promise<void> {
    const { display, log } = this.parts;
    log.info(`alert: ${alert.kind}`);
    const positions = { title: vscode.l10n.t('Show Positions') };
    const silence = { title: vscode.l10n.t('Do Not Show Again') };
    const { showErrorMessage, showWarningMessage } = vscode.window;
    const message = isUrgent(alert) ? showErrorMessage : showWarningMessage;
    const words = alertWords(alert, session.profile, display.latest());
    const chosen = await message(words, positions, silence);
    if (chosen === positions) await this.showPositions(session);
    if (chosen === silence) await writeSetting(alertSettings[alert.kind], false);
  }

  /** A notification stays when another account is opened; that one's positions would pass for its own. */
  private async showPositions({ profile, fingerprint }: Session): Promise<void> {
    const { state } = this.parts.active;
    if (state.kind === 'open' && state.session.fingerprint === fingerprint) {
      await vscode.commands.executeCommand(`${views.positions}.focus`);
      return;
    }
    const { t } = vscode.l10n;
    const words = t('The account of this alert is not open any more: {0}.', whose(profile));
    const change = { title: t('Switch Profile') };
    const chosen = await vscode.window.showWarningMessage(words, change);
    if (chosen) await vscode.commands.executeCommand(commands.switchProfile);
  }
}
