import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

/** Waits until the editor in front has a text of the extension's own, such as a receipt. */
export function shownDocument(): Promise<vscode.TextDocument> {
  return eventually('the document', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.scheme === 'margin-desk' ? document : undefined;
  });
}
