import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { anAccount, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { screenshot } from '../support/workbench/appearance.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { pick } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView } from '../support/workbench/tree.ts';

/** One window: each test goes on where the one before it ended. */
describe('a cancel-all that may not be sent, in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;

  before(async () => {
    exchange = await hostileServer(({ url = '' }, response) => {
      if (!url.startsWith('/api/v1/accounts')) response.writeHead(404).end();
      else response.end(wire(anAccount({ orders: [someLocked()] })));
    });
    const profile = { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      asksForTrust: true,
      settings: {
        'marginDesk.profiles': { Main: profile, Looking: { ...profile, readOnly: true } },
        'marginDesk.defaultProfile': 'Main',
      },
    });
    await showView(page(), 'Margin Desk');
    await equityShown();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const restricted = () => page().locator('.statusbar-item', { hasText: 'Restricted Mode' });

  async function equityShown(): Promise<void> {
    const equity = statusBarItem(page(), 'marginDesk.equity');
    await eventually('equity', async () => (await equity.innerText()).includes('LIVE 12,012'));
  }

  /** Again where a focus that came late closed the palette under the press. */
  function pressUntil(answer: Locator): Promise<boolean> {
    const press = async (): Promise<true> => {
      await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
      await answer.waitFor({ timeout: 10_000 });
      return true;
    };
    return eventually('an answer', press, { deadlineMs: 45_000 });
  }

  /** Presses it, waits for the sentence, and sees that nobody was asked and nothing was sent. */
  async function isRefused(sentence: string, picture: string): Promise<void> {
    await pressUntil(notification(page(), sentence));
    await screenshot(page(), picture);
    assert.equal(await page().locator('.monaco-dialog-box').count(), 0);
    assert.ok(exchange.requests.length > 0);
    assert.ok(exchange.requests.every(({ method }) => method === 'GET'));
    await clearNotifications(page());
  }

  it('says so in a folder that is not trusted', async () => {
    await restricted().waitFor();
    await isRefused('Nothing was sent: this folder is not trusted.', 'cancel-all-untrusted');
  });

  it('says so of a profile that is read-only, once the folder is trusted', async () => {
    await runCommand(page(), 'Workspaces: Manage Workspace Trust');
    const editor = page().locator('.workspace-trust-editor');
    await editor.locator('.monaco-button', { hasText: /^Trust$/ }).click();
    await restricted().waitFor({ state: 'detached' });
    await runCommand(page(), 'Margin Desk: Switch Profile');
    await pick(page(), 'Looking');
    await page().locator('.pane-header', { hasText: 'Looking · LIVE' }).first().waitFor();
    await equityShown();
    await isRefused('Nothing was sent: the profile Looking is read-only', 'cancel-all-read-only');
  });

  it('asks where neither is so', async () => {
    await runCommand(page(), 'Margin Desk: Switch Profile');
    await pick(page(), 'Main');
    await page().locator('.pane-header', { hasText: 'Main · LIVE' }).first().waitFor();
    await equityShown();
    await pressUntil(page().locator('.monaco-dialog-box'));
    assert.equal((await readDialog(page())).message, 'Cancel every open order of Main (LIVE)?');
    await pressInDialog(page(), 'Keep Orders');
  });
});
