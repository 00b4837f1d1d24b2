import os from 'node:os';
import type { Locator, Page } from 'playwright-core';
import { hostileExchange, type HostileExchange } from '../test/support/hostileExchange.ts';
import { minuteLimit } from '../test/support/hostileExchange/options.ts';
import { rowsOf } from '../test/support/hostileExchange/rows.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { closeBrowser } from '../test/support/workbench/browser.ts';
import { runCommand } from '../test/support/workbench/commands.ts';
import { openWorkbench } from '../test/support/workbench/openWorkbench.ts';
import { webview, webviewFrame } from '../test/support/workbench/webview.ts';
import { median, type Figure } from './figures.ts';
import { panelTimeFigures, settingsFor } from './panelTimes.ts';

const switches = 5;
const pageRows = 500;
const visibleRows = 20;
/** Counted from 0, up to the last: only the page after the shown one is prefetched. */
const unreadPages = [2, 4, 6, 8, 10];

/** What a person waits for in a panel of a real VS Code, with an exchange on this machine. */
export async function panelFigures(): Promise<Figure[]> {
  const newestAt = Date.now() - 60_000;
  const fields = (row: number): Record<string, string> => ({ amount: amountOf(row) });
  const exchange = await hostileExchange({
    reading: { sort: 'newestFirst' },
    rateLimits: minuteLimit(1_000_000),
    rows: {
      trades: rowsOf('trades', pageRows * 11, { newestAt, fields, spacingMs: 600_000 }),
      transactions: rowsOf('transactions', pageRows, { newestAt, spacingMs: 6_000_000 }),
    },
  });
  try {
    const figures = await tableFigures(exchange);
    return [...figures, ...(await panelTimeFigures(settingsFor(exchange), amountsOf(0)))];
  } finally {
    await closeBrowser();
    await exchange.close();
  }
}

async function tableFigures(exchange: HostileExchange): Promise<Figure[]> {
  const workbench = await openWorkbench({ settings: settingsFor(exchange) });
  const { page } = workbench;
  try {
    await page.addInitScript(await pageScript('bench/pages/watch.ts'));
    await openTrades(page);
    const nextMs: number[] = [];
    for (const shown of unreadPages) nextMs.push(await goToPage(page, shown, exchange));
    const sent = exchange.seen('trades').length;
    const backMs = await switchesBack(page);
    return figuresOf(nextMs, backMs, exchange.seen('trades').length - sent);
  } finally {
    await workbench.close();
  }
}

function figuresOf(nextMs: number[], backMs: number[], requests: number): Figure[] {
  const load = os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(' ');
  return [
    {
      name: `another page of 500 in VS Code without prefetch, key to all on screen, load ${load}`,
      value: median(nextMs),
      unit: 'ms',
      bar: { is: 'at most', value: 120, fails: { beyond: 1200 } },
    },
    {
      name: 'tab switched back to a panel of 500 rows, click to all on screen',
      value: median(backMs),
      unit: 'ms',
      bar: { is: 'at most', value: 300, fails: { beyond: 3000 } },
    },
    {
      name: 'and its requests for trades',
      value: requests,
      unit: '',
      bar: { is: 'at most', value: 0, fails: true },
    },
  ];
}

/** No two trades have the same amount. */
function amountOf(row: number): string {
  return `1.${String(row + 1).padStart(6, '0')}5`;
}

function amountsOf(page: number): string[] {
  return Array.from({ length: visibleRows }, (_, row) => amountOf(page * pageRows + row));
}

async function openTrades(page: Page): Promise<void> {
  await runCommand(page, 'Margin Desk: Open Trade History');
  const panel = webview(page);
  await panel.getByRole('button', { name: '100 per page' }).click();
  await panel.getByRole('menuitemradio', { name: '500 per page' }).click();
  await panel.locator('.range', { hasText: '1–500 of' }).waitFor();
}

/** From the key in the field of the page to all its rows on screen. */
async function goToPage(page: Page, shown: number, exchange: HostileExchange): Promise<number> {
  const isRead = exchange.seen('trades').some(({ query }) => query.get('page') === String(shown));
  if (isRead) throw new Error(`Page ${shown} was read before it was asked for.`);
  const frame = await webviewFrame(page);
  await webview(page)
    .getByRole('textbox', { name: 'Page' })
    .fill(String(shown + 1));
  await frame.evaluate(`watch.shownAfter('keydown', ${JSON.stringify(amountsOf(shown))})`);
  await page.keyboard.press('Enter');
  return Number(await frame.evaluate('watch.result'));
}

/** From the click on the tab to all rows of the panel on screen again. */
async function switchesBack(page: Page): Promise<number[]> {
  const times: number[] = [];
  const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
  const heading = (name: string): Locator =>
    webview(page).getByRole('heading', { name, exact: true });
  await page.addInitScript(noteRows(amountsOf(unreadPages.at(-1) ?? 0)));
  await runCommand(page, 'Margin Desk: Open Fee Tiers');
  for (let turn = 0; turn < switches; turn += 1) {
    await tab('Fee Tiers').click();
    await heading('Fee Tiers').waitFor();
    await page.evaluate(noteClick);
    await tab('Trade History').click();
    await heading('Trade History').waitFor();
    const shownAt = Number(await (await webviewFrame(page)).evaluate('shownAt'));
    times.push(shownAt - Number(await page.evaluate('clickedAt')));
  }
  return times;
}

/** VS Code writes the document of a panel anew: a frame that was asked for before that never comes. */
function noteRows(amounts: readonly string[]): string {
  return `globalThis.shownAt = new Promise((resolve) => {
    const wait = () =>
      document.querySelector('margin-grid, kept-margin-grid')
        ? resolve(watch.shown(${JSON.stringify(amounts)}, () => -performance.timeOrigin))
        : setTimeout(wait);
    wait();
  });`;
}

const noteClick = `addEventListener(
  'mousedown',
  ({ timeStamp }) => (globalThis.clickedAt = performance.timeOrigin + timeStamp),
  { capture: true, once: true },
);`;
