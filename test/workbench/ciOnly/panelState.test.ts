import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { hostileExchange, type HostileExchange } from '../../support/hostileExchange.ts';
import type { Fault } from '../../support/hostileExchange/faults.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { findingsIn } from '../../support/workbench/axe.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { quickInput } from '../../support/workbench/quickInput.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

describe('the state of a panel in a real workbench', () => {
  let exchange: HostileExchange;
  let workbench: Workbench;
  let fault: Fault | undefined;

  before(async () => {
    const newestAt = Date.now() - 60_000;
    exchange = await hostileExchange({
      reading: { sort: 'newestFirst' },
      rows: { trades: rowsOf('trades', 600, { newestAt }), orders: 30 },
      faultOf: ({ operation }) => (operation === 'trades' ? fault : undefined),
    });
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const profile = {
      baseUrl: exchange.url,
      environment: 'test',
      auth: { scheme: 'none' },
      dialect,
    };
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.defaultProfile': 'Test',
        'marginDesk.profiles': { Test: profile },
      },
    });
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await range('1–100 of 600');
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const filters = () => new PanelFilters(page());
  const range = (text: string) => panel().locator('.range', { hasText: text }).waitFor();
  const tab = (name: string) => page().getByRole('tab', { name, exact: true });
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();
  /** Of the first rows that are drawn: a banner leaves room for fewer. */
  const ids = async () => {
    const texts = await grid().locator('[role="gridcell"][aria-colindex="11"]').allInnerTexts();
    return texts.slice(0, 20);
  };
  const active = () => grid().getAttribute('aria-activedescendant');
  const scrollTop = async () =>
    (await webviewFrame(page())).evaluate(
      () => document.querySelector('margin-grid')?.scrollTop ?? -1,
    );
  /** The pages of trades that were requested, in order. */
  const pagesRead = () => exchange.seen('trades').map(({ query }) => query.get('page'));

  it('starts with the focus in the rows', async () => {
    const role = async () =>
      (await webviewFrame(page())).evaluate(() => document.activeElement?.getAttribute('role'));
    await eventually('the focus', async () => (await role()) === 'grid');
  });

  it('reads the next page ahead, and shows it without another request', async () => {
    await eventually('two pages', () => pagesRead().join() === '0,1');
    await press('Next page');
    await range('101–200 of 600');
    await eventually('three pages', () => pagesRead().join() === '0,1,2');
  });

  it('survives a switch of tabs: rows, scroll, active cell, selection and typed text, without a request', async () => {
    await grid().focus();
    for (let presses = 0; presses < 40; presses += 1) await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowRight');
    await page().keyboard.press('Shift+ArrowDown');
    await panel().getByText('2 cells', { exact: true }).waitFor();
    await filters().button('Symbol').click();
    await page().keyboard.type('eth_u');
    const before = { ids: await ids(), active: await active(), top: await scrollTop() };
    assert.ok(before.top > 0);
    await runCommand(page(), 'Margin Desk: Open Fee Tiers');
    await tab('Fee Tiers').waitFor();
    await eventually('the fee tiers', () => exchange.seen('feeTiers').length > 0);
    const sent = exchange.requests.length;
    await tab('Trade History').click();
    await range('101–200 of 600');
    await eventually('the scroll position', async () => (await scrollTop()) === before.top);
    await eventually('the rows', async () => (await ids()).join() === before.ids.join());
    assert.equal(await active(), before.active);
    assert.equal(await grid().locator('[aria-selected="true"]').count(), 2);
    await panel().getByText('2 cells', { exact: true }).waitFor();
    await filters().button('Symbol').click();
    const field = panel().getByRole('combobox', { name: 'Symbol' });
    assert.equal(await field.inputValue(), 'eth_u');
    await page().keyboard.press('Escape');
    const later = exchange.requests.slice(sent).map(({ operation }) => operation);
    assert.deepEqual(
      later.filter((operation) => operation !== 'accounts'),
      [],
    );
  });

  it('has its rows at most five presses of Tab after the focus came to the editor', async () => {
    await runCommand(page(), 'View: Show Explorer');
    await page().locator('.part.sidebar :focus').first().waitFor();
    await runCommand(page(), 'View: Focus Active Editor Group');
    await eventually('the focus in the page', () =>
      panel()
        .locator('body')
        .evaluate(() => document.hasFocus()),
    );
    const role = () =>
      panel()
        .locator('body')
        .evaluate(() => document.activeElement?.role);
    let presses = 0;
    while ((await role()) !== 'grid' && presses <= 5) {
      await page().keyboard.press('Tab');
      presses += 1;
    }
    assert.ok(presses <= 5, `${presses} presses`);
  });

  it('reaches the rows from the toolbar with one Tab', async () => {
    await filters().button('Symbol').focus();
    await page().keyboard.press('ArrowRight');
    const focused = () => panel().locator(':focus');
    assert.equal((await focused().innerText()).trim(), 'Side');
    await page().keyboard.press('Tab');
    await eventually('the rows', async () => (await focused().getAttribute('role')) === 'grid');
  });

  it('keeps the rows when a page fails, with the reason, a countdown and Retry', async () => {
    const before = await ids();
    fault = { kind: 'status', status: 429, headers: { 'retry-after': '5' } };
    await press('Refresh');
    const banner = panel().locator('.failure');
    await banner.getByText('Rate limited by the exchange').waitFor();
    await banner.getByText(/^Retrying in \d s$/).waitFor();
    await banner.getByText(/The rows below were read at \d{4}-/).waitFor();
    assert.deepEqual(await ids(), before);
    assert.deepEqual(await findingsIn(page()), []);
    await tab('Fee Tiers').click();
    await tab('Trade History').click();
    await banner.waitFor();
    assert.deepEqual(await ids(), before);
    fault = undefined;
    await banner.waitFor({ state: 'detached' });
    await range('101–200 of 600');
  });

  it('leaves the focus outside the panel when the button that had it is gone', async () => {
    fault = { kind: 'status', status: 400, body: '{"message":"maintenance"}' };
    await press('Refresh');
    const retry = panel().locator('.failure').getByRole('button', { name: 'Retry' });
    await retry.focus();
    await runCommand(page(), 'View: Show Explorer');
    const inSidebar = page().locator('.part.sidebar :focus').first();
    await inSidebar.waitFor();
    fault = undefined;
    await panel().getByRole('button', { name: 'Refresh', exact: true }).dispatchEvent('click');
    await retry.waitFor({ state: 'detached' });
    await range('101–200 of 600');
    assert.ok(await inSidebar.isVisible());
  });

  it('exports what the filters show, and names it first', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    await range('1–30 of 30');
    await filters().button('Symbol').click();
    await page().keyboard.type('typed_but_not_applied');
    await page().keyboard.press('Escape');
    await filters().button('Status').click();
    await panel().getByRole('menuitemcheckbox', { name: 'LIQUIDATED' }).click();
    await press('Export All…');
    const { title } = quickInput(page());
    await title.getByText(/^Export .*orders · LIQUIDATED · all days$/i).waitFor();
    await page().keyboard.press('Escape');
  });
});
