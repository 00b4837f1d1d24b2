import * as vscode from 'vscode';
import { singleFlight } from '../base/singleFlight.ts';
import type { DisplayState } from './displayState.ts';

/**
 * What asks before a value that privacy hides leaves for the clipboard or a file; resolves to whether
 * it may. It asks only in privacy, and once a window: a yes holds until the window is reloaded.
 */
export function realValuesConfirmation(display: DisplayState): () => Promise<boolean> {
  let confirmed = false;
  const ask = singleFlight(async () => (confirmed = await asked()));
  return async () => !display.latest().settings.hidesMoney || confirmed || (await ask());
}

async function asked(): Promise<boolean> {
  const use = vscode.l10n.t('Use Real Values');
  const detail = vscode.l10n.t(
    'Amounts are hidden on the screen. What is copied or exported has them with every digit. This window does not ask again.',
  );
  const message = vscode.l10n.t('Copy and export real values?');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, use)) === use;
}
