import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AccountSession } from '../../src/account/session/accountSession.ts';
import type { AccountState } from '../../src/account/session/accountStore.ts';
import type { Profile } from '../../src/account/session/profile.ts';
import { autoConventions } from '../../src/exchange/history/apiConventions.ts';
import { defaultSignedOperations } from '../../src/api/operations.ts';
import type { TestAccess } from '../../src/extension.ts';
import type { App } from '../../src/host/app.ts';
import type { ConnectionDetails } from '../../src/host/profiles/credentials.ts';
import type { AccountTree } from '../../src/host/trees/accountTree.ts';
import type { AccountNode } from '../../src/host/trees/treeRow.ts';
import { aProfile } from './builders.ts';
import { eventually } from './eventually.ts';
import { markedCredentials } from './exchangeClient.ts';

/** The activated extension, as only a test run may see it. */
export async function extensionUnderTest(): Promise<TestAccess> {
  const extension = vscode.extensions.getExtension<TestAccess | undefined>(
    'margin-desk.margin-desk',
  );
  return (await extension?.activate()) ?? assert.fail('the extension gave no test access');
}

/** Called in a `describe`: the activated extension for its tests. */
export function activatedExtension(): TestAccess {
  let activated: TestAccess | undefined;
  before(async () => {
    activated = await extensionUnderTest();
  });
  const access = (): TestAccess => activated ?? assert.fail('the extension is not active yet');
  return {
    get app() {
      return access().app;
    },
    get context() {
      return access().context;
    },
  };
}

/** An account at `url` with marked credentials, as a test opens it. */
export function loginAt(url: string, fields: Partial<Profile> = {}): ConnectionDetails {
  const own = { baseUrl: url, sign: defaultSignedOperations, dialect: autoConventions };
  const profile = aProfile({ ...own, ...fields });
  return { profile, credentials: markedCredentials };
}

/** Opens an account that no profile in the settings has. */
export function openSession(app: App, details: ConnectionDetails): Promise<AccountSession> {
  const { active, connection } = app;
  return active.open(details.profile.name, () =>
    Promise.resolve(connection.createSession(details)),
  );
}

/** Opens an account at `url` with marked credentials and waits until its first read has ended. */
export async function openAt(
  { app }: TestAccess,
  url: string,
  fields: Partial<Profile> = {},
): Promise<AccountState> {
  const { store } = await openSession(app, loginAt(url, fields));
  await eventually('the first read to end', () => store.state.snapshot ?? store.state.failure);
  return store.state;
}

/** Privacy mode is on while `work` runs, and forgotten after it. */
export async function inPrivacy(access: TestAccess, work: () => unknown): Promise<void> {
  const { display } = access.app;
  await display.togglePrivacy();
  try {
    await work();
  } finally {
    if (display.current.settings.hidesMoney) await display.togglePrivacy();
    await access.context.globalState.update('marginDesk.hidesMoney', undefined);
  }
}

/** The nodes of a view without those above its records. */
export function recordNodes(tree: AccountTree, below?: AccountNode): AccountNode[] {
  return tree.getChildren(below).filter(({ kind }) => kind !== 'head');
}

/** The rows of a view as they are drawn, or the fields below one of them. */
export function drawn(tree: AccountTree, below?: AccountNode): vscode.TreeItem[] {
  return recordNodes(tree, below).map((node) => drawnNode(tree, node));
}

/** A row or field with the hover that it would get. */
export function drawnNode(tree: AccountTree, node: AccountNode): vscode.TreeItem {
  return Object.assign(tree.getTreeItem(node), { tooltip: tree.hover(node) });
}

/** The rows of the Positions view. */
export function positionRows({ app }: TestAccess): vscode.TreeItem[] {
  return drawn(app.positions);
}

/** The text of a hover, line by line; a line of its table is `label: value`. */
export function hoverText(tooltip: vscode.TreeItem['tooltip']): string {
  const markdown = tooltip instanceof vscode.MarkdownString ? tooltip.value : (tooltip ?? '');
  return markdown
    .replace(/^\| :-- .*\n/m, '')
    .replace(/^\| (.*) \| (.*) \|$/gm, '$1: $2')
    .replace(/\n+/g, '\n')
    .replaceAll('&nbsp;', ' ')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\\', '');
}
