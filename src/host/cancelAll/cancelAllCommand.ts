import * as vscode from 'vscode';
import { CancelAll, type CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { UserFacingError } from '../../base/errors.ts';
import { createMachineClock } from '../shared/machineClock.ts';
import { logRejection, type Log } from '../shared/log.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { untrustedText } from '../text/messageText.ts';
import { confirmCancelAll } from './cancelConfirmation.ts';
import { showCancelProgress, showCancelReport } from './cancelNotifications.ts';
import type { ReceiptFiles } from './receiptFiles.ts';
import type { ReceiptPanels } from './receiptPanels.ts';

type CancelAllCommandOptions = {
  readonly active: ActiveAccount;
  readonly display: DisplayState;
  readonly receipts: ReceiptFiles;
  readonly receiptPanels: ReceiptPanels;
  readonly log: Log;
};

/** Cancel-all with the questions, progress and reports of this window. */
export function createCancelAll({
  active,
  display,
  receipts,
  receiptPanels,
  log,
}: CancelAllCommandOptions): CancelAll {
  const clock = createMachineClock();
  return new CancelAll({
    clock,
    receipts,
    account: () => writableSession(active),
    confirm: (plan, earlier) =>
      confirmCancelAll(plan, earlier, { display: display.latest(), clock }),
    startProgress: () => showCancelProgress(display, log),
    onReport: (report) => {
      const { receipt } = report;
      log.info(`cancel-all ended: ${receipt.outcome}`);
      if (opensByItself(report)) receiptPanels.showUnasked(receipt);
      const reporting = showCancelReport(report, display.latest(), () =>
        receiptPanels.show(receipt),
      );
      logRejection(log, 'reporting a cancel-all', reporting);
    },
    onChange: (report) => receiptPanels.update(report),
    onProblem: (activity, error) => log.failure(`cancel-all: ${activity}`, error),
  });
}

/** The receipt of an outcome that is not certain opens once, with its first report. */
function opensByItself({ receipt, isActive }: CancelReport): boolean {
  return isActive || (receipt.outcome === 'unknownNothingLocked' && receipt.after.length === 1);
}

/** The open account; rejects with a sentence if nothing may be sent. */
async function writableSession(active: ActiveAccount): Promise<AccountSession> {
  if (!vscode.workspace.isTrusted)
    throw new UserFacingError(
      vscode.l10n.t(
        'Nothing was sent: this folder is not trusted. Run “Workspaces: Manage Workspace Trust” to trust it, or cancel from another window.',
      ),
    );
  const session = await active.session();
  if (session.profile.readOnly)
    throw new UserFacingError(
      vscode.l10n.t(
        '“{0}” is a read-only profile, so nothing was sent.',
        untrustedText(session.profile.name),
      ),
      { suggestedAction: 'editProfile' },
    );
  return session;
}
