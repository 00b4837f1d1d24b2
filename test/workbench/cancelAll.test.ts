import assert from 'node:assert/strict';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { hostileExchange, type HostileExchange } from '../support/hostileExchange.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/project.ts';
import { changeSettings } from '../support/userSettings.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { reloadWindow, runCommand } from '../support/workbench/commands.ts';
import { confirmOnLive, pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import {
  clearNotifications,
  notification,
  pressInNotification,
} from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { answer, quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { restrictedMode, trustFolder } from '../support/workbench/trust.ts';
import { webview } from '../support/workbench/webview.ts';

const confirmButton = 'Cancel All LIVE Orders';
const typing = 'Type Profile Name…';

/** One window, in a folder whose settings name an account elsewhere: each test goes on where the one before it ended. */
describe('cancel-all in a real workbench', () => {
  let exchange: HostileExchange;
  let thief: HostileServer;
  let folder: TemporaryFolder;
  let workbench: Workbench;
  let isDown = false;

  before(async () => {
    exchange = await hostileExchange({
      openOrders: rowsOf('orders', 2),
      faults: [
        {
          ...{ on: 'cancelAll', from: 4, times: 1, beforeActing: true },
          fault: { kind: 'resetBeforeHeaders' },
        },
      ],
      faultOf: ({ operation }) =>
        operation === 'accounts' && isDown
          ? { kind: 'status', status: 500, body: '{"message":"maintenance"}' }
          : undefined,
    });
    thief = await hostileServer((_request, response) => response.writeHead(500).end());
    folder = await temporaryFolder();
    await changeSettings(path.join(folder.path, '.vscode'), {
      'marginDesk.profiles': { Evil: { baseUrl: thief.url, auth: { scheme: 'none' } } },
      'marginDesk.defaultProfile': 'Evil',
    });
    const profile = { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      folder: folder.path,
      asksForTrust: true,
      settings: {
        'marginDesk.profiles': { Normal: profile },
        'marginDesk.defaultProfile': 'Normal',
        'marginDesk.pollSeconds.focused': 600,
        'marginDesk.pollSeconds.unfocused': 600,
        // The longest name of a zone: a notification of two lines has room for it.
        'marginDesk.timeZone': 'Asia/Kolkata',
      },
    });
    await accountOpened();
  });
  after(async () => {
    await workbench.close();
    await folder.remove();
    await exchange.close();
    await thief.close();
  });

  const page = () => workbench.page;
  const dialog = () => page().locator('.monaco-dialog-box');
  const receipt = () => webview(page());
  const deletes = () => exchange.seen('cancelAll').length;
  const outcome = (word: string) =>
    receipt().locator('.notice').getByRole('heading', { name: word, exact: true });

  /** Waits until the command can be run. */
  async function accountOpened(): Promise<void> {
    const equity = statusBarItem(page(), 'marginDesk.equity');
    await eventually('an account', async () => (await equity.innerText()).includes('LIVE'));
  }

  async function ask(confirm = confirmButton): Promise<string> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    const { message, detail, buttons } = await readDialog(page());
    assert.equal(message, 'LIVE · Normal — cancel ALL open orders for real?');
    const close = confirm === typing ? [] : ['Keep Orders'];
    assert.deepEqual([...buttons].sort(), [confirm, 'Keep Orders', ...close].sort());
    return detail;
  }

  async function typeName(): Promise<void> {
    await pressInDialog(page(), typing);
    await answer(page(), 'normal');
    await quickInput(page()).message.getByText('exactly as shown').waitFor();
    await answer(page(), 'Normal');
  }

  it('sends nothing while the folder is not trusted, and never anything to an address of the folder', async () => {
    await restrictedMode(page()).waitFor();
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await notification(page(), 'Nothing was sent: this folder is not trusted.').waitFor();
    assert.equal(await dialog().count(), 0);
    await clearNotifications(page());
    await trustFolder(page());
    await runCommand(page(), 'Margin Desk: Switch Profile…');
    const { rows, widget } = quickInput(page());
    await rows.filter({ hasText: 'Practice' }).waitFor();
    assert.doesNotMatch((await rows.allInnerTexts()).join('\n'), /Evil/);
    await page().keyboard.press('Escape');
    await widget.waitFor({ state: 'hidden' });
    await runCommand(page(), 'View: Close All Editors');
    assert.deepEqual([thief.requests.length, deletes()], [0, 0]);
  });

  it('asks with the last figures; Enter and Escape keep the orders, and one request is sent once confirmed', async () => {
    isDown = true;
    const lastFigures =
      /^The account cannot be read \([^)]+\)\. Last figures: \d\d:\d\d:\d\d [^,]*, \d+ s old:\nbtc_usdt: Buy 2 .*\nTotal locked: 100 usdt\nSend cancel-all anyway\?$/m;
    for (const key of ['Enter', 'Escape']) {
      assert.match(await ask(), lastFigures);
      await dialog().locator('.monaco-button:focus', { hasText: 'Keep Orders' }).waitFor();
      await page().keyboard.press(key);
      await dialog().waitFor({ state: 'detached' });
    }
    assert.equal(deletes(), 0);
    await ask();
    await confirmOnLive(page(), confirmButton);
    const unread = '2 orders cancelled. What is still locked could not be read';
    await notification(page(), unread).waitFor();
    assert.deepEqual([deletes(), exchange.openOrders.length], [1, 0]);
    await clearNotifications(page());
  });

  it('asks after a reload, when nothing was read yet; the profile name is typed', async () => {
    const confirmByTyping = { 'marginDesk.confirmByTyping': true };
    await changeSettings(path.join(workbench.dataDir, 'data/User'), confirmByTyping);
    await reloadWindow(page());
    await accountOpened();
    const detail = await ask(typing);
    assert.match(detail, /Last figures: nothing was read yet\. Send cancel-all anyway\?$/m);
    await typeName();
    const none = 'The exchange returned no order. What is still locked could not be read';
    await notification(page(), none).waitFor();
    assert.equal(deletes(), 2);
    isDown = false;
    await clearNotifications(page());
  });

  it('is done: one request is sent, and its receipt is shown', async () => {
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    // The question may share a read of the last two seconds, a re-check of the request before: then its user asks again.
    await eventually('the orders in the question', async () => {
      const detail = await ask(typing);
      if (/^Locked by open orders now, in 1 symbol:\nbtc_usdt: Buy 2/m.test(detail)) return true;
      await pressInDialog(page(), 'Keep Orders');
      return false;
    });
    await typeName();
    const toast = notification(page(), '2 orders cancelled. Nothing is locked now.');
    await toast.waitFor();
    await pressInNotification(toast, 'Show Receipt');
    await outcome('done').waitFor();
    assert.deepEqual([deletes(), exchange.openOrders.length], [3, 0]);
    assert.deepEqual(await findingsIn(page()), []);
    await clearNotifications(page());
    await runCommand(page(), 'View: Close All Editors');
  });

  it('is unknown: an error that stays, and a receipt that opens by itself and shows each re-check', async () => {
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    await ask(typing);
    await typeName();
    const sentOnce = 'Result unknown. The request was sent once and not retried.';
    const toast = notification(page(), sentOnce);
    await toast.waitFor();
    await outcome('unknown').waitFor();
    const message = toast.locator('.notification-list-item-message');
    const lines = await message.evaluate(
      (element) => element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    assert.ok(lines < 2.5, `${lines} lines`);
    const checks = receipt().locator('.checks > div');
    await eventually('four checks', async () => (await checks.count()) === 4);
    assert.match(await checks.last().innerText(), /15 s\s+pending/i);
    await receipt()
      .getByText(/^Still locked after 15 s: btc_usdt: Buy 2/)
      .waitFor();
    assert.equal(await receipt().locator('[data-state=pending]').count(), 0);
    assert.ok(await notification(page(), 'Result unknown.').isVisible());
    assert.deepEqual([deletes(), exchange.openOrders.length], [4, 2]);
    assert.deepEqual(thief.requests, []);
    await clearNotifications(page());
  });
});
