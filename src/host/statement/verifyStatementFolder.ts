import * as vscode from 'vscode';
import { verifyStatement, type StatementCheck } from '../../account/statement/verifyStatement.ts';
import { withProgress } from '../shared/notificationProgress.ts';
import { askFolder } from './statementQuestions.ts';
import { checkText, isDamaged } from './statementText.ts';

/** Checks the files of a statement. Needs no account, no ledger and no connection. */
export async function verifyStatementFolder(): Promise<void> {
  const { t } = vscode.l10n;
  const folder = await askFolder(t('Folder of the Statement'), t('Verify'));
  if (folder === undefined) return;
  const check = await withProgress(t('Verifying the statement'), (signal) =>
    verifyStatement(folder, signal),
  );
  void showOf(check)(checkText(folder, check));
}

function showOf(check: StatementCheck): (text: string) => Thenable<unknown> {
  if (isDamaged(check)) return vscode.window.showErrorMessage;
  const isExpected = check.previous !== 'different' && check.others.length === 0;
  return isExpected ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
}
