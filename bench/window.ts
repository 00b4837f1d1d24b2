import path from 'node:path';
import type { Page } from 'playwright-core';
import { hostileExchange, type HostileExchange } from '../test/support/hostileExchange.ts';
import { minuteLimit } from '../test/support/hostileExchange/options.ts';
import { rowsOf } from '../test/support/hostileExchange/rows.ts';
import { projectRoot } from '../test/support/project.ts';
import { pageScript } from '../test/support/tableInBrowser.ts';
import { closeBrowser } from '../test/support/workbench/browser.ts';
import { runCommand } from '../test/support/workbench/commands.ts';
import { downloadHistory } from '../test/support/workbench/downloadHistory.ts';
import { openWorkbench } from '../test/support/workbench/openWorkbench.ts';
import { webview, webviewFrame } from '../test/support/workbench/webview.ts';
import { median, type Figure } from './figures.ts';
import { sizes } from './sizes.ts';
import { amountsOf, firstAmounts, rowsWith, tradeFields, tradesIn } from './windowTrades.ts';
import { ledgerPageSize } from '../src/protocol/values.ts';

/** A panel: the command that opens it, and what it shows once it has its content. */
type Panel = {
  readonly tab: string;
  readonly command: string;
  readonly content: readonly string[];
};

const count = sizes.windowTrades;
const pageRows = 500;
/** Counted from 0: only the page after the shown one is prefetched. */
const unreadPages = [2, 4, 6, 8, 10].slice(0, sizes.turns);
/** How long a page waits for another key before it searches. */
const searchDelayMs = 150;
const sortedColumns = {
  Symbol: 'symbol',
  Price: 'price',
  Amount: 'amount',
  'P&L': 'rpnl',
  'Order id': 'orderId',
} as const;
/** Each finds trades by the beginning of their ids. */
const searches = ['1', '2', '3', '7', '9'].slice(0, sizes.turns);

const empty: Panel = {
  tab: 'Empty Panel',
  command: 'Bench: Open Empty Panel',
  content: ['An empty panel'],
};
const trades: Panel = {
  tab: 'Trade History',
  command: 'Margin Desk: Open Trade History',
  content: amountsOf(0, pageRows),
};
const own: readonly Panel[] = [
  trades,
  { tab: 'Overview', command: 'Margin Desk: Open Account Overview', content: ['Unrealised P&L'] },
  {
    tab: 'Ledger',
    command: 'Margin Desk: Open Ledger',
    content: [`${count.toLocaleString('en')} rows`],
  },
  { tab: 'Analysis', command: 'Margin Desk: Open Analysis', content: ['Drawdown'] },
];

/** What a person waits for in a real VS Code with a ledger, from an exchange on this machine, beside an empty panel. */
export async function windowFigures(): Promise<Figure[]> {
  const newestAt = Date.now() - 60_000;
  const exchange = await hostileExchange({
    reading: { sort: 'newestFirst' },
    rateLimits: minuteLimit(1_000_000),
    rows: {
      trades: rowsOf('trades', count, { newestAt, fields: tradeFields, spacingMs: 300_000 }),
      transactions: rowsOf('transactions', 1000, { newestAt, spacingMs: 6_000_000 }),
    },
  });
  const beside = path.join(projectRoot, 'bench/host/emptyPanel');
  const workbench = await openWorkbench({ settings: settingsFor(exchange), beside });
  const { page } = workbench;
  try {
    await page.addInitScript(await pageScript('bench/pages/watch.ts'));
    await page.addInitScript(noteContent([empty, ...own]));
    const another = await anotherPage(page, exchange);
    await runCommand(page, 'View: Close All Editors');
    await downloadHistory(page);
    const panels = await panelFigures(page, exchange);
    return [...panels, ...(await ledgerFigures(page, another))];
  } finally {
    await workbench.close();
    await closeBrowser();
    await exchange.close();
  }
}

/** Of a window with a profile for this exchange. */
function settingsFor({ url }: HostileExchange): Record<string, unknown> {
  const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
  const profile = { baseUrl: url, environment: 'test', auth: { scheme: 'none' }, dialect };
  return {
    'marginDesk.timeZone': 'UTC',
    'marginDesk.defaultProfile': 'Bench',
    'marginDesk.profiles': { Bench: profile },
  };
}

