import assert from 'node:assert/strict';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { screenshot, setSideBarWidth, useTheme } from '../support/workbench/appearance.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { pick, quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';
import { showView, treeRow, treeRows } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

/**
 * Twelve pictures for somebody to look at: each surface once, in turns over the four kinds of theme.
 * Each test waits for what its picture is of, and goes on where the one before it ended.
 */
describe('the surfaces in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      settings: {
        'workbench.colorTheme': 'Default Dark Modern',
        'marginDesk.timeZone': 'UTC',
        'marginDesk.alerts.positions': true,
      },
    });
    await showView(page(), 'Margin Desk');
    await runCommand(page(), 'Margin Desk: Try the Practice Exchange');
    await treeRows(page(), 'Positions').first().waitFor();
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const leave = () => page().mouse.move(900, 300);

  async function picture(number: number, name: string): Promise<void> {
    await screenshot(page(), `surface-${String(number).padStart(2, '0')}-${name}`);
  }

  async function sideBar(widthPx: number): Promise<void> {
    await setSideBarWidth(page(), widthPx);
    const box = await page().locator('.part.sidebar').boundingBox();
    assert.ok(Math.abs((box?.width ?? 0) - widthPx) <= 2, `${box?.width}`);
    await leave();
    await page().locator('.monaco-sash.hover').waitFor({ state: 'detached' });
  }

  it('alert, dark', async () => {
    await notification(page(), 'in danger of liquidation').waitFor();
    await picture(1, 'alert-dark');
    await clearNotifications(page());
  });

  it('side bar of 300 px, dark', async () => {
    await sideBar(300);
    await picture(2, 'side-bar-300-dark');
  });

  it('side bar of 200 px, light', async () => {
    await useTheme(workbench, 'Default Light Modern');
    await sideBar(200);
    await picture(3, 'side-bar-200-light');
    await sideBar(300);
  });

  it('hover of a position, light', async () => {
    await treeRow(page(), 'btc_usdt').hover();
    await page().locator('.monaco-hover:visible', { hasText: 'our estimate' }).first().waitFor();
    await picture(4, 'hover-light');
    await leave();
  });

  it('hover of the status bar, high contrast light', async () => {
    await useTheme(workbench, 'Default High Contrast Light');
    await statusBarItem(page(), 'marginDesk.equity').hover();
    const hover = page().locator('.monaco-hover:visible', { hasText: 'positions in danger' });
    await hover.first().waitFor();
    await picture(5, 'status-hover-high-contrast-light');
    await page().keyboard.press('Escape');
    await leave();
  });

  it('order history, high contrast light', async () => {
    await runCommand(page(), 'Margin Desk: Open Order History');
    await panel().getByRole('gridcell').first().waitFor();
    await picture(6, 'order-history-high-contrast-light');
  });

  it('order history, dark', async () => {
    await useTheme(workbench, 'Default Dark Modern');
    await panel().getByRole('gridcell').first().waitFor();
    await picture(7, 'order-history-dark');
  });

  it('privacy, high contrast', async () => {
    await useTheme(workbench, 'Default High Contrast');
    await runCommand(page(), 'Margin Desk: Hide or Show Amounts');
    await panel().getByRole('gridcell', { name: 'hidden' }).first().waitFor();
    await treeRows(page(), 'Positions').filter({ hasText: '•••' }).first().waitFor();
    await picture(8, 'privacy-high-contrast');
    await runCommand(page(), 'Margin Desk: Hide or Show Amounts');
    await panel().getByRole('gridcell', { name: 'hidden' }).first().waitFor({ state: 'detached' });
  });

  it('running export, high contrast', async () => {
    await panel().getByRole('button', { name: 'Export All…', exact: true }).click();
    await pick(page(), 'CSV');
    await eventually('the dialog to take the name', async () => {
      const { input, widget } = quickInput(page());
      await input.fill(path.join(workbench.folder, 'orders.csv'));
      await input.press('Enter');
      await widget.waitFor({ state: 'hidden', timeout: 2000 });
      return true;
    });
    const running = notification(page(), 'Exporting the order history');
    await running.filter({ hasText: /[1-9][\d,]* rows/ }).waitFor();
    await picture(9, 'export-high-contrast');
    await notification(page(), 'Exported all').waitFor({ timeout: 40_000 });
    await clearNotifications(page());
  });

  it('question before a cancel-all, dark', async () => {
    await useTheme(workbench, 'Default Dark Modern');
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders');
    await readDialog(page());
    await picture(10, 'cancel-all-dark');
    await pressInDialog(page(), 'Cancel Every Open Order');
    await notification(page(), 'Nothing is locked now.').waitFor();
    await notification(page(), 'Cancelling every open order').waitFor({ state: 'detached' });
    await picture(11, 'cancel-all-done-dark');
    await clearNotifications(page());
  });

  it('receipt, light', async () => {
    await useTheme(workbench, 'Default Light Modern');
    await runCommand(page(), 'Margin Desk: Show Receipts of Cancel All');
    await quickInput(page()).rows.first().click();
    await page().locator('.monaco-editor .view-line', { hasText: 'Practice' }).first().waitFor();
    await picture(12, 'receipt-light');
  });
});
