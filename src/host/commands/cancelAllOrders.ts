import * as vscode from 'vscode';
import type { ActiveAccount } from '../../account/activeAccount.ts';
import { CancelAll } from '../../account/cancelAll/cancelAll.ts';
import { ConfirmedInVain } from '../../account/cancelAll/confirmedInVain.ts';
import type { Session } from '../../account/session.ts';
import { systemClock } from '../../base/clock.ts';
import type { Display } from '../../base/display.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SentenceError } from '../../base/sentenceError.ts';
import { ExchangeError } from '../../exchange/errors.ts';
import { inBackground } from '../background.ts';
import type { DisplayState } from '../displayState.ts';
import type { Documents } from '../documents.ts';
import type { Log } from '../log.ts';
import type { ReceiptFiles } from '../receipts/receiptFiles.ts';
import { quoted, sentenceFor } from '../words.ts';
import { CancelProgress } from './cancelProgress.ts';
import { confirmsCancel } from './cancelQuestion.ts';
import { reportCancel } from './cancelReport.ts';

export type CancelAllOrdersParts = {
  readonly active: ActiveAccount;
  readonly documents: Documents;
  readonly display: DisplayState;
  readonly receipts: ReceiptFiles;
  readonly log: Log;
};

/** Cancel-all in this window: its questions, its progress, its reports. */
export class CancelAllOrders implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly cancelAll: CancelAll;
  private readonly display: DisplayState;

  constructor({ active, documents, display, receipts, log }: CancelAllOrdersParts) {
    this.display = display;
    this.cancelAll = this.disposables.add(
      new CancelAll({
        clock: systemClock,
        receipts,
        account: () => accountToSendTo(active),
        confirm: (plan, earlier) => confirmsCancel(plan, earlier, display.latest()),
        onProblem: (error) => log.failure('keeping the receipts of cancel-alls', error),
      }),
    );
    this.disposables.add(new CancelProgress(this.cancelAll));
    this.disposables.add(this.cancelAll.onDidChange(({ at }) => log.info(`cancel-all: ${at}`)));
    this.disposables.add(
      this.cancelAll.onDidReport((report) => {
        log.info(`cancel-all ended: ${report.receipt.outcome}`);
        const reporting = reportCancel(report, display, documents);
        inBackground(log, 'reporting a cancel-all', reporting);
      }),
    );
  }

  /** Plan, question, one request, what became of it; or joins the run that is under way. */
  async run(): Promise<void> {
    try {
      await this.cancelAll.press();
    } catch (error) {
      const sentence = nothingSent(error, this.display.latest());
      throw sentence === undefined ? error : new SentenceError(sentence, { cause: error });
    }
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

function nothingSent(error: unknown, display: Display): string | undefined {
  if (error instanceof ConfirmedInVain)
    return vscode.l10n.t(
      'No cancel-all was sent: its plan was cut off after you confirmed it, as when another account is opened. Run it again.',
    );
  if (!(error instanceof ExchangeError)) return undefined;
  return vscode.l10n.t('No cancel-all was sent. {0}', sentenceFor(error, display));
}

/** The open account; rejects with a sentence where nothing may be sent. */
async function accountToSendTo(active: ActiveAccount): Promise<Session> {
  if (!vscode.workspace.isTrusted)
    throw new SentenceError(
      vscode.l10n.t(
        'Nothing was sent: this folder is not trusted. Run “Workspaces: Manage Workspace Trust” to trust it, or cancel from another window.',
      ),
    );
  const session = await active.session();
  if (session.profile.readOnly)
    throw new SentenceError(
      vscode.l10n.t(
        'Nothing was sent: the profile {0} is read-only, by its setting readOnly.',
        quoted(session.profile.name),
      ),
      { cure: 'editProfile' },
    );
  return session;
}
