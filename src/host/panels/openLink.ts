import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { SentenceError } from '../../base/sentenceError.ts';

const maxLength = 2000;

/**
 * The address that a link from the exchange leads to. Throws a SentenceError unless it is `https:`,
 * names no user and is at most 2,000 characters long.
 */
export function linkTarget(text: string, display: Display): URL {
  const { t } = vscode.l10n;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new SentenceError(t('The link was not opened: it is no https address.'));
  if (url.username !== '' || url.password !== '')
    throw new SentenceError(
      t('The link was not opened: it names a user, which could hide where it leads.'),
    );
  if (url.href.length > maxLength)
    throw new SentenceError(
      t('The link was not opened: it is longer than {0} characters.', display.count(maxLength)),
    );
  return url;
}

/** Shows where a link leads and opens it outside VS Code when a person says so. */
export async function offerLink({ host, href }: URL): Promise<void> {
  const open = vscode.l10n.t('Open Link');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Open a link from the exchange to {0}?', host),
    { modal: true, detail: href },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
