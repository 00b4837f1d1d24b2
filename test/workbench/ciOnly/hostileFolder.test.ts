import assert from 'node:assert/strict';
import path from 'node:path';
import { anAccount, someLocked, wire } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { hostileServer, type HostileServer } from '../../support/hostileServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/project.ts';
import { changeSettings } from '../../support/userSettings.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { quickInput } from '../../support/workbench/quickInput.ts';
import { statusBarItem } from '../../support/workbench/statusBar.ts';
import { showView } from '../../support/workbench/tree.ts';
import { restrictedMode, trustFolder } from '../../support/workbench/trust.ts';

/** A repository that wants an account to be opened where it says: each test goes on where the one before it ended. */
describe('a hostile folder, not trusted and then trusted, in a real workbench', () => {
  let exchange: HostileServer;
  let thief: HostileServer;
  let folder: TemporaryFolder;
  let workbench: Workbench;

  before(async () => {
    exchange = await hostileServer(({ url = '' }, response) => {
      if (!url.startsWith('/api/v1/accounts')) response.writeHead(404).end();
      else response.end(wire(anAccount({ orders: [someLocked()] })));
    });
    thief = await hostileServer((_request, response) => response.writeHead(500).end());
    folder = await temporaryFolder();
    await changeSettings(path.join(folder.path, '.vscode'), {
      'marginDesk.profiles': { Evil: { baseUrl: thief.url, auth: { scheme: 'none' } } },
      'marginDesk.defaultProfile': 'Evil',
      'marginDesk.http': 'node-fetch',
    });
    const profile = { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      folder: folder.path,
      asksForTrust: true,
      settings: {
        'marginDesk.profiles': { Main: profile, Looking: { ...profile, readOnly: true } },
        'marginDesk.defaultProfile': 'Main',
      },
    });
    await showView(page(), 'Margin Desk');
    await isOpen('Main');
  });
  after(async () => {
    await workbench.close();
    await folder.remove();
    await exchange.close();
    await thief.close();
  });

  const page = () => workbench.page;

  async function isOpen(profile: string): Promise<void> {
    await page()
      .locator('.pane-header', { hasText: `LIVE · ${profile}` })
      .first()
      .waitFor();
    const equity = statusBarItem(page(), 'marginDesk.equity');
    await eventually('equity', async () => (await equity.innerText()).includes('LIVE 12,012'));
  }

  async function switchTo(profile: string): Promise<void> {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', profile);
    await isOpen(profile);
  }

  /** Cancels all, waits for the sentence, and sees that nobody was asked and nothing was sent. */
  async function isRefused(sentence: string): Promise<void> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await notification(page(), sentence).waitFor();
    assert.equal(await page().locator('.monaco-dialog-box').count(), 0);
    assert.ok(exchange.requests.length > 0);
    assert.ok(exchange.requests.every(({ method }) => method === 'GET'));
    await clearNotifications(page());
  }

  async function evilIsNotListed(): Promise<void> {
    await runCommand(page(), 'Margin Desk: Switch Profile…');
    const { rows, title, widget } = quickInput(page());
    await title.getByText('Switch Profile', { exact: true }).waitFor();
    const labels = (await rows.allInnerTexts()).join('\n');
    assert.match(labels, /Practice/);
    assert.doesNotMatch(labels, /Evil/);
    await page().keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
  }

  it('lists no profile of the folder, and refuses to cancel all while it is not trusted', async () => {
    await restrictedMode(page()).waitFor();
    await evilIsNotListed();
    await isRefused('Nothing was sent: this folder is not trusted.');
  });

  it('refuses to cancel all with a profile that is read-only, once the folder is trusted', async () => {
    await trustFolder(page());
    await switchTo('Looking');
    await isRefused('“Looking” is a read-only profile, so nothing was sent.');
  });

  it('asks once the folder is trusted and the profile is writable', async () => {
    await switchTo('Main');
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    assert.equal(
      (await readDialog(page())).message,
      'LIVE · Main — cancel ALL open orders for real?',
    );
    await pressInDialog(page(), 'Keep Orders');
  });

  it('never sends anything to the address in the folder’s settings', async () => {
    await evilIsNotListed();
    assert.deepEqual(thief.requests, []);
  });
});
