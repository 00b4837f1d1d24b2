import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { screenshot, useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { reloadWindow, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { readOutput } from '../support/workbench/output.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { readRows, showView, treeMessage, treeRows } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window from its first minute on: each test goes on where the one before it ended. */
describe('the packaged extension in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      browser: { viewport: { width: 1440, height: 900 } },
      settings: { 'marginDesk.timeZone': 'UTC' },
    });
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const equity = () => statusBarItem(page(), 'marginDesk.equity');
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const range = () => panel().locator('.range');
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();

  /** The shown texts of one column, by its heading. */
  async function column(heading: string): Promise<string[]> {
    const headings = await grid().getByRole('columnheader').allInnerTexts();
    const index = headings.map((text) => text.trim()).indexOf(heading);
    assert.ok(index >= 0, `${heading} among ${headings.join()}`);
    return grid()
      .locator(`[role="gridcell"][aria-colindex="${index + 1}"]`)
      .allInnerTexts();
  }

  /** Waits until the rows are those of `expected`, such as `rows 1–20 of`. */
  async function rowsShown(expected: RegExp): Promise<string> {
    await eventually(`the range ${String(expected)}`, async () =>
      expected.test(await range().innerText()),
    );
    await eventually('the rows', async () => (await grid().getAttribute('aria-busy')) !== 'true');
    return range().innerText();
  }

  it('tells a fresh window how to begin', async () => {
    await showView(page(), 'Margin Desk');
    for (const name of ['Try the Practice Exchange', 'Add a Profile'])
      await page().locator('.welcome-view-content .monaco-button', { hasText: name }).waitFor();
    await screenshot(page(), 'welcome');
    assert.equal(await equity().count(), 0);
  });

  it('goes from the palette to equity and positions on the screen within a minute', async () => {
    const startedAt = performance.now();
    await runCommand(page(), 'Margin Desk: Try the Practice Exchange');
    const text = await eventually(
      'equity in the status bar',
      async () => /PRACTICE [\d,]+\.\d\d usdt/.exec(await equity().innerText())?.[0],
      { deadlineMs: 60_000 },
    );
    await treeRows(page(), 'Positions').first().waitFor();
    assert.ok(performance.now() - startedAt < 60_000);
    assert.match(text, /^PRACTICE /);
    const rows = await readRows(page(), 'Positions');
    assert.ok(rows.length >= 3);
    for (const { label, description, spoken } of rows) {
      assert.match(label, /^[a-z]+_usdt$/);
      assert.match(
        description,
        /^(?:long|short) [\d,.]+ · ×\d+ · ISOLATED · [+−][\d,.]+ \([+−][\d,.]+ %\) · [\d.]+ % to liquidation$/,
      );
      assert.match(
        spoken,
        new RegExp(
          `^${label}, [a-z ]+, (?:long|short), amount -?[\\d,.]+, leverage \\d+, .*upl -?[\\d,.]+`,
        ),
      );
    }
    assert.match(
      await treeMessage(page(), 'Locked Orders').innerText(),
      /^Made-up money: orders that you cancel return/,
    );
    await screenshot(page(), 'positions');
  });

  it('has every digit in the hover of the status bar', async () => {
    await equity().hover();
    const hover = page().locator('.monaco-hover:visible');
    await hover.getByText(/^equity: [\d,]+\.\d{3,} usdt$/).waitFor();
    await screenshot(page(), 'status-bar');
    await page().mouse.move(700, 300);
  });

  it('opens the order history on its newest twenty rows', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    await grid().waitFor();
    await rowsShown(/^rows 1–20 of [\d,]{5,}$/);
    assert.equal((await column('Symbol')).length, 20);
    const times = await column('Time');
    assert.deepEqual(times, [...times].sort().reverse());
    assert.equal(await grid().getByRole('columnheader').count(), 11);
    await screenshot(page(), 'order-history');
  });

  it('pages forth and back, to a number, to the end, and in other sizes', async () => {
    const firstIds = await column('Order id');
    await press('Next');
    await rowsShown(/^rows 21–40 of/);
    const secondIds = await column('Order id');
    assert.ok(secondIds.every((id) => !firstIds.includes(id)));
    const field = panel().getByRole('textbox', { name: 'Page' });
    await field.fill('5');
    await field.press('Enter');
    await rowsShown(/^rows 81–100 of/);
    await press('Last');
    await eventually('no next page', () =>
      panel().locator('vscode-button[disabled]', { hasText: 'Next' }).count(),
    );
    await press('First');
    await rowsShown(/^rows 1–20 of/);
    await choose('Rows per page', '50');
    await rowsShown(/^rows 1–50 of/);
    assert.equal((await column('Symbol')).length, 50);
  });

  async function choose(label: string, option: string): Promise<void> {
    await panel().getByRole('combobox', { name: label }).click();
    await panel().getByRole('option', { name: option, exact: true }).click();
  }

  it('filters by every parameter of the order history', async () => {
    const [symbol = ''] = await column('Symbol');
    await panel().getByRole('combobox', { name: 'Symbol' }).fill(symbol);
    await choose('Type', 'LIMIT');
    await choose('Side', 'SELL');
    for (const status of ['EXECUTED', 'CANCELED'])
      await panel().locator(`vscode-checkbox[label="${status}"]`).click();
    const day = (daysAgo: number) =>
      new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19);
    const [from, to] = [day(60), day(1)];
    await panel().getByLabel('From (UTC)').fill(from);
    await panel().getByLabel('To (UTC)').fill(to);
    await press('Apply');
    await eventually('only sells', async () =>
      (await column('Side')).every((side) => side === 'SELL'),
    );
    assert.deepEqual([...new Set(await column('Symbol'))], [symbol]);
    assert.deepEqual([...new Set(await column('Type'))], ['LIMIT']);
    assert.ok((await column('Status')).every((status) => /^(?:EXECUTED|CANCELED)$/.test(status)));
    for (const time of await column('Time')) {
      const instant = time.replace(' UTC', '').replace(' ', 'T');
      assert.ok(instant >= from && instant <= `${to}.999`, time);
    }
    await screenshot(page(), 'order-history-filtered');
  });

  it('says that nothing matches, and gives all rows back', async () => {
    await panel().getByRole('combobox', { name: 'Symbol' }).fill('none_usdt');
    await press('Apply');
    await panel().getByRole('heading', { name: 'No orders match these filters' }).waitFor();
    await screenshot(page(), 'order-history-no-match');
    await press('Reset filters');
    await rowsShown(/^rows 1–50 of/);
  });

  it('copies a cell as the wire wrote it', async () => {
    const cell = grid().locator('[role="gridcell"][aria-colindex="10"]').first();
    await cell.click();
    await page().keyboard.press('Control+C');
    const copied = await eventually('the copy', () =>
      page().evaluate(() => navigator.clipboard.readText()),
    );
    assert.equal(copied, await cell.innerText());
    assert.ok(BigInt(copied) > 2n ** 53n);
  });

  it('is walked by keys, with one stop for Tab', async () => {
    const active = async (): Promise<string> =>
      (await grid().getAttribute('aria-activedescendant')) ?? '';
    await grid().focus();
    await page().keyboard.press('Control+Home');
    const first = await active();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowRight');
    assert.notEqual(await active(), first);
    await page().keyboard.press('Control+End');
    await page().keyboard.press('Control+Home');
    assert.equal(await active(), first);
  });

  for (const theme of [
    'Dark Modern',
    'Default High Contrast',
    'Default High Contrast Light',
    'Light Modern',
  ]) {
    it(`has no accessibility finding in ${theme}`, async () => {
      await useTheme(workbench, theme);
      assert.deepEqual(await findingsIn(page()), []);
      await screenshot(page(), `order-history-${theme.toLowerCase().replaceAll(' ', '-')}`);
    });
  }

  it('asks before it cancels, and keeps every order when told so', async () => {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    const dialog = await readDialog(page());
    assert.equal(dialog.message, 'Cancel every open order of Practice (PRACTICE)?');
    assert.deepEqual([...dialog.buttons].sort(), ['Cancel Every Open Order', 'Keep Orders']);
    assert.ok((dialog.detail.match(/_usdt: (?:bids|asks) /g) ?? []).length >= 2, dialog.detail);
    assert.match(dialog.detail, /cannot list single open orders/);
    await screenshot(page(), 'cancel-all-question');
    await pressInDialog(page(), 'Keep Orders');
    assert.match(await lockedNow(), /_usdt: (?:bids|asks) /);
  });

  /** What a new question says is locked; it is answered with *Keep Orders*. */
  async function lockedNow(): Promise<string> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    const { detail } = await readDialog(page());
    await pressInDialog(page(), 'Keep Orders');
    return detail;
  }

  it('cancels all: nothing is locked any more, and the orders stand in the history', async () => {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    await readDialog(page());
    await pressInDialog(page(), 'Cancel Every Open Order');
    const toast = notification(page(), 'orders cancelled. Nothing is locked now.');
    await toast.waitFor();
    await notification(page(), 'Cancelling every open order').waitFor({ state: 'detached' });
    const text = await toast.innerText();
    const canceled = Number(
      /^Practice · PRACTICE, \d\d:\d\d:\d\d UTC: (\d+) orders cancelled/m.exec(text)?.[1],
    );
    assert.ok(canceled > 0, text);
    await screenshot(page(), 'cancel-all-done');
    await clearNotifications(page());
    assert.match(await lockedNow(), /^Nothing is locked by open orders now\./m);
    await press('Refresh');
    const newest = async () => (await column('Status')).slice(0, canceled);
    await eventually('the cancelled orders', async () =>
      (await newest()).every((status) => status === 'CANCELED'),
    );
  });

  it('comes back after a reload: the account, the panel, its filters and its page', async () => {
    await choose('Side', 'BUY');
    await press('Apply');
    await eventually('only buys', async () =>
      (await column('Side')).every((side) => side === 'BUY'),
    );
    await press('Next');
    await rowsShown(/^rows 51–100 of/);
    await reloadWindow(page());
    await grid().waitFor();
    await rowsShown(/^rows 51–100 of/);
    assert.ok((await column('Side')).every((side) => side === 'BUY'));
    await eventually('equity', async () =>
      /PRACTICE [\d,]+\.\d\d/.test(await equity().innerText()),
    );
    await screenshot(page(), 'after-reload');
  });

  it('has its orders back, as the view said, because the exchange was started anew', async () => {
    assert.match(await lockedNow(), /_usdt: (?:bids|asks) /);
  });

  it('writes a log of requests without a value in it', async () => {
    await runCommand(page(), 'Margin Desk: Show Log');
    const log = await readOutput(page(), 'Margin Desk');
    assert.match(log, /GET \/api\/v1\/accounts → 200/);
    assert.match(log, /GET \/api\/v1\/orders\/history\?side&page&size → 200/);
    assert.doesNotMatch(log, /signature|timestamp|[0-9a-f]{32}/);
  });

  it('opens the positions from the status bar', async () => {
    await runCommand(page(), 'View: Show Explorer');
    await treeRows(page(), 'Positions').first().waitFor({ state: 'hidden' });
    await equity().click();
    await treeRows(page(), 'Positions').first().waitFor({ state: 'visible' });
  });
});
