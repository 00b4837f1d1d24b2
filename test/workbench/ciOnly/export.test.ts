import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { findingsIn } from '../../support/workbench/axe.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import {
  clearNotifications,
  notification,
  pressInNotification,
} from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { pick, quickInput } from '../../support/workbench/quickInput.ts';
import { webview } from '../../support/workbench/webview.ts';

describe('export all in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('gridcell').first().waitFor();
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const filters = () => new PanelFilters(page());
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();

  /** Answers the save dialog, and gives the path that it proposed. */
  async function saveAs(file: string): Promise<string> {
    const { input, title, widget } = quickInput(page());
    await title.getByText('Export of the trade history of Practice').waitFor();
    const proposed = await eventually('a proposed name', async () => {
      const value = await input.inputValue();
      return value.includes('trades-Practice-') ? value : undefined;
    });
    // The dialog takes no answer while it still reads the folder, and a new value makes it read again.
    await eventually('the dialog to take the name', async () => {
      if ((await input.inputValue()) !== file) await input.fill(file);
      await input.press('Enter');
      await widget.waitFor({ state: 'hidden', timeout: 2000 });
      return true;
    });
    return proposed;
  }

  it('is offered for a history, and for no other table', async () => {
    await panel().getByRole('button', { name: 'Export All…', exact: true }).waitFor();
    await page().locator('.editor-actions [aria-label^="Export History"]').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
    await runCommand(page(), 'Margin Desk: Open Fee Tiers');
    await panel().getByRole('heading', { level: 1, name: 'Fee Tiers' }).waitFor();
    assert.equal(await panel().getByRole('button', { name: 'Export All…' }).count(), 0);
    await page()
      .locator('.editor-actions [aria-label^="Export History"]')
      .waitFor({ state: 'detached' });
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('gridcell').first().waitFor();
  });

  it('writes every row that the filters match, and opens the file', async () => {
    await filters().type('Symbol', 'eth_usdt');
    await eventually('the rows of eth_usdt', async () => {
      const texts = await panel().locator('[role="gridcell"][aria-colindex="2"]').allInnerTexts();
      return texts.length > 0 && texts.every((text) => text === 'eth_usdt');
    });
    const range = await panel().locator('.range').innerText();
    await press('Export All…');
    await pick(page(), 'CSV');
    const file = path.join(workbench.folder, 'trades.csv');
    assert.match(await saveAs(file), /trades-Practice-until-\d{8}T\d{6}Z\.csv$/);
    const done = notification(page(), 'Exported all');
    await done.waitFor({ timeout: 90_000 });
    const rows = parseCsv(await readFile(file, 'utf8')).slice(1);
    assert.ok(rows.every((row) => row[2] === 'eth_usdt'));
    const total = Number(/of ([\d,]+)/.exec(range)?.[1]?.replaceAll(',', ''));
    assert.ok(total > 20 && Math.abs(rows.length - total) <= 20, `${rows.length} of ${range}`);
    assert.deepEqual((await readdir(workbench.folder)).sort(), [
      'trades.csv',
      'trades.csv.meta.json',
    ]);
    await pressInNotification(done, 'Open File');
    await page().getByRole('tab', { name: 'trades.csv' }).waitFor();
    await clearNotifications(page());
  });

  it('can be cancelled and resumed', async () => {
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('gridcell').first().waitFor();
    await press('Clear');
    await panel().getByRole('gridcell').first().waitFor();
    await press('Export All…');
    await pick(page(), 'JSON Lines');
    await saveAs(path.join(workbench.folder, 'all.jsonl'));
    const running = notification(page(), 'Exporting the trade history of Practice · PRACTICE');
    await running.filter({ hasText: /[1-9][\d,]* rows/ }).waitFor();
    await pressInNotification(running, 'Cancel');
    await notification(page(), 'saved for 24 hours').waitFor();
    await press('Export All…');
    await pick(page(), 'JSON Lines');
    await quickInput(page()).widget.getByText('rows saved, stopped').waitFor();
    await pick(page(), 'Resume');
    await saveAs(path.join(workbench.folder, 'all.jsonl'));
    await notification(page(), 'Exported all').waitFor({ timeout: 90_000 });
  });

  it('asks before it writes real values in privacy mode', async () => {
    await clearNotifications(page());
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await filters().type('Symbol', 'eth_usdt');
    await panel().getByRole('gridcell', { name: 'hidden' }).first().waitFor();
    await press('Export All…');
    const { message } = await readDialog(page());
    assert.equal(message, 'Copy and export real values?');
    await pressInDialog(page(), 'Cancel');
    assert.equal(await quickInput(page()).widget.count(), 0);
    await press('Export All…');
    await readDialog(page());
    await pressInDialog(page(), 'Copy Real Values');
    await pick(page(), 'CSV');
    const file = path.join(workbench.folder, 'hidden.csv');
    await saveAs(file);
    await notification(page(), 'Exported all').waitFor({ timeout: 90_000 });
    const [head = [], ...rows] = parseCsv(await readFile(file, 'utf8'));
    const amounts = rows.map((row) => row[head.indexOf('amount')] ?? '');
    assert.ok(amounts.length > 20 && amounts.every((amount) => /^\d+(?:\.\d+)?$/.test(amount)));
  });
});
