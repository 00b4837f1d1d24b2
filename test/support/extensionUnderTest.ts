import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AccountState } from '../../src/account/accountStore.ts';
import type { Profile } from '../../src/account/profile.ts';
import type { TestAccess } from '../../src/extension.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { defaultDialect } from '../../src/exchange/dialect/dialect.ts';
import { eventually } from './eventually.ts';
import { markedCredentials } from './exchangeClient.ts';

/** The activated extension, as only a test run may see it. */
export async function extensionUnderTest(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>(
    'margin-desk.margin-desk',
  );
  return (await extension?.activate()) ?? assert.fail('the extension gave no test access');
}

/** Opens an account at `url` with marked credentials and waits until its first read has ended. */
export async function openAt(
  { app }: TestAccess,
  url: string,
  fields: Partial<Profile> = {},
): Promise<AccountState> {
  const profile: Profile = {
    name: 'Mine',
    environment: 'test',
    baseUrl: url,
    auth: defaultHmacQuery,
    dialect: defaultDialect,
    ...fields,
  };
  const { store } = await app.accounts.use({ profile, credentials: markedCredentials });
  await eventually('the first read to end', () => store.state.snapshot ?? store.state.failure);
  return store.state;
}

/** The rows of the Positions view as they are drawn. */
export function positionRows({ app }: TestAccess): vscode.TreeItem[] {
  return app.positions.getChildren().map((node) => app.positions.getTreeItem(node));
}

/** The text of a hover. */
export function hoverText(tooltip: vscode.TreeItem['tooltip']): string {
  const markdown = tooltip instanceof vscode.MarkdownString ? tooltip.value : (tooltip ?? '');
  return markdown.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
}
