import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { weightIn } from '../support/hostileExchange/limit.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { hostileExchange, type HostileExchange } from '../support/hostileExchange.ts';
import { changeSettings } from '../support/userSettings.ts';
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
import { showView } from '../support/workbench/tree.ts';
import { webview, webviewFocused } from '../support/workbench/webview.ts';

const limit = 1000;
const windowSeconds = 10;
const typing = 'Type Profile Name…';

/** One window: each test continues where the one before it ended. */
describe('cancel-all in a real workbench', () => {
  let exchange: HostileExchange;
  let workbench: Workbench;
  let isDown = false;
  let isLimitUsed = false;
  let asksForPause = false;

  before(async () => {
    const inSeconds = `"interval":"SECOND","intervalNum":${windowSeconds}`;
    exchange = await hostileExchange({
      openOrders: rowsOf('orders', 2),
      faults: [
        {
          on: 'cancelAll',
          from: 5,
          times: 1,
          beforeActing: true,
          fault: { kind: 'resetBeforeHeaders' },
        },
      ],
      rateLimits: `[{"rateLimitType":"HARD_LIMIT",${inSeconds},"limit":${limit}}]`,
      usedWeightHeader: 'x-used-weight',
      othersWeight: () => (isLimitUsed ? limit - ownWeight() : 0),
      faultOf: ({ operation }) => {
        if (operation !== 'accounts') return undefined;
        if (asksForPause) return { kind: 'status', status: 429, headers: { 'retry-after': '60' } };
        return isDown
          ? { kind: 'status', status: 500, body: '{"message":"maintenance"}' }
          : undefined;
      },
    });
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          Normal: { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' } },
        },
        'marginDesk.defaultProfile': 'Normal',
        'marginDesk.pollSeconds.focused': 600,
        'marginDesk.pollSeconds.unfocused': 600,
      },
    });
    await showView(page(), 'Margin Desk');
    await accountOpened();
    await page().getByText('Buy 2 ·').waitFor();
    isDown = true;
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const ownWeight = (windowMs = 60_000): number =>
    weightIn(exchange.requests, windowMs, performance.now());
  const deletes = () => exchange.seen('cancelAll').length;

  /** The outcome in the receipt in front. */
  const receipt = (word: string) =>
    webview(page()).locator('.notice').getByRole('heading', { name: word, exact: true });

  /** Waits until the command can be run. */
  async function accountOpened(): Promise<void> {
    const equity = statusBarItem(page(), 'marginDesk.equity');
    await eventually('an account', async () => (await equity.innerText()).includes('LIVE'));
  }

  async function press(confirm = 'Cancel All LIVE Orders'): Promise<string> {
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

  it('asks with the last figures, and sends once it is confirmed', async () => {
    const detail = await press();
    assert.match(
      detail,
      /^The account cannot be read \([^)]+\)\. Last figures: \d\d:\d\d:\d\d UTC[^,]*, \d+ s old:\nbtc_usdt: Buy 2 .*\nTotal locked: 100 usdt\nSend cancel-all anyway\?$/m,
    );
    await pressInDialog(page(), 'Keep Orders');
    assert.equal(deletes(), 0);
    await press();
    await confirmOnLive(page(), 'Cancel All LIVE Orders');
    const toast = notification(
      page(),
      '2 orders cancelled. What is still locked could not be read',
    );
    await toast.waitFor();
    assert.deepEqual([deletes(), exchange.openOrders.length], [1, 0]);
    await clearNotifications(page());
  });

  it('says when a limit that others used up has room again, and sends then', async () => {
    isDown = false;
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    const windowMs = (windowSeconds + 1) * 1000;
    await eventually('a limit of which nothing is used', () => ownWeight(windowMs) === 0, {
      deadlineMs: 3 * windowMs,
    });
    isLimitUsed = true;
    const detail = await press();
    assert.match(
      detail,
      /^The exchange’s limit is used up\. The request can be sent at \d\d:\d\d:\d\d UTC[^(]*\(in \d+ s\)\.$/m,
    );
    isLimitUsed = false;
    await confirmOnLive(page(), 'Cancel All LIVE Orders');
    const waiting = notification(page(), 'The request is sent at');
    await waiting.getByRole('button', { name: 'Do Not Send' }).waitFor();
    assert.equal(deletes(), 1);
    await eventually('the request', () => exchange.openOrders.length === 0, {
      deadlineMs: (windowSeconds + 10) * 1000,
    });
    assert.equal(deletes(), 2);
    await pressInNotification(notification(page(), '2 orders cancelled.'), 'Show Receipt');
    await receipt('done').waitFor();
    await clearNotifications(page());
  });

  it('asks after a reload, when nothing was read yet; the profile name is typed', async () => {
    isDown = true;
    const confirmByTyping = { 'marginDesk.confirmByTyping': true };
    await changeSettings(path.join(workbench.dataDir, 'data/User'), confirmByTyping);
    await reloadWindow(page());
    await accountOpened();
    await receipt('done').waitFor();
    const detail = await press(typing);
    assert.match(detail, /Last figures: nothing was read yet\. Send cancel-all anyway\?$/m);
    await typeName();
    await notification(
      page(),
      'The exchange returned no order. What is still locked could not be read',
    ).waitFor();
    assert.equal(deletes(), 3);
    isDown = false;
    await clearNotifications(page());
  });

  it('is done: one request is sent, and its receipt is shown', async () => {
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    // The question may share a read of the last two seconds, a re-check of the request before: then its user asks again.
    await eventually('the orders in the question', async () => {
      const detail = await press(typing);
      if (/^Locked by open orders now, in 1 symbol:\nbtc_usdt: Buy 2/m.test(detail)) return true;
      await pressInDialog(page(), 'Keep Orders');
      return false;
    });
    await typeName();
    const toast = notification(page(), '2 orders cancelled. Nothing is locked now.');
    await toast.waitFor();
    await pressInNotification(toast, 'Show Receipt');
    await webview(page()).getByRole('heading', { name: 'Cancel-all receipt' }).waitFor();
    await webviewFocused(page());
    assert.equal(deletes(), 4);
    await clearNotifications(page());
  });

  it('is unknown: an error that stays until it is dismissed, and three more reads', async () => {
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    await press(typing);
    const reads = exchange.seen('accounts').length;
    await typeName();
    const toast = notification(
      page(),
      'Result unknown. The request was sent once and not retried.',
    );
    await toast.waitFor();
    await webview(page())
      .getByText(/^Still locked.*: btc_usdt: Buy 2/)
      .waitFor();
    // The first of these four is before the notification.
    await eventually('three more reads', () => exchange.seen('accounts').length >= reads + 4, {
      deadlineMs: 30_000,
    });
    assert.ok(await toast.isVisible());
    assert.equal(deletes(), 5);
    assert.equal(exchange.openOrders.length, 2);
    await clearNotifications(page());
  });

  it('lists its receipts, newest first', async () => {
    const { rows, widget } = quickInput(page());
    // The page of a receipt may take the focus late and close the list: then its user opens it again.
    await eventually(
      'the receipts',
      async () => {
        if (!(await widget.isVisible()))
          await runCommand(page(), 'Margin Desk: Show Cancel-All Receipts…');
        return (await rows.count()) === deletes();
      },
      { deadlineMs: 60_000 },
    );
    const spoken = await rows.evaluateAll((found) =>
      found.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    assert.match(spoken[0] ?? '', /LIVE · Normal · unknown,/);
    assert.match(spoken[1] ?? '', /LIVE · Normal · done,/);
    await page().keyboard.press('Escape');
    const storage = path.join(workbench.dataDir, 'data/User/globalStorage');
    const files = await readdir(path.join(storage, 'margin-desk.margin-desk/receipts'));
    assert.equal(files.length, deletes());
  });

  it('asks in a pause of the exchange, and sends at once', async () => {
    asksForPause = true;
    await runCommand(page(), 'Margin Desk: Refresh Account');
    await page().getByText('(HTTP 429). Try again in').first().waitFor();
    // The last read of the account is shared for two seconds.
    const detail = await eventually('a question without current figures', async () => {
      const text = await press(typing);
      if (text.includes('cannot be read')) return text;
      await pressInDialog(page(), 'Keep Orders');
      return undefined;
    });
    assert.match(detail, /\(the exchange asked for a pause\)\. Last figures: /);
    await typeName();
    await notification(
      page(),
      '2 orders cancelled. What is still locked could not be read',
    ).waitFor();
    assert.deepEqual([deletes(), exchange.openOrders.length], [6, 0]);
  });
});
