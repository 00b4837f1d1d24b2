import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { useTheme } from '../support/workbench/appearance.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../support/workbench/panelFilters.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { chooseFromMenu } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

type Shown = {
  readonly command: string;
  readonly title: string;
  readonly tab: string;
  readonly columns: string;
};

const tables: readonly Shown[] = [
  {
    command: 'Open Order History',
    title: 'Order History',
    tab: 'Order History',
    columns:
      'Time (UTC), Symbol, Side, Price, Amount, Filled, Status, Type, Average execution price, Order id, Client order id',
  },
  {
    command: 'Open Trade History',
    title: 'Trade History',
    tab: 'Trade History',
    columns:
      'Time (UTC), Symbol, Side, Price, Amount, P&L, Fee, Fee asset, Maker, Type, Trade id, Order id',
  },
  {
    command: 'Open Liquidation Auctions',
    title: 'Liquidation Auctions',
    tab: 'Liquidation Auctions',
    columns:
      'Updated at (UTC), Symbol, Side, Amount, Average liquidation price, Margin call price, Discount, Total bids, Lot id',
  },
  {
    command: 'Open Transaction History',
    title: 'Transaction History',
    tab: 'Transaction History',
    columns: 'Time (UTC), Asset, Type, Amount, Link, Transaction id, Transaction UUID',
  },
  {
    command: 'Open Exchange Information',
    title: 'Exchange Information',
    tab: 'Exchange Information',
    columns: 'Symbol, Pair, Base asset, Quote asset, Margin asset, Status',
  },
  {
    command: 'Open Leverage Rules',
    title: 'Leverage Rules',
    tab: 'Leverage Rules',
    columns: 'Leverage, Position notional, Maintenance margin, Initial margin',
  },
  {
    command: 'Open Fee Tiers',
    title: 'Fee Tiers',
    tab: 'Fee Tiers',
    columns: 'Tier, 30-day volume, Maker fee rate, Taker fee rate',
  },
];

