import path from 'node:path';
import * as vscode from 'vscode';
import { exportEnd } from '../../account/export/exportEnd.ts';
import type { ExportPlan } from '../../account/export/exportPlan.ts';
import type { Progress } from '../../account/export/progress.ts';
import type { Display } from '../../base/display.ts';
import { endWords, failureWords, keptWords, subjectWords } from './exportTableWords.ts';

/** Says that an export ran to its end, and opens or shows its file. */
export async function reportEnd(
  plan: ExportPlan,
  progress: Progress,
  file: string,
  display: Display,
): Promise<void> {
  const { t } = vscode.l10n;
  const [open, reveal] = [t('Open File'), t('Reveal')];
  const isWhole = exportEnd(progress).completeness === 'complete';
  const show = isWhole ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const buttons = canReveal() ? [open, reveal] : [open];
  const chosen = await show(endWords(plan, progress, path.basename(file), display), ...buttons);
  const uri = vscode.Uri.file(file);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) await vscode.commands.executeCommand('revealFileInOS', uri);
}

/** Says why an export stopped, and goes on, or begins again, when the person wants to. */
export async function reportFailure(
  error: unknown,
  rows: number,
  display: Display,
  resume: () => Promise<void>,
): Promise<void> {
  const button = rows === 0 ? vscode.l10n.t('Try Again') : vscode.l10n.t('Resume');
  const chosen = await vscode.window.showErrorMessage(failureWords(error, rows, display), button);
  if (chosen === button) await resume();
}

/** Says what is kept of an export that somebody stopped. */
export async function reportStop(plan: ExportPlan, rows: number, display: Display): Promise<void> {
  const { t } = vscode.l10n;
  const text = `${t('The export of {0} was stopped.', subjectWords(plan))} ${keptWords(rows, display)}`;
  await vscode.window.showInformationMessage(text);
}

/** Only a window on the file's own desktop can show its folder. */
function canReveal(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}