async function panelFigures(page: Page, exchange: HostileExchange): Promise<Figure[]> {
  const opening = new Map<string, number>();
  for (const panel of [empty, ...own]) opening.set(panel.tab, await openingMs(page, panel));
  await runCommand(page, 'View: Close All Editors');
  for (const panel of [empty, ...own]) await openMs(page, panel);
  const sent = requestsOfPanels(exchange);
  if (sent === 0) throw new Error('No panel has asked for trades.');
  const back = new Map<string, number>();
  for (const panel of [empty, ...own]) back.set(panel.tab, await backMs(page, panel));
  const requests = requestsOfPanels(exchange) - sent;
  const figures = (name: string, times: ReadonlyMap<string, number>, timesPeer: number) =>
    own.map(({ tab }): Figure => {
      const peers = { 'an empty panel': times.get(empty.tab) ?? NaN };
      const value = times.get(tab) ?? NaN;
      return { name: `${name} ${tab}`, unit: 'ms', value, peers, bar: { timesPeer } };
    });
  return [
    ...figures('command to the content of', opening, 5),
    ...figures('click on its tab to the content of', back, 3),
    { name: 'and their requests for trades', unit: '', value: requests, bar: { atMost: 0 } },
  ];
}

/** What keeps the ledger current asks for a period. */
function requestsOfPanels(exchange: HostileExchange): number {
  return exchange.seen('trades').filter(({ query }) => !query.has('dateFrom')).length;
}

async function openingMs(page: Page, panel: Panel): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < sizes.turns; turn += 1) {
    await runCommand(page, 'View: Close All Editors');
    times.push(await openMs(page, panel));
  }
  return median(times);
}

async function openMs(page: Page, panel: Panel): Promise<number> {
  await page.evaluate(notePress('click'));
  await runCommand(page, panel.command);
  return sincePress(page, panel);
}

/** Another panel is in front before it. */
async function backMs(page: Page, panel: Panel): Promise<number> {
  const times: number[] = [];
  const show = async ({ tab, content: [text = ''] }: Panel): Promise<void> => {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await webview(page).getByText(text).first().waitFor();
  };
  for (let turn = 0; turn < sizes.turns; turn += 1) {
    await show(panel === empty ? trades : empty);
    await page.evaluate(notePress('mousedown'));
    await show(panel);
    times.push(await sincePress(page, panel));
  }
  return median(times);
}

async function sincePress(page: Page, { content: [text = ''] }: Panel): Promise<number> {
  await webview(page).getByText(text).first().waitFor();
  const shownAt = Number(await (await webviewFrame(page)).evaluate('shownAt'));
  return shownAt - Number(await page.evaluate('pressedAt'));
}

/** When each document of a panel first shows its content. VS Code writes it into a frame that is empty at first. */
function noteContent(panels: readonly Panel[]): string {
  const contents = JSON.stringify(panels.map(({ content }) => content));
  return `if (frameElement) globalThis.shownAt = new Promise((resolve) => {
    const wait = () =>
      document.body?.childElementCount
        ? resolve(watch.shownAny(${contents}, () => -performance.timeOrigin))
        : setTimeout(wait);
    wait();
  });`;
}

function notePress(type: 'click' | 'mousedown'): string {
  return `addEventListener(
    '${type}',
    ({ timeStamp }) => (globalThis.pressedAt = performance.timeOrigin + timeStamp),
    { capture: true, once: true },
  );`;
}

/** From the key in the field of the page to all rows of a page that nobody read before. */
async function anotherPage(page: Page, exchange: HostileExchange): Promise<number> {
  await runCommand(page, trades.command);
  const panel = webview(page);
  await panel.getByRole('button', { name: '100 per page' }).click();
  await panel.getByRole('menuitemradio', { name: '500 per page' }).click();
  await panel.locator('.range', { hasText: '1–500 of' }).waitFor();
  const times: number[] = [];
  for (const shown of unreadPages) {
    const isRead = ({ query }: { readonly query: URLSearchParams }): boolean =>
      query.get('page') === String(shown) && query.get('size') === String(pageRows);
    if (exchange.seen('trades').some(isRead)) throw new Error(`Page ${shown} was read before.`);
    const field = panel.getByRole('textbox', { name: 'Page' });
    await field.fill(String(shown + 1));
    times.push(
      await timeAfter(page, 'keydown', amountsOf(shown, pageRows), () => field.press('Enter')),
    );
  }
  return median(times);
}

