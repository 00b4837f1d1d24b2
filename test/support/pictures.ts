import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { make } from './npm.ts';
import { projectRoot } from './project.ts';
import { freqtradeOfPractice } from './botOfLedger.ts';
import { script } from './script.ts';
import { setSideBarWidth } from './workbench/appearance.ts';
import { closeBrowser } from './workbench/browser.ts';
import { runCommand } from './workbench/commands.ts';
import { pressInDialog, readDialog } from './workbench/dialog.ts';
import { leaveHover, whileHovering } from './workbench/hover.ts';
import { openWorkbench, type Workbench } from './workbench/openWorkbench.ts';
import { statusBarItem } from './workbench/statusBar.ts';
import { chooseFromMenu, showView, treeRows } from './workbench/tree.ts';
import { webview } from './workbench/webview.ts';

const { values } = parseArgs({ options: { first: { type: 'string' } } });
const readmePictures = values.first ?? path.join(projectRoot, 'media/readme');
const file = (name: string): string => path.join(readmePictures, `${name}.png`);

/**
 * `npm run pictures`: takes README's pictures into `media/readme`, and asserts nothing. With `--first` it takes
 * only the first, into the named folder.
 */
await script(async () => {
  await make('package');
  const workbench = await openPractice();
  const { page } = workbench;
  try {
    await leaveHover(page);
    await page.screenshot({ path: file('order-history') });
    if (values.first !== undefined) return 0;
    await takeReadmePictures(page);
    await takeComparison(workbench);
    await takeReceipt(page);
    await shrinkReadmePictures();
    return 0;
  } finally {
    await workbench.close();
    await closeBrowser();
  }
});

/** Opens the practice exchange on today's date, which the window shows beside its rows. */
async function openPractice(): Promise<Workbench> {
  const workbench = await openWorkbench({
    viewport: { width: 1440, height: 900 },
    env: { MARGIN_DESK_PRACTICE_NOW: undefined },
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'marginDesk.timeZone': 'UTC' },
  });
  const { page } = workbench;
  await showView(page, 'Margin Desk');
  await runCommand(page, 'Margin Desk: Open Practice Account');
  await treeRows(page, 'Positions').first().waitFor();
  await setSideBarWidth(page, 380);
  await openTable(page, 'Order History');
  return workbench;
}

async function takeReadmePictures(page: Page): Promise<void> {
  await runCommand(page, 'Margin Desk: Cancel All Open Orders…');
  await readDialog(page);
  await takeAround(page, [page.locator('.monaco-dialog-box')], file('cancel-all'));
  await pressInDialog(page, 'Keep Orders');
  await openTable(page, 'Transaction History');
  await page.locator('.part.editor').screenshot({ path: file('transactions') });
  await setSideBarWidth(page, 520);
  const views = page.locator('.part.activitybar, .part.sidebar');
  await takeAround(page, await views.all(), file('views'));
  await setSideBarWidth(page, 380);
  await takeLedgerPages(page);
}

/** Once the practice ledger is filled: what it adds up to, and what it proves. */
async function takeLedgerPages(page: Page): Promise<void> {
  const panel = webview(page);
  const editor = page.locator('.part.editor');
  await runCommand(page, 'Margin Desk: Open Analysis');
  await panel
    .getByText(/^Complete \d/)
    .first()
    .waitFor({ timeout: 120_000 });
  const gaps = panel.getByRole('button', { name: 'Fill Gaps' }).first();
  await gaps.waitFor({ state: 'detached', timeout: 120_000 });
  // The first read of the account after the trades decides where positions began.
  await panel.getByRole('button', { name: 'Calendar' }).click();
  const month = panel.locator('margin-calendar article').first();
  await month
    .getByText(/ closed$/)
    .first()
    .waitFor({ timeout: 120_000 });
  await takeAround(page, [month], file('calendar'));
  await panel.getByRole('button', { name: 'Summary' }).click();
  const chart = panel.getByRole('application').first();
  await chart.press('End');
  await editor.screenshot({ path: file('analysis') });
  const equity = statusBarItem(page, 'marginDesk.equity');
  await whileHovering(page, equity, 'Today', (hover) =>
    takeAround(page, [hover, equity], file('status-bar')),
  );
  await leaveHover(page);
  await runCommand(page, 'Margin Desk: Open Reconciliation');
  await panel
    .getByText(/^Proved: /)
    .first()
    .waitFor({ timeout: 120_000 });
  await editor.screenshot({ path: file('reconciliation') });
  await runCommand(page, 'Margin Desk: Allow Agents…');
  await readDialog(page);
  await takeAround(page, [page.locator('.monaco-dialog-box')], file('agents'));
  await pressInDialog(page, 'Do Not Allow');
}

/** Of a bot that has one fee with the wrong sign. */
async function takeComparison({ page, dataDir, folder }: Workbench): Promise<void> {
  await freqtradeOfPractice(dataDir, path.join(folder, 'tradesv3.sqlite'));
  await showView(page, 'Explorer');
  const bot = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'tradesv3' });
  await chooseFromMenu(page, bot, 'Compare With Bot…');
  await webview(page).getByText('sign of the fee').first().waitFor();
  await page.locator('.part.editor').screenshot({ path: file('compare') });
}

/** Afterwards, the practice account has no open orders. */
async function takeReceipt(page: Page): Promise<void> {
  await runCommand(page, 'Margin Desk: Cancel All Open Orders…');
  await readDialog(page);
  await pressInDialog(page, 'Cancel All Orders');
  await page.locator('.notifications-toasts').getByText('Show Receipt').first().click();
  const timeline = webview(page).getByRole('heading', { name: 'Timeline' });
  await timeline.waitFor();
  await page.locator('.part.editor').screenshot({ path: file('receipt') });
}

/** The package contains them: a palette of few colours makes them a third as large, and no one sees it. */
async function shrinkReadmePictures(): Promise<void> {
  for (const name of await readdir(readmePictures)) {
    const picture = path.join(readmePictures, name);
    const smaller = sharp(picture).png({ palette: true, quality: 75, effort: 10, dither: 0 });
    await writeFile(picture, await smaller.toBuffer());
  }
}

async function openTable(page: Page, title: string): Promise<void> {
  await runCommand(page, `Margin Desk: Open ${title}`);
  await webview(page).getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await webview(page).getByRole('gridcell').first().waitFor();
}

/** Takes the part of the window that holds all of these, with a little around them. */
async function takeAround(page: Page, parts: readonly Locator[], file: string): Promise<Buffer> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const found = boxes.filter((box) => box !== null);
  const around = 12;
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const left = Math.max(0, Math.min(...found.map((box) => box.x)) - around);
  const top = Math.max(0, Math.min(...found.map((box) => box.y)) - around);
  const right = Math.min(width, Math.max(...found.map((box) => box.x + box.width)) + around);
  const bottom = Math.min(height, Math.max(...found.map((box) => box.y + box.height)) + around);
  const clip = { x: left, y: top, width: right - left, height: bottom - top };
  return page.screenshot({ path: file, clip });
}
