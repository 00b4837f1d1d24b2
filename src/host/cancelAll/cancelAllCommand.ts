import * as vscode from 'vscode';
import { CancelAll, type CancelReport } from '../../account/cancelAll/cancelAll.ts';
import type { CancelPlan, CancelProgress } from '../../account/cancelAll/cancelPlan.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { environmentLabel, type Profile } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import type { Clock } from '../../base/time.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { settingValue } from '../settings/settingValues.ts';
import { commands, views } from '../shared/contributions.ts';
import { logRejection, type Log } from '../shared/log.ts';
import { createMachineClock } from '../shared/machineClock.ts';
import { multiStepInput } from '../shared/multiStepInput.ts';
import { t } from '../shared/translate.ts';
import { untrustedText, accountLabel } from '../text/messageText.ts';
import { outcomeLook, outcomeText, type OutcomeLook } from './outcomeText.ts';
import { planText } from './planText.ts';
import { ReceiptFiles } from './receiptFiles.ts';
import { deleteReceipts, ReceiptPanels } from './receiptPanels.ts';
import type { Services } from '../settings/services.ts';

export function registerCancelAll(context: FeatureContext) {
  const receipts = new ReceiptFiles(context.storageFolder('receipts'));
  const receiptPanels = new ReceiptPanels({ ...context, receipts });
  const cancelAll = context.add(createCancelAll({ ...context, receipts, receiptPanels }));
  return {
    receipts,
    commands: {
      [commands.cancelAllOrders]: () => cancelAll.run(),
      [commands.showReceipts]: () => receiptPanels.pick(),
      [commands.deleteReceipts]: () => deleteReceipts(receipts),
    },
  };
}

type CancelAllCommandOptions = Pick<Services, 'active' | 'display' | 'log'> & {
  readonly receipts: ReceiptFiles;
  readonly receiptPanels: ReceiptPanels;
};

