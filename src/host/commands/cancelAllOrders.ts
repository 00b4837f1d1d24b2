import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { cancelAll, planCancelAll, type CancelPlan } from '../../account/cancelAll.ts';
import type { Session } from '../../account/session.ts';
import { views } from '../contributions.ts';
import type { Log } from '../log.ts';
import { outcomeMessage, planMessage } from './cancelWords.ts';

/** Plan, question, one request, what became of it. */
export async function cancelAllOrders(active: ActiveAccount, log: Log): Promise<void> {
  const session = await active.session();
  const plan = await vscode.window.withProgress({ location: { viewId: views.positions } }, () =>
    planCancelAll(session.refresher),
  );
  if (!(await confirms(session, plan))) return;
  const { state } = active;
  if (state.kind !== 'open' || state.session !== session) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Nothing was sent: another account was opened while the question stood.'),
    );
    return;
  }
  log.info('cancel-all confirmed');
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Cancelling every open order …'),
    },
    () => cancelAll(session.client, session.refresher),
  );
  log.info(`cancel-all ended: ${outcome.kind}`);
  const { severity, text } = outcomeMessage(session.profile, outcome);
  switch (severity) {
    case 'information':
      void vscode.window.showInformationMessage(text);
      return;
    case 'warning':
      void vscode.window.showWarningMessage(text);
      return;
    case 'error':
      void vscode.window.showErrorMessage(text);
  }
}

async function confirms({ profile }: Session, plan: CancelPlan): Promise<boolean> {
  const { message, detail } = planMessage(profile, plan);
  const cancel = { title: vscode.l10n.t('Cancel Every Open Order') };
  const keep = { title: vscode.l10n.t('Keep Orders'), isCloseAffordance: true };
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(message, options, cancel, keep);
  return chosen === cancel;
}
