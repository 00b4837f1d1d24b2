import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { anAccount, anOrder, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { confirmOnLive, pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

const profile = 'The account of the desk';
const confirmButton = 'Cancel All LIVE Orders';
const hostile = '<img src=x onerror=alert(1)>[x](command:workbench.action.quit)$(trash)\u202eevil';

/** One window: each test continues where the one before it ended. */
describe('the question and the receipt of a cancel-all in a real workbench', () => {
  let server: HostileServer;
  let workbench: Workbench;
  let locks = true;
  let symbol = 'btc_usdt';
  let answerDelete = (response: ServerResponse): void => void response.destroy();

  before(async () => {
    server = await hostileServer(({ method }, response) => {
      if (method === 'DELETE') answerDelete(response);
      else response.end(wire(anAccount({ orders: locks ? [someLocked({ symbol })] : [] })));
    });
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          [profile]: { baseUrl: server.url, environment: 'live', auth: { scheme: 'none' } },
        },
        'marginDesk.defaultProfile': profile,
        // The longest name of a zone: a notification of two lines has room for it.
        'marginDesk.timeZone': 'Asia/Kolkata',
      },
    });
    await showView(page(), 'Margin Desk');
    await accountOpened();
  });
  after(async () => {
    await workbench.close();
    await server.close();
  });

  const page = () => workbench.page;
  const receipt = () => webview(page());
  const dialog = () => page().locator('.monaco-dialog-box');
  const toasts = () => page().locator('.notifications-toasts .notification-list-item:visible');
  const deletes = () => server.requests.filter(({ method }) => method === 'DELETE').length;
  const outcome = (word: string) =>
    receipt().locator('.notice').getByRole('heading', { name: word, exact: true });

  async function accountOpened(): Promise<void> {
    const equity = statusBarItem(page(), 'marginDesk.equity');
    await eventually('an account', async () => (await equity.innerText()).includes('LIVE'));
  }

  async function ask(): Promise<void> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await dialog().waitFor();
  }

  async function cancel(): Promise<void> {
    await clearNotifications(page());
    await runCommand(page(), 'View: Close All Editors');
    await ask();
    await confirmOnLive(page(), confirmButton);
  }

  /** Answers with as many orders as there were, or with fewer than that. */
  function answerWith(status: number, body: string, leaves: boolean): void {
    answerDelete = (response) => {
      locks = leaves;
      response.writeHead(status).end(body);
    };
  }

  const orders = (fields: object = {}): string => {
    const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED' });
    return wire([{ ...order, updatedAt, ...fields }]);
  };

  it('asks with buttons whose names are no “Cancel”; Enter keeps the orders, Escape too', async () => {
    await ask();
    const { buttons } = await readDialog(page());
    assert.deepEqual([...buttons].sort(), [confirmButton, 'Keep Orders', 'Keep Orders']);
    await dialog().locator('.monaco-button:focus').waitFor();
    assert.equal(await dialog().locator('.monaco-button:focus').innerText(), 'Keep Orders');
    for (const key of ['Enter', 'Escape']) {
      await page().keyboard.press(key);
      await dialog().waitFor({ state: 'detached' });
      assert.equal(deletes(), 0);
      if (key === 'Enter') await ask();
    }
  });

  it('treats a press right after the question as accidental, and asks again', async () => {
    answerWith(200, orders(), false);
    // A press that came late was deliberate: then the orders are there again, and the question, too.
    const { before, detail } = await eventually('a question that is asked again', async () => {
      await clearNotifications(page());
      locks = true;
      const sent = deletes();
      await ask();
      await dialog().locator('.dialog-buttons').getByText(confirmButton, { exact: true }).click();
      const isAgain = dialog().getByText('counts as an accidental key');
      await isAgain.waitFor({ timeout: 3000 });
      return { before: sent, detail: (await readDialog(page())).detail };
    });
    assert.match(
      detail,
      /Nothing was sent; please confirm again\.\n\nLocked by open orders now, in 1 symbol:/,
    );
    assert.equal(deletes(), before);
    await pressInDialog(page(), 'Keep Orders');
    assert.equal(deletes(), before);
    locks = true;
  });

  it('opens the receipt of an unknown outcome by itself, and shows the re-checks as they happen', async () => {
    answerDelete = (response) => void response.destroy();
    await cancel();
    const toast = notification(page(), 'Result unknown.');
    await toast.waitFor();
    await outcome('unknown').waitFor();
    const message = toast.locator('.notification-list-item-message');
    const lines = await message.evaluate(
      (element) => element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
    );
    assert.ok(lines < 2.5, `${lines} lines`);
    assert.ok(await toast.getByText('Show Receipt').isVisible());
    const checks = receipt().locator('.checks > div');
    await eventually('four checks', async () => (await checks.count()) === 4);
    assert.match(await checks.last().innerText(), /15 s\s+pending/i);
    assert.deepEqual(await findingsIn(page()), []);
    await receipt().getByText('Still locked after 15 s: btc_usdt: Buy 2 · 100 locked.').waitFor();
    assert.equal(await receipt().locator('[data-state=pending]').count(), 0);
    assert.doesNotMatch(await receipt().locator('body').innerText(), /pending/i);
    assert.equal(await toasts().count(), 1);
    // Each re-check is over: the toast may announce none.
    assert.match(
      await toasts().locator('.notification-list-item-message').innerText(),
      /: Result unknown\. (?:The request was sent once and not retried|Still locked after 15 s)\.$/,
    );
  });

  const outcomes: readonly [word: string, status: number, body: string, leaves: boolean][] = [
    ['partial', 200, orders(), true],
    ['refused', 403, '{"message":"no permission"}', true],
    ['unknown', 502, '<html>', true],
    ['done', 200, orders({ price: '1.10E-7' }), false],
  ];
  for (const [word, status, body, leaves] of outcomes)
    it(`shows the outcome: ${word}`, async () => {
      answerWith(status, body, leaves);
      await cancel();
      const toast = toasts().filter({ hasText: 'LIVE · ' }).first();
      // A toast that still moves may miss the press: then it is pressed again, as its user does.
      await eventually('the receipt', async () => {
        if ((await toast.count()) > 0)
          await toast.getByText('Show Receipt').click({ timeout: 3000 });
        await outcome(word).waitFor({ timeout: 8000 });
        return true;
      });
      assert.deepEqual(await findingsIn(page()), []);
    });

  it('has every field of the returned orders, and is copied as Markdown', async () => {
    const cells = await receipt().getByRole('gridcell').allInnerTexts();
    for (const text of ['0.00000011', '49,999.5', 'Cancelled'])
      assert.ok(cells.includes(text), text);
    const clipboard = () => page().evaluate(() => navigator.clipboard.readText());
    await receipt().getByRole('columnheader', { name: 'Price' }).first().click();
    await page().keyboard.press('Control+A');
    await page().keyboard.press('Control+Shift+C');
    await receipt().getByText('Copied 1 row', { exact: true }).first().waitFor();
    assert.match(await clipboard(), /^Updated at\t[^]*\t1\.10E-7\t[^]*\t49999\.5\t/);
    await receipt().getByRole('button', { name: 'Copy as Markdown' }).click();
    await receipt().getByText('Copied', { exact: true }).waitFor();
    const markdown = await clipboard();
    assert.match(markdown, /^# Cancel-all receipt\n\nLIVE · .*\n\n\*\*done\*\*\n/);
    assert.match(markdown, /\| 0\.00000011 \|/);
  });

  it('hides figures while privacy mode is on', async () => {
    await receipt().getByRole('gridcell', { name: '49,999.5' }).waitFor();
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await receipt().getByRole('cell', { name: 'hidden' }).first().waitFor();
    assert.doesNotMatch(await receipt().locator('body').innerText(), /Buy 2|100 locked/);
    assert.deepEqual(await findingsIn(page()), []);
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await receipt().locator('table').getByText('•••').first().waitFor({ state: 'detached' });
  });

  it('draws nothing that the exchange wrote but its text', async () => {
    symbol = hostile;
    locks = true;
    answerWith(200, orders({ status: hostile, clientOrderId: hostile }), true);
    await cancel();
    await toasts().getByText('Show Receipt').first().click();
    await receipt().getByText('onerror=alert').first().waitFor();
    assert.equal(await receipt().locator('main :is(img, a, script)').count(), 0);
    assert.doesNotMatch(await receipt().locator('body').innerText(), /\u202e/);
  });

  it('has no accessibility finding in Default High Contrast Light', async () => {
    await useTheme(workbench, 'Default High Contrast Light');
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('shows that nothing was sent, and is listed with the others', async () => {
    await server.close();
    await cancel();
    await toasts().getByText('Show Receipt').first().click();
    await outcome('not sent').waitFor();
    const { rows, widget } = quickInput(page());
    const listed = rows.locator('.quick-input-list-icon');
    // The page of a receipt may take the focus late and close the list: then its user opens it again.
    await eventually(
      'the receipts',
      async () => {
        if (!(await widget.isVisible()))
          await runCommand(page(), 'Margin Desk: Show Cancel-All Receipts…');
        return (await listed.count()) >= 3;
      },
      { deadlineMs: 60_000 },
    );
    const icons = await listed.evaluateAll((found) =>
      found.map((icon) => /codicon-(?!modifier)[\w-]+/.exec(icon.getAttribute('class') ?? '')?.[0]),
    );
    assert.deepEqual(icons.slice(0, 3), [
      'codicon-circle-slash',
      'codicon-warning',
      'codicon-pass',
    ]);
    await page().keyboard.press('Escape');
  });
});