/** Beside another page of the exchange's rows. */
async function ledgerFigures(page: Page, anotherPageMs: number): Promise<Figure[]> {
  await runCommand(page, trades.command);
  await allRows(page);
  const figure = (name: string, value: number, timesPeer: number): Figure => ({
    ...{ name, unit: 'ms', value, bar: { timesPeer } },
    peers: { 'another page of the exchange': anotherPageMs },
  });
  const rows = tradesIn(count);
  const sorts = await sortTimes(page, rows);
  const found = await searchTimes(page, rows);
  return [
    { name: 'key to another page of 500 rows', unit: 'ms', value: anotherPageMs },
    figure(`click to ${count} rows of the ledger in another order`, median(sorts), 6),
    figure('last key to the rows that a search finds', median(found) - searchDelayMs, 3),
    figure('click to another view of the analysis', median(await viewTimes(page)), 3),
  ];
}

/** Once all rows of a page of the ledger are there, the footer says which. */
async function allRows(page: Page): Promise<void> {
  const [all, last] = [count, ledgerPageSize].map((one) => one.toLocaleString('en'));
  const text = count > ledgerPageSize ? `1–${last} of ${all}` : `${all} rows`;
  await webview(page).getByText(text).first().waitFor();
}

async function sortTimes(page: Page, rows: ReturnType<typeof tradesIn>): Promise<number[]> {
  const times: number[] = [];
  for (const [heading, field] of Object.entries(sortedColumns)) {
    const header = webview(page).getByRole('columnheader', { name: heading }).first();
    await header.scrollIntoViewIfNeeded();
    for (const direction of [1, -1] as const) {
      const amounts = firstAmounts(rows, field, direction);
      times.push(await timeAfter(page, 'pointerup', amounts, () => header.click()));
    }
    // Newest first again.
    await header.click();
    await allRows(page);
  }
  return times;
}

async function searchTimes(page: Page, rows: ReturnType<typeof tradesIn>): Promise<number[]> {
  const times: number[] = [];
  const search = webview(page).getByRole('textbox', { name: 'Search all rows' });
  for (const text of searches) {
    await search.fill('');
    await search.press('Enter');
    await allRows(page);
    const amounts = rowsWith(rows, text);
    times.push(await timeAfter(page, 'keydown', amounts, () => search.press(text)));
  }
  return times;
}

/** Between two views, with what only they say. */
async function viewTimes(page: Page): Promise<number[]> {
  const views = [
    ['Funding', 'Payments you made are negative'],
    ['Realised P&L', 'Gross: before fees and funding.'],
  ] as const;
  // The buttons of views come before the legends of charts, which may have a button of the same name.
  const buttonOf = (name: string) =>
    webview(page).getByRole('button', { name, exact: true }).first();
  await runCommand(page, 'Margin Desk: Open Analysis');
  await buttonOf(views[1][0]).click();
  await webview(page).getByText(views[1][1]).first().waitFor();
  const times: number[] = [];
  for (let turn = 0; turn < sizes.turns; turn += 1) {
    const [name, text] = views[turn % 2] ?? views[0];
    times.push(await timeAfter(page, 'pointerup', [text], () => buttonOf(name).click()));
  }
  return times;
}

/** Milliseconds from an event of this type, which `act` causes, until the texts are on screen. */
async function timeAfter(
  page: Page,
  type: 'pointerup' | 'keydown',
  texts: readonly string[],
  act: () => Promise<void>,
): Promise<number> {
  const frame = await webviewFrame(page);
  await frame.evaluate(`watch.shownAfter('${type}', ${JSON.stringify(texts)})`);
  await act();
  return Number(await frame.evaluate('watch.result'));
}
