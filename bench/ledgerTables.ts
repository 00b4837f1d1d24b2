import os from 'node:os';
import type { Locator, Page } from 'playwright-core';
import { ledgerPageSize } from '../src/protocol/table.ts';
import { hostileExchange } from '../test/support/hostileExchange.ts';
import { minuteLimit } from '../test/support/hostileExchange/options.ts';
import { rowsOf } from '../test/support/hostileExchange/rows.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { closeBrowser } from '../test/support/workbench/browser.ts';
import { runCommand } from '../test/support/workbench/commands.ts';
import { openWorkbench } from '../test/support/workbench/openWorkbench.ts';
import { webview, webviewFrame } from '../test/support/workbench/webview.ts';
import { median, type Bar, type Figure } from './figures.ts';
import { downloadHistory, ownAndOtherVsix, settingsFor } from './panelTimes.ts';

/** A window with a ledger. The other package searches only with Enter. */
type LedgerWindow = Awaited<ReturnType<typeof openWorkbench>> & { readonly isOwn: boolean };

const visibleRows = 20;
/** How long a page waits for another key before it searches. */
const searchDelayMs = 150;
/** What the clicks on one header do. The order of time is not measured: after a column of times, it is there already. */
const directions = [1, -1, 0, 1, -1, 0, 1, -1, 0] as const;
/** Each finds trades by the beginning of their ids. */
const searches = ['1', '2', '3', '7', '9'];
/** The views of the analysis that are measured in turn, with what only they say. */
const views = [
  ['Funding', 'Payments you made are negative'],
  ['Realised P&L', 'Gross: before fees and funding.'],
] as const;

const columns = {
  'Time (UTC)': 'time',
  Symbol: 'symbol',
  Side: 'side',
  Price: 'price',
  Amount: 'amount',
  'P&L': 'rpnl',
  Fee: 'fee',
  Maker: 'maker',
  'Trade id': 'tradeId',
  'Order id': 'orderId',
} as const;

/** No two trades have the same amount. Each column has another order. */
function fieldsOf(row: number) {
  return {
    symbol: JSON.stringify(['btc_usdt', 'eth_usdt', 'sol_usdt'][row % 3]),
    side: JSON.stringify(row % 2 === 0 ? 'BUY' : 'SELL'),
    amount: `1.${String((row * 7919) % 1_000_000).padStart(6, '0')}5`,
    price: `${50_000 + ((row * 31) % 977)}.${row % 100}`,
    rpnl: row % 5 === 0 ? `-1.${(row * 13) % 10_007}` : `0.${row % 71}`,
    fee: `-0.000${(row * 31) % 100_000}`,
    maker: String(row % 7 === 0),
    orderId: String(5_000_000 + ((row * 17) % 9973)),
  };
}

/**
 * What a person waits for in a real VS Code with a ledger of so many trades; beside another package of this extension,
 * too, if `MARGIN_DESK_OTHER_VSIX` names one.
 */
export async function ledgerTableFigures(count = 22_000): Promise<Figure[]> {
  const newestAt = Date.now() - 60_000;
  const transactions = rowsOf('transactions', 1000, { newestAt, spacingMs: 6_000_000 });
  const trades = rowsOf('trades', count, { newestAt, fields: fieldsOf, spacingMs: 300_000 });
  const exchange = await hostileExchange({
    reading: { sort: 'newestFirst' },
    rateLimits: minuteLimit(1_000_000),
    rows: { trades, transactions },
  });
  const windows: LedgerWindow[] = [];
  try {
    for (const vsix of ownAndOtherVsix()) {
      const settings = settingsFor(exchange);
      const opened = await openWorkbench({ settings, ...(vsix && { vsix }) });
      windows.push({ ...opened, isOwn: vsix === undefined });
      await opened.page.addInitScript(await pageScript('bench/pages/watch.ts'));
      await downloadHistory(opened.page);
      await showLedgerTable(opened.page, count);
    }
    const rows = tradesOf(count);
    const sorted = await sortFigures(windows, rows);
    const searched = await searchFigure(windows, rows);
    return [...sorted, searched, await viewFigure(windows)];
  } finally {
    for (const window of windows) await window.close();
    await closeBrowser();
    await exchange.close();
  }
}

type Row = ReturnType<typeof tradesOf>[number];

/** Newest first. */
function tradesOf(count: number) {
  return Array.from({ length: count }, (_none, row) => ({
    ...fieldsOf(row),
    time: String(-row),
    tradeId: String(count - row),
  }));
}

async function showLedgerTable(page: Page, count: number): Promise<void> {
  await runCommand(page, 'Margin Desk: Open Trade History');
  const panel = webview(page);
  await panel.getByRole('button', { name: /^Source/ }).click();
  await panel.getByRole('menuitemradio', { name: 'Ledger' }).click();
  await panel.locator('.range', { hasText: allRows(count) }).waitFor();
}

/** What the footer says once all rows of a page are there. */
function allRows(count: number): string {
  const [last, total] = [Math.min(count, ledgerPageSize), count].map((one) =>
    one.toLocaleString('en'),
  );
  return `1–${last} of ${total}`;
}

