import * as vscode from 'vscode';
import type { Display } from '../../base/display.ts';
import { UserFacingError } from '../../base/errors.ts';
import { confirm } from '../shared/confirm.ts';

const maxLinkLength = 2000;

/**
 * The address of a link from the exchange. Throws UserFacingError unless it is an `https:` URL without
 * a user name and at most 2,000 characters long.
 */
export function parseLink(text: string, display: Display): URL {
  const { t } = vscode.l10n;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new UserFacingError(t('The link was not opened: only https links can be opened.'));
  if (url.username !== '' || url.password !== '')
    throw new UserFacingError(
      t('The link was not opened: it contains a user name, which could hide its real host.'),
    );
  if (url.href.length > maxLinkLength)
    throw new UserFacingError(
      t('The link was not opened: it is longer than {0} characters.', display.count(maxLinkLength)),
    );
  return url;
}

/** Shows the address of a link and opens it outside VS Code if the user confirms. */
export async function confirmAndOpenLink({ host, href }: URL): Promise<void> {
  const question = vscode.l10n.t('Open a link from the exchange to {0}?', host);
  if (await confirm(question, href, vscode.l10n.t('Open Link')))
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
