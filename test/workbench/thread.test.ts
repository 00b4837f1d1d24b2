import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { practiceStart } from '../support/practiceTime.ts';
import { reloadWindow, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { readHover } from '../support/workbench/hover.ts';
import {
  clearNotifications,
  notification,
  readNotifications,
} from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../support/workbench/panelFilters.ts';
import { readOutput } from '../support/workbench/output.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import {
  chooseFromMenu,
  readRows,
  showView,
  treeMessage,
  treeRow,
  treeRows,
} from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

/** One window from its first minute on: each test goes on where the one before it ended. */
describe('the packaged extension in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      settings: { 'marginDesk.timeZone': 'UTC', 'marginDesk.alerts.positions': true },
    });
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const equity = () => statusBarItem(page(), 'marginDesk.equity');
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const tab = (name: string) => page().getByRole('tab', { name, exact: true });
  const range = () => panel().locator('.range');
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();

  /** The shown texts of one column, by its heading. */
  async function column(heading: string): Promise<string[]> {
    const headings = await grid().getByRole('columnheader').allInnerTexts();
    const index = headings
      .map((text) => text.trim().replace(/ \(UTC[^)]*\)$/, ''))
      .indexOf(heading);
    assert.ok(index >= 0, `${heading} among ${headings.join()}`);
    return grid()
      .locator(`[role="gridcell"][aria-colindex="${index + 1}"]`)
      .allInnerTexts();
  }

  /** Waits until the rows are those of `expected`, such as `1–100 of`. */
  async function rowsShown(expected: RegExp): Promise<string> {
    await eventually(`the range ${String(expected)}`, async () =>
      expected.test(await range().innerText()),
    );
    await eventually('the rows', async () => (await grid().getAttribute('aria-busy')) !== 'true');
    return range().innerText();
  }

  it('loads only the entry file without an account, and the rest on first use', async () => {
    await eventually('the extension to be activated', () => isActivated(workbench));
    // A new window lists its output channels only after the view was opened once.
    await runCommand(page(), 'Output: Focus on Output View');
    assert.equal(await hasChannel(page()), false);
    await runCommand(page(), 'Margin Desk: Show Log');
    await eventually('the channel', () => hasChannel(page()));
    await runCommand(page(), 'View: Hide Panel');
  });

  it('shows how to begin in a new window', async () => {
    await showView(page(), 'Margin Desk');
    for (const name of ['Open Practice Account', 'Add Profile…', 'Import Profiles…'])
      await page().locator('.welcome-view-content .monaco-button', { hasText: name }).waitFor();
    assert.equal(await page().locator('.part.sidebar .pane').count(), 1);
    assert.equal(await equity().count(), 0);
  });

  it('goes from the palette to equity and positions on the screen within a minute', async () => {
    const startedAt = performance.now();
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    const text = await eventually(
      'equity in the status bar',
      async () => /PRACTICE [\d,.]+…? [+−][\d,.]+…?$/.exec(await equity().innerText())?.[0],
      { deadlineMs: 60_000 },
    );
    // The account, then its positions.
    await treeRows(page(), 'Positions').nth(3).waitFor();
    assert.ok(performance.now() - startedAt < 60_000);
    assert.match(text, /^PRACTICE /);
    const [head, ...rows] = await readRows(page(), 'Positions');
    assert.equal(head?.label, 'Practice');
    assert.ok(rows.length >= 3);
    for (const { label, description, spoken } of rows) {
      assert.match(label, /^[a-z]+_usdt$/);
      assert.match(
        description,
        /^(?:Long|Short) [+−][\d,.]+[kM]?…? \([+−][\d.]+ %\) · liq [\d.]+ % · size [\d,.]+[kM]?…?$/,
      );
      assert.match(
        spoken,
        new RegExp(
          `^${label}, [a-z ]+, (?:Long|Short), Unrealised P&L −?[\\d,.]+, ROE .*, Amount −?[\\d,.]+, Leverage \\d+`,
        ),
      );
    }
    assert.match(
      await treeMessage(page(), 'Open Orders').innerText(),
      /^Practice account\. Cancelled orders come back/,
    );
  });
  it('shows the danger of the practice account inside its view only', async () => {
    await page().locator('.part.sidebar .codicon-flame').first().waitFor();
    await runCommand(page(), 'Margin Desk: Refresh Account');
    assert.deepEqual(await readNotifications(page()), []);
    await clearNotifications(page());
    assert.doesNotMatch((await equity().getAttribute('class')) ?? '', /error-kind|warning-kind/);
    // While it reads, the badge is a clock.
    const counts = page().locator('.activitybar .badge-content', { hasText: /\d/ });
    assert.equal(await counts.filter({ visible: true }).count(), 0);
    const headers = await page().locator('.part.sidebar .pane-header').allInnerTexts();
    assert.match(headers.join('\n'), /^Assets\s+Practice$/m);
  });

  it('has every digit in the hover of the status bar', async () => {
    const said = await readHover(page(), equity(), 'Equity');
    assert.match(said, /^Equity\s+[\d,]+\.\d{3,} usdt$/m);
  });

  it('opens the order history on its newest hundred rows', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    await grid().waitFor();
    await rowsShown(/^1–100 of [\d,]{5,}$/);
    const times = await column('Time');
    assert.ok(times.length > 20);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.equal(await grid().getByRole('columnheader').count(), 11);
  });

  it('pages forward and back, to a number, to the end, and in other sizes', async () => {
    const firstIds = await column('Order id');
    const total = (await range().innerText()).replace(/^.* of |,/g, '');
    await press('Next page');
    await rowsShown(/^101–200 of/);
    const secondIds = await column('Order id');
    assert.ok(secondIds.every((id) => !firstIds.includes(id)));
    const field = panel().getByRole('textbox', { name: 'Page' });
    const goTo = async (number: number): Promise<void> => {
      await field.fill(String(number));
      await field.press('Enter');
    };
    await goTo(5);
    await rowsShown(/^401–500 of/);
    await goTo(Math.ceil(Number(total) / 100));
    await eventually('no next page', () =>
      panel().getByRole('button', { name: 'Next page' }).isDisabled(),
    );
    await press('Previous page');
    await goTo(1);
    await rowsShown(/^1–100 of/);
    await press('100 per page');
    await panel().getByRole('menuitemradio', { name: '50 per page' }).click();
    await rowsShown(/^1–50 of/);
    await grid().focus();
    await page().keyboard.press('Control+End');
    assert.equal(await grid().getAttribute('aria-activedescendant'), 'cell-49-10');
    await page().keyboard.press('Control+Home');
  });

  const filters = () => new PanelFilters(page());

  it('filters by every parameter of the order history', async () => {
    const [symbol = ''] = await column('Symbol');
    await filters().type('Symbol', symbol);
    await filters().choose('Type', 'LIMIT');
    await filters().choose('Side', 'SELL');
    await filters().check('Status', ['EXECUTED', 'CANCELED']);
    const day = (daysAgo: number) =>
      new Date(Date.parse(practiceStart) - daysAgo * 86_400_000).toISOString().slice(0, 19);
    const [from, to] = [day(60), day(1)];
    await filters().setPeriod(from, to, 'UTC');
    const chip = panel().getByRole('button', { name: /^Remove filter/ });
    await eventually('five filters', async () => (await chip.count()) === 5);
    await rowsShown(/^1–/);
    assert.deepEqual([...new Set(await column('Side'))], ['Sell']);
    assert.deepEqual([...new Set(await column('Symbol'))], [symbol]);
    assert.deepEqual([...new Set(await column('Type'))], ['Limit']);
    assert.ok((await column('Status')).every((status) => /^(?:Filled|Cancelled)$/.test(status)));
    for (const time of await column('Time')) {
      const instant = time.replace(' ', 'T');
      assert.ok(instant >= from && instant <= to, time);
    }
  });

  it('says that nothing matches, and shows all rows again after clearing', async () => {
    await filters().type('Symbol', 'none_usdt');
    await panel().getByRole('heading', { name: 'No orders match these filters' }).waitFor();
    await press('Clear Filters');
    await rowsShown(/^1–50 of/);
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

  it('asks before it cancels, and Keep Orders cancels nothing', async () => {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    const dialog = await readDialog(page());
    assert.equal(dialog.message, 'PRACTICE · Practice — cancel ALL open orders?');
    assert.deepEqual([...dialog.buttons].sort(), ['Cancel All Orders', 'Keep Orders']);
    assert.ok((dialog.detail.match(/_usdt: (?:Buy|Sell) /g) ?? []).length >= 2, dialog.detail);
    assert.match(dialog.detail, /orders that lock no balance are cancelled too/);
    await pressInDialog(page(), 'Keep Orders');
    assert.match(await lockedNow(), /_usdt: (?:Buy|Sell) /);
  });

  /** What a new question says is locked; it is answered with *Keep Orders*. */
  async function lockedNow(): Promise<string> {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    const { detail } = await readDialog(page());
    await pressInDialog(page(), 'Keep Orders');
    return detail;
  }

  it('cancels all: nothing is locked, and the history lists the orders', async () => {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await readDialog(page());
    await pressInDialog(page(), 'Cancel All Orders');
    const toast = notification(page(), 'orders cancelled. Nothing is locked now.');
    await toast.waitFor();
    await notification(page(), 'Cancelling all open orders').waitFor({ state: 'detached' });
    const text = await toast.innerText();
    const canceled = Number(
      /^Practice, \d\d:\d\d:\d\d UTC: (\d+) orders cancelled/m.exec(text)?.[1],
    );
    assert.ok(canceled > 0, text);
    await clearNotifications(page());
    assert.match(await lockedNow(), /^No open orders lock balance now\./m);
    const offer = panel().getByText('There may be newer rows');
    await offer.waitFor();
    await press('Refresh');
    await offer.waitFor({ state: 'detached' });
    const newest = async () => (await column('Status')).slice(0, canceled);
    await eventually('the cancelled orders', async () =>
      (await newest()).every((status) => status === 'Cancelled'),
    );
  });

  it('comes back after a reload: account, panels, filters, page, and privacy mode', async () => {
    const isHidden = async () => (await equity().innerText()).endsWith('PRACTICE ••• •••');
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await eventually('no equity', isHidden);
    await filters().choose('Side', 'BUY');
    await eventually('only buys', async () =>
      (await column('Side')).every((side) => side === 'Buy'),
    );
    await press('Next page');
    await rowsShown(/^51–100 of/);
    await chooseFromMenu(page(), treeRow(page(), 'btc_usdt'), 'Open Trade History for This Symbol');
    await tab('Trade History · btc_usdt').waitFor();
    await grid().getByRole('gridcell', { name: 'btc_usdt' }).first().waitFor();
    await tab('Order History').click();
    await rowsShown(/^51–100 of/);
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    const total = panel().locator('.card').filter({ hasText: 'Equity' });
    await total.getByText('•••').waitFor();
    await reloadWindow(page());
    await total.getByText('•••').waitFor();
    await page().locator('.tab', { hasText: 'Order History' }).click();
    await grid().waitFor();
    await rowsShown(/^51–100 of/);
    assert.ok((await column('Side')).every((side) => side === 'Buy'));
    assert.ok((await column('Amount')).every((amount) => amount === '•••'));
    assert.ok(await isHidden());
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await eventually('equity', async () =>
      /PRACTICE [\d,]+\.\d\d/.test(await equity().innerText()),
    );
  });

  it('keeps the panel of a symbol beside that of its table after a reload', async () => {
    await tab('Trade History · btc_usdt').click();
    await eventually('its rows', async () =>
      (await column('Symbol')).every((symbol) => symbol === 'btc_usdt'),
    );
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await tab('Trade History').waitFor();
    assert.equal(await tab('Trade History · btc_usdt').count(), 1);
    await runCommand(page(), 'View: Close Editor');
    await tab('Order History').click();
    await rowsShown(/^51–100 of/);
  });

  it('has its orders back, as the view said, because the exchange was restarted', async () => {
    assert.match(await lockedNow(), /_usdt: (?:Buy|Sell) /);
  });

  it('writes a log of requests without a value in it', async () => {
    await runCommand(page(), 'Margin Desk: Show Log');
    assert.notEqual(await readOutput(page(), 'Margin Desk'), '');
    // The channel shows the last lines.
    const log = (await logsOf(workbench, 'Margin Desk.log')).join('\n');
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

  it('leaves a panel with the same title alone when a symbol’s own opens', async () => {
    const titled = tab('Order History · btc_usdt');
    await filters().type('Symbol', 'btc_usdt');
    await titled.waitFor();
    await chooseFromMenu(page(), treeRow(page(), 'btc_usdt'), 'Open Order History for This Symbol');
    const onlyBuys = panel().getByRole('button', { name: 'Remove filter “Side: BUY”' });
    await onlyBuys.waitFor({ state: 'detached' });
    await rowsShown(/^1–\d+ of/);
    assert.equal(await titled.count(), 2);
    await titled.first().click();
    await onlyBuys.waitFor();
    await rowsShown(/^1–\d+ of/);
  });
});

/** Whether VS Code's own log of the extension host says so. */
async function isActivated(workbench: Workbench): Promise<boolean> {
  const texts = await logsOf(workbench, 'exthost.log');
  return texts.some((text) => text.includes('_doActivateExtension margin-desk.margin-desk'));
}

/** The log files of this name, of each extension host. */
async function logsOf({ dataDir }: Workbench, name: string): Promise<string[]> {
  const logs = path.join(dataDir, 'data/logs');
  const files = (await readdir(logs, { recursive: true })).filter((file) => file.endsWith(name));
  return Promise.all(files.map((file) => readFile(path.join(logs, file), 'utf8')));
}

/** Whether the app is loaded: it creates its output channel when it starts. */
async function hasChannel(page: Page): Promise<boolean> {
  await runCommand(page, 'Output: Show Output Channels...');
  const { input, rows } = quickInput(page);
  await rows.first().waitFor();
  await input.fill('Margin Desk');
  await rows.filter({ hasNotText: 'Margin Desk' }).first().waitFor({ state: 'detached' });
  const isThere = (await rows.count()) > 0;
  await page.keyboard.press('Escape');
  return isThere;
}