/** Of the slowest column, until its first rows are there, and until all are. */
async function sortFigures(
  windows: readonly LedgerWindow[],
  rows: readonly Row[],
): Promise<Figure[]> {
  const slowest = { first: noTimes(windows), all: noTimes(windows), columns: '' };
  for (const [heading, field] of Object.entries(columns)) {
    const first = windows.map((): number[] => []);
    const all = windows.map((): number[] => []);
    for (const direction of directions)
      for (const [index, { page }] of windows.entries()) {
        const amounts = firstAmounts(rows, field, direction);
        const header = webview(page).getByRole('columnheader', { name: heading }).first();
        await header.scrollIntoViewIfNeeded();
        const times = await timesAfter(page, 'pointerup', amounts, allRows(rows.length), () =>
          header.click(),
        );
        if (direction === 0) continue;
        first[index]?.push(times.first);
        all[index]?.push(times.all);
      }
    slowest.first = slowest.first.map((ms, index) => Math.max(ms, median(first[index] ?? [])));
    slowest.all = slowest.all.map((ms, index) => Math.max(ms, median(all[index] ?? [])));
  }
  const [ownMs = 0, otherMs] = slowest.first;
  const [allMs = 0, otherAllMs] = slowest.all;
  const load = os.loadavg()[0]?.toFixed(1);
  const name = `sort ${rows.length} rows of the ledger, click to rows on screen, slowest column, load ${load}`;
  return [
    { name: name + beside(otherMs), value: ownMs, unit: 'ms', bar: within(300) },
    { name: `and to all rows of the page${beside(otherAllMs)}`, value: allMs, unit: 'ms' },
  ];
}

async function searchFigure(
  windows: readonly LedgerWindow[],
  rows: readonly Row[],
): Promise<Figure> {
  const times = windows.map((): number[] => []);
  for (const text of searches)
    for (const [index, { page, isOwn }] of windows.entries()) {
      const search = webview(page).getByRole('textbox', { name: 'Search all rows' });
      await search.fill('');
      await search.press('Enter');
      await webview(page)
        .locator('.range', { hasText: allRows(rows.length) })
        .waitFor();
      const amounts = rows
        .filter(({ tradeId }) => tradeId.startsWith(text))
        .map(({ amount }) => amount);
      if (!isOwn) await search.fill(text);
      const { first } = await timesAfter(page, 'keydown', amounts.slice(0, visibleRows), '', () =>
        search.press(isOwn ? text : 'Enter'),
      );
      times[index]?.push(first - (isOwn ? searchDelayMs : 0));
    }
  const [ownMs = 0, otherMs] = times.map(median);
  const name = `search ${rows.length} rows of the ledger, last key to rows on screen, without the ${searchDelayMs} ms of waiting for another key`;
  return { name: name + beside(otherMs), value: ownMs, unit: 'ms', bar: within(250) };
}

async function viewFigure(windows: readonly LedgerWindow[]): Promise<Figure> {
  const times = windows.map((): number[] => []);
  for (const { page } of windows) {
    await runCommand(page, 'Margin Desk: Open Analysis');
    await viewButton(page, views[1][0]).click();
    await webview(page).getByText(views[1][1]).first().waitFor();
  }
  for (const [name, text] of [...views, ...views, ...views].slice(0, 5))
    for (const [index, { page }] of windows.entries()) {
      const button = viewButton(page, name);
      const { first } = await timesAfter(page, 'pointerup', [text], '', () => button.click());
      times[index]?.push(first);
    }
  const [ownMs = 0, otherMs] = times.map(median);
  const name = `switch of an Analysis view, click to the other view on screen${beside(otherMs)}`;
  return { name, value: ownMs, unit: 'ms', bar: within(150) };
}

/** The buttons of views come before the legends of charts, which may have a button of the same name. */
function viewButton(page: Page, name: string): Locator {
  return webview(page).getByRole('button', { name, exact: true }).first();
}

/** A time of this machine: only ten times its bar fails the bench. */
function within(value: number): Bar {
  return { is: 'at most', value, fails: { beyond: 10 * value } };
}

function beside(otherMs: number | undefined): string {
  return otherMs === undefined ? '' : `, other package ${otherMs.toFixed(0)} ms`;
}

function noTimes(windows: readonly LedgerWindow[]): readonly number[] {
  return windows.map(() => 0);
}

/** The amounts of the first rows in an order; without a direction, newest first. */
function firstAmounts(
  rows: readonly Row[],
  field: (typeof columns)[keyof typeof columns],
  direction: 1 | 0 | -1,
): string[] {
  const isNumber = !Number.isNaN(Number(rows[0]?.[field]));
  const before = (one: string, other: string): number =>
    isNumber ? Number(one) - Number(other) : Number(one > other) - Number(one < other);
  // From the oldest on, as rows with equal values are.
  const inOrder = rows.toReversed().sort((one, other) => before(one[field], other[field]));
  const from = direction === 0 ? rows : direction > 0 ? inOrder : inOrder.toReversed();
  return from.slice(0, visibleRows).map(({ amount }) => amount);
}

/** Milliseconds from an event of this type, which `act` causes, until the texts are on screen, and the last one as well. */
async function timesAfter(
  page: Page,
  type: 'pointerup' | 'keydown',
  texts: readonly string[],
  last: string,
  act: () => Promise<void>,
): Promise<{ readonly first: number; readonly all: number }> {
  const frame = await webviewFrame(page);
  const lists = JSON.stringify([texts, [...texts, last]]);
  await frame.evaluate(`globalThis.times = Promise.all(${lists}.map((texts) => {
    watch.shownAfter('${type}', texts);
    return watch.result;
  })); undefined`);
  await act();
  const [first, all] = (await frame.evaluate('times')) as [number, number];
  return { first, all };
}
