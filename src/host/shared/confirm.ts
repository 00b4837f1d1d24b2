import * as vscode from 'vscode';

/** Asks in a dialog; false if the person closes it, or chooses `keep`, which stands in place of “Cancel”. */
export async function confirm(
  question: string,
  detail: string,
  button: string,
  keep?: string,
): Promise<boolean> {
  const yes: vscode.MessageItem = { title: button };
  const no = keep === undefined ? [] : [{ title: keep, isCloseAffordance: true }];
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, yes, ...no)) === yes;
}