/** One window for all tables. */
describe('the tables in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      settings: { 'marginDesk.timeZone': 'UTC', 'workbench.colorTheme': 'Dark Modern' },
    });
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await eventually(
      'equity in the status bar',
      async () =>
        /PRACTICE [\d,]+\.\d/.test(await statusBarItem(page(), 'marginDesk.equity').innerText()),
      { deadlineMs: 30_000 },
    );
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();
  const filters = () => new PanelFilters(page());
  const tabs = (name: string) => page().getByRole('tab', { name, exact: true });
  const cells = (row: number) =>
    grid()
      .getByRole('row')
      .nth(row + 1)
      .getByRole('gridcell');

  /** Opens a table from the palette and waits for its rows. */
  async function open({ command, title }: Shown): Promise<void> {
    await runCommand(page(), `Margin Desk: ${command}`);
    await panel().getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await cells(0).first().waitFor();
  }

  async function openTitled(title: string): Promise<void> {
    await open(tables.find((table) => table.title === title) ?? assert.fail(title));
  }

  async function headings(): Promise<string[]> {
    const texts = await grid().getByRole('columnheader').allInnerTexts();
    return texts.map((text) => text.trim());
  }

  /** The shown texts of one column, by its heading. */
  async function column(heading: string): Promise<string[]> {
    const index = (await headings()).indexOf(heading);
    assert.ok(index >= 0, heading);
    return grid()
      .locator(`[role="gridcell"][aria-colindex="${index + 1}"]`)
      .allInnerTexts();
  }

  /** Waits until a column holds this value and no other. */
  async function onlyIn(heading: string, value: string): Promise<void> {
    await eventually(`only ${value}`, async () => {
      const texts = await column(heading);
      return texts.length > 0 && texts.every((text) => text === value);
    });
  }

  for (const table of tables) {
    it(`opens ${table.title} with every field of its records`, async () => {
      await open(table);
      assert.equal((await headings()).join(', '), table.columns);
      assert.equal(await tabs(table.tab).count(), 1);
      await panel().locator('.account .profile', { hasText: 'Practice' }).waitFor();
      assert.equal(await panel().locator('.environment').count(), 0);
    });
  }

  it('opens none of them twice', async () => {
    for (const title of ['Order History', 'Fee Tiers']) await openTitled(title);
    for (const { tab } of tables) assert.equal(await tabs(tab).count(), 1);
  });

  it('filters trades by symbol and side, and offers the exchange’s symbols', async () => {
    await openTitled('Trade History');
    await filters().button('Symbol').click();
    await panel().getByRole('option', { name: 'eth_usdt' }).click();
    await filters().choose('Side', 'SELL');
    await onlyIn('Side', 'Sell');
    await onlyIn('Symbol', 'eth_usdt');
    for (const flag of await column('Maker')) assert.match(flag, /^(?:yes|no)$/);
  });

  it('labels lots as exchange-wide, and filters them', async () => {
    await openTitled('Liquidation Auctions');
    await panel().getByText('The API does not say whose position they came from.').waitFor();
    await filters().type('Symbol', 'none_usdt');
    await panel().getByRole('heading', { name: 'No lots match these filters' }).waitFor();
    await press('Clear Filters');
    await filters().choose('Side', 'BUY');
    await onlyIn('Side', 'Buy');
  });

  const account = () => filters().button('Account type').innerText();

  /** Opens the transactions of the spot account, whose types always include deposits. */
  async function openSpotTransactions(): Promise<void> {
    await openTitled('Transaction History');
    await filters().choose('Account type', 'SPOT');
    await eventually('the spot account', async () =>
      (await column('Type')).some((type) => /^(?:Deposit|Withdrawal)$/.test(type)),
    );
  }

  it('switches transactions between the futures and the spot account immediately', async () => {
    await openTitled('Transaction History');
    assert.match(await account(), /FUTURE/);
    assert.ok((await column('Type')).every((type) => type !== 'Deposit'));
    await openSpotTransactions();
    await filters().choose('Type', 'DEPOSIT');
    await filters().type('Asset', 'usdt');
    await onlyIn('Type', 'Deposit');
    await onlyIn('Asset', 'usdt');
    assert.match(await account(), /SPOT/);
  });

  it('asks before it follows a link, and names the host', async () => {
    await openSpotTransactions();
    const link = grid().getByRole('button').first();
    await link.hover();
    const address = await eventually('the tooltip', () => link.locator('..').getAttribute('title'));
    const { host } = new URL(address);
    assert.equal(await link.getAttribute('aria-label'), host);
    await link.click();
    assert.deepEqual(await linkQuestion(), [`Open a link from the exchange to ${host}?`, address]);
    await pressInDialog(page(), 'Cancel');
    await grid().focus();
    await page().keyboard.press('Enter');
    await panel().getByRole('complementary', { name: 'Details' }).waitFor();
    await page().keyboard.press('Control+Enter');
    assert.equal((await linkQuestion())[1], address);
    await pressInDialog(page(), 'Cancel');
  });

  async function linkQuestion(): Promise<string[]> {
    const { message, detail } = await readDialog(page());
    return [message, detail];
  }

  it('shows the other fields of exchange information above its symbols', async () => {
    await openTitled('Exchange Information');
    const summary = await panel().locator('.summary').innerText();
    assert.match(summary, /Server time\s+\d{4}-\d\d-\d\d [\d:.]+ UTC\s+Time zone\s+UTC/);
    assert.match(
      summary,
      /Type\s+HARD_LIMIT\s+Limit\s+1,000\s+Number of intervals\s+1\s+Interval\s+MINUTE/,
    );
    assert.equal(await panel().locator('.steps, .filterTools').count(), 0);
    assert.deepEqual(await findingsIn(page()), []);
    const before = await panel().locator('.summary').innerText();
    await press('Refresh');
    await eventually(
      'a later server time',
      async () => (await panel().locator('.summary').innerText()) !== before,
    );
  });

  it('shows margins in percent, and no other unit', async () => {
    await openTitled('Leverage Rules');
    const levels = (await column('Leverage')).map((text) => text.split(' ').at(-1));
    assert.deepEqual(levels, '1 2 3 4 5 6 7 8 9 10'.split(' '));
    for (const margin of ['Maintenance margin', 'Initial margin'])
      for (const text of await column(margin)) assert.match(text, /^[\d.]+ %$/);
    for (const text of await column('Position notional')) assert.match(text, /^[\d,.]+$/);
  });

  it('marks the account’s own fee tier in words', async () => {
    await openTitled('Fee Tiers');
    const summary = await panel().locator('.summary').innerText();
    const [, tier] = /Fee tier\s+(\d+)\s+Fee tier discount\s+\d+/.exec(summary) ?? [];
    const marked = (await column('Tier')).filter((text) => text.includes('this account'));
    assert.deepEqual(marked, [`this account ${tier}`]);
    for (const text of await column('Maker fee rate')) assert.match(text, /^−?[\d.]+$/);
  });

  const clipboard = () => page().evaluate(() => navigator.clipboard.readText());
  const menuItems = () =>
    page().locator('.context-view .monaco-menu .action-item .action-label').allInnerTexts();

  it('has a menu for a cell without Cut and Paste, also by key', async () => {
    await openTitled('Order History');
    await cells(0).nth(1).click({ button: 'right' });
    const items = await eventually('the menu', async () => {
      const texts = (await menuItems()).filter((text) => text.trim() !== '');
      return texts.length > 0 && texts;
    });
    assert.deepEqual(items || [], [
      ...['Copy', 'Copy with Headers', 'Copy Rows', 'Copy Rows as JSON', 'Copy as Markdown'],
      ...['Filter by This Value', 'Open Trades of This Order', 'Show Details'],
    ]);
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await menuItems()).length === 0);
    await cells(0).nth(5).click();
    await page().keyboard.press('Shift+F10');
    await eventually('the menu', async () => (await menuItems()).length > 0);
    assert.ok(!(await menuItems()).includes('Filter by This Value'));
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await menuItems()).length === 0);
  });

  it('copies a row from the menu, with every digit and the milliseconds', async () => {
    await openTitled('Order History');
    const id = (await column('Order id'))[1] ?? '';
    await chooseFromMenu(page(), cells(1).nth(2), 'Copy Rows as JSON');
    await panel().getByText('Copied 1 row', { exact: true }).first().waitFor();
    const copied = await clipboard();
    assert.ok(copied.includes(`"orderId": ${id}`), copied);
    assert.match(copied, /"time": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  });

  const details = () => panel().getByRole('complementary', { name: 'Details' });

  it('shows a row in full, and finds all trades of a filled order', async () => {
    await openTitled('Order History');
    const row = (await column('Status')).indexOf('Filled');
    await cells(row).nth(2).click();
    await page().keyboard.press('Enter');
    await details().getByText('ISO 8601').waitFor();
    await details().getByRole('button', { name: 'Copy Time as ISO 8601' }).click();
    const shown = await details()
      .getByText(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      .innerText();
    await eventually('the copy', async () => (await clipboard()) === shown);
    // The ledger of the practice account may have them already: then it takes no request.
    await details()
      .getByRole('button', { name: /^Find Its Trades( \(1 request\))?$/ })
      .click();
    await details().getByText('All trades of this order: they add up to').waitFor();
    await page().keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
  });

  it('cuts and pastes only in a field, and copies selected text from a menu', async () => {
    await openTitled('Order History');
    const shownItems = () =>
      eventually('the menu', async () => {
        const texts = (await menuItems()).filter((text) => text.trim() !== '');
        return texts.length > 0 && texts;
      });
    await panel().getByRole('textbox').first().click({ button: 'right' });
    assert.deepEqual(await shownItems(), ['Cut', 'Copy', 'Paste']);
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await menuItems()).length === 0);
    await cells(0).nth(2).click();
    await page().keyboard.press('Enter');
    const label = details().getByText('Client order id', { exact: true });
    await label.selectText();
    await label.click({ button: 'right' });
    assert.deepEqual(await shownItems(), ['Copy']);
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await menuItems()).length === 0);
    const copy = page().locator('.context-view .monaco-menu .action-item', { hasText: 'Copy' });
    // What takes the focus meanwhile closes the menu: then it is opened again, as its user does.
    await eventually('the copy', async () => {
      await label.selectText();
      await label.click({ button: 'right' });
      await copy.first().hover({ timeout: 3000 });
      await page().keyboard.press('Enter');
      return (await clipboard()) === 'Client order id';
    });
    await panel().getByRole('columnheader').first().click({ button: 'right' });
    assert.deepEqual(await shownItems(), [
      'Sort by This Column',
      'Fit This Column',
      'Hide This Column',
    ]);
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await menuItems()).length === 0);
  });

  it('opens the trades of an order at its own', async () => {
    await openTitled('Order History');
    const row = (await column('Status')).indexOf('Filled');
    const id = (await column('Order id'))[row] ?? '';
    await chooseFromMenu(page(), cells(row).nth(2), 'Open Trades of This Order');
    await panel().getByRole('heading', { level: 1, name: 'Trade History' }).waitFor();
    const own = grid().locator('[role="row"][aria-current="true"]').getByText(id, { exact: true });
    await own.waitFor();
    await runCommand(page(), 'View: Close Editor');
  });

  it('keeps its columns after the panel was closed', async () => {
    await openTitled('Fee Tiers');
    await grid().focus();
    await page().keyboard.press('Alt+ArrowRight');
    const moved = await headings();
    assert.deepEqual(moved.slice(0, 2), ['30-day volume', 'Tier']);
    await runCommand(page(), 'View: Close Editor');
    await openTitled('Fee Tiers');
    assert.deepEqual(await headings(), moved);
    await panel().getByRole('button', { name: 'Columns' }).click();
    await press('Reset Columns');
    await page().keyboard.press('Escape');
    assert.deepEqual((await headings()).slice(0, 2), ['Tier', '30-day volume']);
  });

  // Every table is drawn by one page: that of transactions has each kind of control.
  it('has no accessibility finding in Dark Modern', async () => {
    await openTitled('Transaction History');
    assert.deepEqual(await findingsIn(page()), []);
  });

  // The long runs look at each page in ten themes.
  it('has no accessibility finding in Default High Contrast', async () => {
    await openTitled('Transaction History');
    await useTheme(workbench, 'Default High Contrast');
    assert.deepEqual(await findingsIn(page()), []);
  });
});
