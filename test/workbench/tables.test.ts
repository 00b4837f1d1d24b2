import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { notification, pressInNotification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../support/workbench/panelFilters.ts';
import { pick, quickInput } from '../support/workbench/quickInput.ts';
import { chooseFromMenu } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

const titles = [
  ...['Order History', 'Trade History', 'Liquidation Auctions', 'Transaction History'],
  ...['Exchange Information', 'Leverage Rules', 'Fee Tiers'],
];

/** One window for all tables: each test goes on where the one before it ended. */
describe('the tables in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({ settings: { 'marginDesk.timeZone': 'UTC' } });
    await runCommand(page(), 'Margin Desk: Open Practice Account');
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');
  const details = () => panel().getByRole('complementary', { name: 'Details' });
  const clipboard = () => page().evaluate(() => navigator.clipboard.readText());
  const cells = (row: number) =>
    grid()
      .getByRole('row')
      .nth(row + 1)
      .getByRole('gridcell');

  async function open(title: string): Promise<void> {
    await runCommand(page(), `Margin Desk: Open ${title}`);
    await panel().getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await cells(0).first().waitFor();
  }

  /** What the menu that is open offers, which is closed then. */
  async function menuItems(): Promise<string[]> {
    const labels = page().locator('.context-view .monaco-menu .action-item .action-label');
    const shown = async () => (await labels.allInnerTexts()).filter((text) => text.trim() !== '');
    const items = await eventually('the menu', async () => {
      const texts = await shown();
      return texts.length > 0 && texts;
    });
    await page().keyboard.press('Escape');
    await eventually('no menu', async () => (await shown()).length === 0);
    return items || [];
  }

  it('are opened by a command each, once', async () => {
    for (const title of titles) await open(title);
    for (const title of ['Order History', 'Fee Tiers']) await open(title);
    for (const title of titles)
      assert.equal(await page().getByRole('tab', { name: title, exact: true }).count(), 1);
  });

  it('have a menu for a cell and for a header without Cut and Paste, also by key', async () => {
    await open('Order History');
    await cells(0).nth(1).click({ button: 'right' });
    assert.deepEqual(await menuItems(), [
      ...['Copy', 'Copy with Headers', 'Copy Rows', 'Copy Rows as JSON', 'Copy as Markdown'],
      ...['Filter by This Value', 'Open Trades of This Order', 'Open Its Position', 'Show Details'],
    ]);
    await cells(0).nth(5).click();
    await page().keyboard.press('Shift+F10');
    assert.ok(!(await menuItems()).includes('Filter by This Value'));
    await grid().getByRole('columnheader').first().click({ button: 'right' });
    assert.deepEqual(await menuItems(), [
      ...['Sort by This Column', 'Fit This Column', 'Hide This Column'],
    ]);
  });

  it('copy a row from its menu, with every digit and the milliseconds', async () => {
    const id = await cells(1).nth(9).innerText();
    await chooseFromMenu(page(), cells(1).nth(2), 'Copy Rows as JSON');
    await panel().getByText('Copied 1 row', { exact: true }).first().waitFor();
    const copied = await clipboard();
    assert.ok(copied.includes(`"orderId": ${id}`), copied);
    assert.match(copied, /"time": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  });

  it('cut and paste only in a field, and copy selected text from a menu', async () => {
    await panel().getByRole('textbox').first().click({ button: 'right' });
    assert.deepEqual(await menuItems(), ['Cut', 'Copy', 'Paste']);
    await cells(0).nth(2).click();
    await page().keyboard.press('Enter');
    const label = details().getByText('Client order id', { exact: true });
    const copy = page().locator('.context-view .monaco-menu .action-item', { hasText: 'Copy' });
    // What takes the focus meanwhile closes the menu: then it is opened again, as its user does.
    await eventually('the copy', async () => {
      await label.selectText();
      await label.click({ button: 'right' });
      await copy.first().hover({ timeout: 3000 });
      await page().keyboard.press('Enter');
      return (await clipboard()) === 'Client order id';
    });
  });

  it('export every row that the filters match, and open the file', async () => {
    await open('Trade History');
    await page().locator('.editor-actions [aria-label^="Export History"]').waitFor();
    await new PanelFilters(page()).type('Symbol', 'eth_usdt');
    await panel().getByRole('button', { name: 'Remove filter “Symbol: eth_usdt”' }).waitFor();
    await eventually('only eth_usdt', async () => {
      const texts = await panel().locator('[role="gridcell"][aria-colindex="2"]').allInnerTexts();
      return texts.length > 0 && texts.every((text) => text === 'eth_usdt');
    });
    // The rows of the exchange have a range, and those of the ledger their number.
    const footer = await panel().locator('.footer').innerText();
    await panel().getByRole('button', { name: 'Export All…', exact: true }).click();
    await pick(page(), 'CSV');
    const file = path.join(workbench.folder, 'trades.csv');
    await saveAs(file);
    const done = notification(page(), 'Exported all');
    await done.waitFor({ timeout: 90_000 });
    const rows = parseCsv(await readFile(file, 'utf8')).slice(1);
    assert.ok(rows.every((row) => row[2] === 'eth_usdt'));
    const total = Number(/(?<=of )[\d,]+|[\d,]+(?= rows)/.exec(footer)?.[0].replaceAll(',', ''));
    assert.ok(total > 20 && Math.abs(rows.length - total) <= 20, `${rows.length}: ${footer}`);
    const names = (await readdir(workbench.folder)).sort();
    assert.deepEqual(names, ['trades.csv', 'trades.csv.meta.json']);
    await pressInNotification(done, 'Open File');
    await page().getByRole('tab', { name: 'trades.csv' }).waitFor();
  });

  /** The dialog takes no answer while it still reads the folder, and a new value makes it read again. */
  async function saveAs(file: string): Promise<void> {
    const { input, title, widget } = quickInput(page());
    await title.getByText('Export of the trade history of Practice').waitFor();
    await eventually('a proposed name', async () =>
      (await input.inputValue()).includes('trades-Practice-'),
    );
    await eventually('the dialog to take the name', async () => {
      if ((await input.inputValue()) !== file) await input.fill(file);
      await input.press('Enter');
      await widget.waitFor({ state: 'hidden', timeout: 2000 });
      return true;
    });
  }
});
