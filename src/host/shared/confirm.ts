import * as vscode from 'vscode';

/**
 * Asks in a dialog; false if the person closes it, or chooses `keep`, which stands in place of “Cancel”. VS Code focuses
 * the first button that does not close the dialog: with `keepsOnEnter`, one more of `keep`.
 */
export async function confirm(
  question: string,
  detail: string,
  button: string,
  keep?: string,
  keepsOnEnter = false,
): Promise<boolean> {
  const yes: vscode.MessageItem = { title: button };
  const no = keep === undefined ? [] : [{ title: keep, isCloseAffordance: true }];
  const first = keepsOnEnter ? no.map(({ title }) => ({ title })) : [];
  const options = { modal: true, detail };
  const buttons: vscode.MessageItem[] = [...first, yes, ...no];
  return (await vscode.window.showWarningMessage(question, options, ...buttons)) === yes;
}