/** Cancel-all with the questions, progress and reports of this window. */
function createCancelAll({
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
  return isActive || (outcomeLook(receipt).opensReceipt === true && receipt.after.length === 1);
}

/** The open account; rejects with a sentence if nothing may be sent. */
async function writableSession(active: ActiveAccount): Promise<AccountSession> {
  if (!vscode.workspace.isTrusted)
    throw new UserFacingError(
      t(
        'Nothing was sent: this folder is not trusted. Run “Workspaces: Manage Workspace Trust” to trust it, or cancel from another window.',
      ),
    );
  const session = await active.session();
  if (session.profile.readOnly)
    throw new UserFacingError(
      t('“{0}” is a read-only profile, so nothing was sent.', untrustedText(session.profile.name)),
      { suggestedAction: 'editProfile' },
    );
  return session;
}

/** A confirmation that comes sooner after the question is accidental. */
const minAnswerMs = 700;

/**
 * Asks whether to cancel all open orders: a modal question; for a live account with confirmByTyping,
 * the name of the profile is typed.
 */
export async function confirmCancelAll(
  plan: CancelPlan,
  earlier: CancelPlan | undefined,
  { display, clock }: { readonly display: Display; readonly clock: Clock },
): Promise<boolean> {
  const { profile } = plan.account;
  const isLive = profile.environment === 'live';
  const question = planText(plan, earlier, display);
  for (let detail = question; ;) {
    const isTyped = isLive && settingValue('marginDesk.confirmByTyping');
    const askedAt = clock.steadyNow();
    const isConfirmed = await askToCancel(profile, detail, isTyped);
    if (!isConfirmed) return false;
    const isDeliberate = clock.steadyNow() - askedAt >= minAnswerMs;
    if (isTyped) return confirmByTypingName(profile);
    if (!isLive || isDeliberate) return true;
    detail = `${t(
      'The confirmation came so soon that it counts as an accidental key. Nothing was sent; please confirm again.',
    )}\n\n${question}`;
  }
}

/**
 * VS Code focuses the first button that does not close the question: on LIVE one that keeps the orders, so that
 * Enter sends nothing; Escape chooses another one of the same name. Real money has an icon and a button of its own.
 */
async function askToCancel(profile: Profile, detail: string, isTyped: boolean): Promise<boolean> {
  const isLive = profile.environment === 'live';
  const word = isLive ? t('Cancel All LIVE Orders') : t('Cancel All Orders');
  const confirm = { title: isTyped ? t('Type Profile Name…') : word };
  const keep = { title: t('Keep Orders') };
  const close = { ...keep, isCloseAffordance: true };
  const buttons = isLive && !isTyped ? [keep, confirm, close] : [confirm, close];
  const ask = isLive ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const options = { modal: true, detail };
  return (await ask<vscode.MessageItem>(questionText(profile), options, ...buttons)) === confirm;
}

function questionText(profile: Profile): string {
  const [environment, name] = [environmentLabel(profile), untrustedText(profile.name)];
  return profile.environment === 'live'
    ? t('{0} · {1} — cancel ALL open orders for real?', environment, name)
    : t('{0} · {1} — cancel ALL open orders?', environment, name);
}

async function confirmByTypingName(profile: Profile): Promise<boolean> {
  const name = untrustedText(profile.name);
  const answers = await multiStepInput(() => [
    {
      name: 'name',
      title: questionText(profile),
      prompt: t('Type “{0}” to cancel all its open orders, or press Escape to keep them.', name),
      validate: (text) =>
        [profile.name, name].includes(text) ? undefined : t('Type “{0}” exactly as shown.', name),
    },
  ]);
  return answers !== undefined;
}

/** Shows the progress of one run: in the view while it plans, in a notification once it is confirmed. */
function showCancelProgress(display: DisplayState, log: Log): (progress: CancelProgress) => void {
  let shown: ReturnType<typeof beginProgress> | undefined;
  let last: CancelProgress['at'] | undefined;
  const show = (options: vscode.ProgressOptions, onCancel?: () => void): void => {
    shown?.end();
    shown = beginProgress(options, onCancel);
  };
  return (progress) => {
    if (progress.at !== last) log.info(`cancel-all: ${progress.at}`);
    const wasWaiting = last === 'waiting';
    last = progress.at;
    switch (progress.at) {
      case 'planning': {
        show({ location: { viewId: views.positions } });
        return;
      }
      case 'confirming':
      case 'ended':
        return shown?.end();
      case 'waiting':
        if (!wasWaiting) show(waitingOptions(), progress.stop);
        return shown?.report(waitingText(progress.sendableAt, display.latest()));
      case 'sending': {
        show({
          location: vscode.ProgressLocation.Notification,
          title: t('Cancelling all open orders'),
        });
        return;
      }
      case 'verifying':
        return shown?.report(
          progress.isUnknown
            ? t('Result unknown. Reading what is still locked…')
            : t('Reading what is still locked…'),
        );
    }
  };
}

/**
 * Its button withdraws the request, which was not sent yet. VS Code would name the button “Cancel”, which
 * here reads as its opposite; it takes another name as text, which its types leave out.
 */
function waitingOptions(): vscode.ProgressOptions {
  return {
    location: vscode.ProgressLocation.Notification,
    title: t('Waiting to send cancel-all'),
    cancellable: t('Do Not Send') as unknown as true,
  };
}

function waitingText(sendableAt: number, display: Display): string {
  return t(
    'The exchange’s limit is used up. The request is sent at {0}.',
    display.timeOfDay(sendableAt),
  );
}

/** VS Code calls back some time later: reports and the end may come before. */
function beginProgress(options: vscode.ProgressOptions, onCancel?: () => void) {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  let message: string | undefined;
  let report = (text: string): void => void (message = text);
  void vscode.window.withProgress(options, (progress, token) => {
    if (onCancel) token.onCancellationRequested(onCancel);
    report = (text) => progress.report({ message: text });
    if (message !== undefined) report(message);
    return ended;
  });
  return { report: (text: string) => report(text), end: () => resolve(undefined) };
}

/** Shows the outcome of a cancel-all, and offers its receipt. An error with a button stays until it is dismissed. */
async function showCancelReport(
  report: CancelReport,
  display: Display,
  showReceipt: () => void,
): Promise<void> {
  const show = t('Show Receipt');
  const message = showMessage[outcomeLook(report.receipt).tone];
  if ((await message(cancelReportText(report, display), show)) === show) showReceipt();
}

/** So that two lines suffice. */
const maxNameLength = 14;

/** The report as a notification. It has its time because it stays as it is; figures are masked in privacy mode. */
export function cancelReportText({ receipt, isSaved }: CancelReport, display: Display): string {
  const { profile: name, environment, after, endedAt, sentAt } = receipt;
  const time = display.timeOfDay(after.at(-1)?.at ?? endedAt ?? sentAt);
  const label = accountLabel({ name, environment }, maxNameLength);
  const { notification: write = outcomeText, isReceiptOpen = false } = outcomeLook(receipt);
  const report = `${label}, ${time}: ${write(receipt, display)}`;
  if (isSaved || isReceiptOpen) return report;
  const unsaved = t('The receipt could not be stored: show it now, and save it.');
  return `${report} ${unsaved}`;
}

type ShowMessage = (text: string, ...buttons: string[]) => Thenable<string | undefined>;

const showMessage: Readonly<Record<OutcomeLook['tone'], ShowMessage>> = {
  success: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  information: (text, ...buttons) => vscode.window.showInformationMessage(text, ...buttons),
  warning: (text, ...buttons) => vscode.window.showWarningMessage(text, ...buttons),
  error: (text, ...buttons) => vscode.window.showErrorMessage(text, ...buttons),
};
