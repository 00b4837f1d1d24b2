import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { cancelAll, planCancelAll, type CancelPlan } from '../../account/cancelAll.ts';
import type { Session } from '../../account/session.ts';
import type { Display } from '../../base/display.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { inBackground } from '../background.ts';
import { views } from '../contributions.ts';
import type { Log } from '../log.ts';
import type { DisplayState } from '../displayState.ts';
import type { Documents } from '../documents.ts';
import { reportOutcome } from './cancelReport.ts';
import { quoted } from '../words.ts';
import { planMessage } from './cancelWords.ts';

/** Plan, question, one request, what became of it. */
export async function cancelAllOrders(
  active: ActiveAccount,
  documents: Documents,
  display: DisplayState,
  log: Log,
): Promise<void> {
  const session = await active.session();
  if (session.profile.readOnly)
    throw new SentenceError(
      vscode.l10n.t(
        'Nothing was sent: the profile {0} is read-only, by its setting readOnly.',
        quoted(session.profile.name),
      ),
      { cure: 'editProfile' },
    );
  const plan = await vscode.window.withProgress({ location: { viewId: views.positions } }, () =>
    planCancelAll(session),
  );
  if (!(await confirms(session, plan, display.current))) return;
  const { state } = active;
  if (state.kind !== 'open' || state.session !== session)
    throw new SentenceError(
      vscode.l10n.t('Nothing was sent: another account was opened while the question stood.'),
    );
  log.info('cancel-all confirmed');
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Cancelling every open order …'),
    },
    () => cancelAll(session.client, session.refresher),
  );
  log.info(`cancel-all ended: ${outcome.kind}`);
  const report = reportOutcome(session.profile, outcome, documents, display.current);
  inBackground(log, 'showing the cancelled orders', report);
}

async function confirms(
  { profile }: Session,
  plan: CancelPlan,
  display: Display,
): Promise<boolean> {
  const { message, detail } = planMessage(profile, plan, display);
  const cancel = { title: vscode.l10n.t('Cancel Every Open Order') };
  const keep = { title: vscode.l10n.t('Keep Orders'), isCloseAffordance: true };
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(message, options, cancel, keep);
  return chosen === cancel;
}
