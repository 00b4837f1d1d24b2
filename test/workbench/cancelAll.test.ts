import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { hostileExchange, type HostileExchange } from '../support/hostileExchange.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import {
  clearNotifications,
  notification,
  pressInNotification,
} from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { answer, quickInput } from '../support/workbench/quickInput.ts';
import { showView } from '../support/workbench/tree.ts';

/** What a person sees of a cancel-all whose DELETE is cut: first it acted, then it did not. */
describe('a cancel-all in a real workbench', () => {
  let exchange: HostileExchange;
  let workbench: Workbench;

  before(async () => {
    exchange = await hostileExchange({
      openOrders: rowsOf('orders', 2),
      faults: [
        {
          on: 'cancelAll',
          from: 2,
          times: 1,
          beforeActing: true,
          fault: { kind: 'resetBeforeHeaders' },
        },
      ],
    });
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          Main: { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' } },
        },
        'marginDesk.defaultProfile': 'Main',
        'marginDesk.confirmByTyping': true,
      },
    });
    await showView(page(), 'Margin Desk');
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;

  async function cancelByTyping(): Promise<string> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    const { detail } = await readDialog(page());
    await pressInDialog(page(), 'Type Profile Name…');
    await quickInput(page()).input.waitFor();
    await answer(page(), 'main');
    await quickInput(page()).message.getByText('exactly as shown').waitFor();
    await answer(page(), 'Main');
    return detail;
  }

  it('is done: the name is typed, one request leaves, and its receipt is shown', async () => {
    const detail = await cancelByTyping();
    assert.match(detail, /^Locked by open orders now:\nbtc_usdt: Buy 2/);
    const toast = notification(page(), '2 orders cancelled. Nothing is locked now.');
    await toast.waitFor();
    await pressInNotification(toast, 'Show Receipt');
    await page().locator('.view-line', { hasText: 'Cancel-all receipt' }).first().waitFor();
    assert.equal(exchange.seen('cancelAll').length, 1);
    await clearNotifications(page());
  });

  it('is unknown: an error that stays until it is dismissed, re-checked three times', async () => {
    for (const order of rowsOf('orders', 2)) exchange.place(order);
    const reads = exchange.seen('accounts').length;
    await cancelByTyping();
    const toast = notification(
      page(),
      'Result unknown. The request was sent once and not retried.',
    );
    await toast.waitFor();
    assert.match(await toast.innerText(), /Still locked: btc_usdt: Buy 2 · [\d,.]+ locked\./);
    await eventually('three more reads', () => exchange.seen('accounts').length >= reads + 5, {
      deadlineMs: 30_000,
    });
    assert.ok(await toast.isVisible());
    assert.equal(exchange.seen('cancelAll').length, 2);
    assert.equal(exchange.openOrders.length, 2);
    await clearNotifications(page());
  });

  it('lists its receipts, newest first', async () => {
    await runCommand(page(), 'Margin Desk: Show Cancel-All Receipts');
    const { rows } = quickInput(page());
    await eventually('two receipts', async () => (await rows.count()) === 2);
    const spoken = await rows.evaluateAll((found) =>
      found.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    assert.match(spoken[0] ?? '', /Main · LIVE · unknown,/);
    assert.match(spoken[1] ?? '', /Main · LIVE · done,/);
    await page().keyboard.press('Escape');
    const storage = path.join(workbench.dataDir, 'data/User/globalStorage');
    const files = await readdir(path.join(storage, 'margin-desk.margin-desk/receipts'));
    assert.equal(files.length, 2);
  });
});
