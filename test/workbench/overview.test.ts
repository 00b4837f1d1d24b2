import assert from 'node:assert/strict';
import { anAccount, anOrder, aPosition, someLocked, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { accountReads, hostileServer, type HostileServer } from '../support/hostileServer.ts';
import { useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView, treeRow, treeRows } from '../support/workbench/tree.ts';
import { webview, webviewFrame } from '../support/workbench/webview.ts';

const hostile = '<img src=x onerror=alert(1)>[x](command:workbench.action.quit)\u202eevil';
/** Of two of the symbols. */
const information = () =>
  `{"rateLimits":[],"timezone":"UTC","serverTime":${Date.now()},"symbols":[${[
    'btc_usdt',
    'btc_usdt1',
  ]
    .map(
      (symbol) =>
        `{"symbol":"${symbol}","marginAsset":"usdt","baseAsset":"BTC","pair":"BTC/USDT","quoteAsset":"usdt","status":"TRADING"}`,
    )
    .join()}]}`;
const feeTiers = '[{"tier":1,"maker":-0.0001,"volume30D":0,"taker":0.0005}]';

/** One window: each test goes on where the one before it ended. */
describe('the account overview and the views in a real workbench', () => {
  let exchange: HostileServer;
  let workbench: Workbench;
  let upl = '10';
  let symbol = 'btc_usdt';

  before(async () => {
    exchange = await hostileServer(({ url = '' }, response) => {
      if (url.startsWith('/api/v1/feeTiers')) response.end(feeTiers);
      else if (url.includes('exchangeInfo')) response.end(information());
      else if (url.startsWith('/api/v1/accounts')) response.end(withVenue(wire(someAccount())));
      else if (url.startsWith('/api/v1/orders')) response.end(`{"content":${wire([anOrder()])}}`);
      else response.writeHead(404).end();
    });
    const own = { baseUrl: exchange.url, auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': {
          Main: { ...own, environment: 'live' },
          Watch: { ...own, environment: 'test', readOnly: true },
        },
        'marginDesk.pollSeconds.focused': 5,
        'marginDesk.pollSeconds.unfocused': 5,
      },
    });
    await showView(page(), 'Margin Desk');
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const someAccount = () =>
    anAccount({
      upl,
      positions: Array.from({ length: 30 }, (_, index) =>
        aPosition({ symbol: `${symbol}${index || ''}`, upl }),
      ),
      orders: [someLocked({ symbol })],
    });
  /** A field of each position that the API document does not name. */
  const withVenue = (text: string) => text.replaceAll('{"upl":', '{"venue":"main","upl":');
  const page = () => workbench.page;
  const position = () => treeRow(page(), 'btc_usdt');
  const overview = () => webview(page());
  const card = (label: string) => overview().locator('.card').filter({ hasText: label });
  const button = (name: string | RegExp) => overview().getByRole('button', { name });
  const requestsFor = (path: string): number =>
    exchange.requests.filter((one) => one.path.startsWith(path)).length;

  const positions = () => overview().getByRole('grid', { name: 'Positions' });
  const header = (name: string) => overview().getByRole('columnheader', { name });
  const cell = (row: number, column: number) => overview().locator(`#cell-${row}-${column}`);
  const clipboard = () => page().evaluate(() => navigator.clipboard.readText());
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };

  /** What a read of the account must leave alone. */
  async function gridState(): Promise<{ selected: string[]; scroll: number[] }> {
    const frame = await webviewFrame(page());
    return frame.evaluate(`(() => {
      const grid = document.querySelector('margin-grid');
      const selected = [...grid.querySelectorAll('[aria-selected=true]')].map(({ id }) => id);
      return {
        selected,
        sort: grid.querySelector('[aria-sort]').id,
        active: grid.querySelector('.active').id,
        hasFocus: document.activeElement === grid.querySelector('[role=grid]'),
        scroll: [grid.scrollTop, grid.scrollLeft],
      };
    })()`);
  }

  async function openProfile(name: string): Promise<void> {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', name);
  }

  it('says how to begin while no account is open', async () => {
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    await overview().getByText('No account is open.').waitFor();
    await button('Open Practice Account').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('shows the account that is opened, by itself', async () => {
    await openProfile('Main');
    await card('Unrealised P&L').getByText('+10', { exact: true }).waitFor();
    assert.equal(await overview().locator('.environment').innerText(), 'LIVE');
    const distance = overview().getByRole('gridcell', { name: '18.0 %' });
    await distance.first().locator('.bar').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('follows each read without a new element, and keeps scroll and focus', async () => {
    const again = button(/^Read Rates/);
    await again.focus();
    const frame = await webviewFrame(page());
    await frame.evaluate('window.scrollTo(0, 300); window.kept = document.activeElement');
    upl = '20';
    await card('Unrealised P&L').getByText('+20', { exact: true }).waitFor();
    const kept = '[Math.round(window.scrollY), document.activeElement === window.kept]';
    assert.deepEqual(await frame.evaluate(kept), [300, true]);
  });

  it('sorts, selects and copies positions by keyboard, and keeps all of it when they are read again', async () => {
    await positions().focus();
    await press('ArrowUp', 'Enter', 'Enter');
    assert.equal(await cell(0, 0).innerText(), 'btc_usdt9');
    await press('Control+End', 'Shift+ArrowUp', 'Shift+ArrowLeft');
    await overview().getByText('4 cells', { exact: true }).waitFor();
    await cell(29, 5).filter({ hasText: upl }).waitFor();
    const before = await gridState();
    upl = '21';
    await cell(29, 5).filter({ hasText: upl }).waitFor();
    assert.deepEqual(await gridState(), before);
    assert.deepEqual(before.selected, ['cell-28-11', 'cell-28-12', 'cell-29-11', 'cell-29-12']);
    assert.ok(before.scroll.every((pixels) => pixels > 0));
    await press('Home', 'Shift+ArrowRight', 'Control+c');
    await overview().locator('.selection', { hasText: 'Copied 2 cells' }).waitFor();
    assert.equal(await clipboard(), 'btc_usdt1\t0.25');
    await press('Control+Shift+c');
    await eventually('the headers', async () => (await clipboard()).startsWith('Symbol\tAmount\n'));
    await press('Escape', 'Control+Home', 'ArrowUp', 'Enter');
    assert.equal(await cell(0, 0).innerText(), 'btc_usdt');
  });

  it('adds up profits by margin asset', async () => {
    const known = 'sum +42 · min +21 · max +21 · avg +21';
    await positions().focus();
    await press('Control+Home', ...Array.from({ length: 5 }, () => 'ArrowRight'));
    await press('Shift+ArrowDown');
    await overview().getByText(`P&L usdt: ${known}`).first().waitFor();
  });

  const details = () => overview().getByRole('complementary', { name: 'Details' });

  it('shows every field of a position by key, follows each read, and copies a field', async () => {
    await positions().focus();
    await press('Control+Home', 'Enter');
    await details().getByText('venue', { exact: true }).waitFor();
    await details().getByText('+21', { exact: true }).waitFor();
    upl = '-22';
    await details().getByText('−22', { exact: true }).waitFor();
    await details().getByRole('button', { name: 'Copy P&L' }).click();
    await eventually('the copy', async () => (await clipboard()) === '-22');
    assert.deepEqual(await findingsIn(page()), []);
    await press('Escape');
    await details().waitFor({ state: 'detached' });
    upl = '21';
    await cell(0, 5).filter({ hasText: '+21' }).waitFor();
  });

  it('copies the real values of masked positions only after a question', async () => {
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await cell(0, 5).filter({ hasText: '•••' }).waitFor();
    await cell(0, 5).click();
    await press('Control+c');
    await pressInDialog(page(), 'Copy Real Values');
    await eventually('the copy', async () => (await clipboard()) === upl);
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await cell(0, 5).filter({ hasText: upl }).waitFor();
  });

  it('offers copies and details, and nothing that a position has not, in the menu of a cell', async () => {
    await cell(1, 1).click({ button: 'right' });
    const items = page().locator('.context-view .monaco-menu .action-label');
    await items.filter({ hasText: 'Copy as Markdown' }).waitFor();
    assert.deepEqual(
      (await items.allInnerTexts()).filter((text) => text !== ''),
      [
        ...['Copy', 'Copy with Headers', 'Copy Rows', 'Copy Rows as JSON', 'Copy as Markdown'],
        'Show Details',
      ],
    );
    await page().keyboard.press('Escape');
  });

  it('comes back as it was arranged after another tab was in front', async () => {
    await positions().focus();
    await press('Control+Home', 'ArrowUp', 'ArrowRight', 'Alt+Shift+ArrowRight', 'Enter');
    await header('Amount').and(overview().locator('[aria-sort=ascending]')).waitFor();
    const { width } = (await header('Amount').boundingBox()) ?? assert.fail('no box');
    await runCommand(page(), 'File: New Untitled Text File');
    await page().locator('.editor-instance').waitFor();
    await page().locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await page().locator('.tab', { hasText: 'Overview' }).click();
    await header('Amount').and(overview().locator('[aria-sort=ascending]')).waitFor();
    assert.equal((await header('Amount').boundingBox())?.width, width);
  });

  it('reads the rates of the account once, and the last rows only when asked', async () => {
    await card('Fee tier').getByText('Maker −0.0001 · taker 0.0005').waitFor();
    const reads = accountReads(exchange).length;
    await eventually('two more polls', () => accountReads(exchange).length > reads + 1);
    assert.deepEqual(['/api/v1/feeTiers', '/api/v1/orders'].map(requestsFor), [1, 0]);
    await button('Read (3 requests)').click();
    await overview().getByRole('cell', { name: '9007199254740993' }).waitFor();
    await overview().getByText('Could not read the trade history').waitFor();
    assert.deepEqual(['/api/v1/feeTiers', '/api/v1/orders'].map(requestsFor), [1, 1]);
  });

  it('asks the question of the command for all symbols', async () => {
    await button('Cancel All Orders (all symbols)…').click();
    assert.match((await readDialog(page())).message, / · Main — cancel ALL open orders/);
    await pressInDialog(page(), 'Keep Orders');
    assert.equal(exchange.requests.filter(({ method }) => method === 'DELETE').length, 0);
  });

  it('hides figures while privacy mode is on', async () => {
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await card('Equity').getByText('•••').waitFor();
    const body = await overview().locator('body').innerText();
    assert.doesNotMatch(body, /12,012|\+20|10,000|12,000/);
    assert.deepEqual(await findingsIn(page()), []);
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await card('Equity').getByText('12,012.5 usdt').waitFor();
  });

  it('draws nothing that the exchange wrote but its text', async () => {
    symbol = hostile;
    await overview().getByText('onerror=alert').first().waitFor();
    assert.equal(await overview().locator('main').locator('img, a, script').count(), 0);
    assert.doesNotMatch(await overview().locator('body').innerText(), /\u202e/);
    symbol = 'btc_usdt';
  });

  it('has no accessibility finding in Light Modern', async () => {
    await useTheme(workbench, 'Light Modern');
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('belongs to the profile that is opened next, which may be read-only', async () => {
    await openProfile('Watch');
    await overview().getByText('This profile is read-only: it cannot cancel orders.').waitFor();
    assert.equal(await overview().locator('[data-action=cancelAllOrders]').count(), 0);
    assert.equal(await overview().getByRole('cell', { name: '9007199254740993' }).count(), 0);
    assert.equal(await overview().locator('.environment').innerText(), 'TEST');
  });

  it('keeps which rows of a view are expanded and selected when the account is read again', async () => {
    const field = treeRows(page(), 'Positions').filter({ hasText: 'ROE' });
    await position().click();
    await field.click();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    upl = '30';
    await position().filter({ hasText: ' +30 (' }).waitFor();
    assert.equal(await position().getAttribute('aria-expanded'), 'true');
    assert.equal(await field.getAttribute('aria-selected'), 'true');
  });

  it('says everywhere how old the figures are once the exchange is gone', async () => {
    await runCommand(page(), 'Margin Desk: Open Fee Tiers');
    await overview().locator('.mark', { hasText: 'this account' }).waitFor();
    await exchange.close();
    const status = statusBarItem(page(), 'marginDesk.equity');
    await status.filter({ hasText: /TEST 12,012\.5 · \d+ s old$/ }).waitFor();
    assert.match((await status.getAttribute('class')) ?? '', /warning-kind/);
    await treeRow(page(), 'TEST · ')
      .filter({ hasText: /\d+ s old · 12k…/ })
      .waitFor();
    for (const view of ['Assets', 'Open Orders'])
      await page()
        .locator('.pane-header', { hasText: new RegExp(`${view}.*TEST · .*stale, \\d+ s`) })
        .waitFor();
    // The rows of the account and its failure are above the position.
    await treeRow(page(), 'TEST · ').hover();
    await page().mouse.wheel(0, 60);
    await position().filter({ hasText: ' +30 (' }).waitFor();
    await overview()
      .getByRole('note')
      .filter({ hasText: /Stale: the account data on this page is \d+ s old, read \d{4}-/ })
      .waitFor();
  });

  it('marks its own figures with their age', async () => {
    await page().locator('.tab', { hasText: 'Overview' }).click();
    await card('Equity')
      .getByText(/^\d+ s old$/)
      .waitFor({ timeout: 40_000 });
    await overview().getByText('Could not read the account').waitFor();
    await card('Equity').getByText('12,012.5 usdt').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });
});
