import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { anAccount, anOrder, aPosition, someLocked, wire } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { hostileExchange, type HostileExchange } from '../../support/hostileExchange.ts';
import type { Fault } from '../../support/hostileExchange/faults.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { projectRoot } from '../../support/project.ts';
import {
  withholdingExchange,
  type WithholdingExchange,
} from '../../support/withholdingExchange.ts';
import { setSideBarWidth, useTheme } from '../../support/workbench/appearance.ts';
import { findingsInFrame } from '../../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { downloadHistory } from '../../support/workbench/downloadHistory.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import {
  bundledThemes,
  pageLooks,
  wear,
  type PageLook,
} from '../../support/workbench/pageLooks.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { treeRow } from '../../support/workbench/tree.ts';
import { unreadableIn } from './unreadable.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

const folder = path.join(projectRoot, '.screenshots/pages');
/** Dark, light and both high contrasts. */
const fourThemes: readonly string[] = bundledThemes.slice(0, 4);
const picturedWidths = [320, 700, 1200];
const widths = [...picturedWidths, 420, 550, 900, 1050, 1520, 1900];

const symbols = ['btc_usdt', 'eth_usdt', 'sol_usdt'];
const feeTiers = [0, 1, 2].map((tier) => ({
  tier: String(tier),
  maker: '-0.0001',
  taker: '0.0005',
  volume30D: String(tier * 1_000_000),
}));

/**
 * One window. Each state of each page: every figure can be read at every width. The soak looks in ten themes, has no
 * accessibility finding, and takes pictures.
 */
export function testEveryPage({ isSoak }: { readonly isSoak: boolean }): void {
  let exchange: HostileExchange;
  let withholding: WithholdingExchange;
  let precise: HostileExchange;
  let workbench: Workbench;
  let looks: readonly PageLook[];
  let isLocking = true;
  let canceled = '[]';
  const faults = new Map<string, Fault>();
  const findings: string[] = [];

  before(async () => {
    const newestAt = Date.now() - 60_000;
    const fields = (index: number) => ({
      symbol: JSON.stringify(symbols[index % 3]),
      rpnl: index % 4 === 0 ? '12.125' : '-5.25',
      fee: `${index % 7}.${index}`,
      side: index % 3 === 0 ? '"BUY"' : '"SELL"',
    });
    exchange = await hostileExchange({
      reading: { sort: 'newestFirst' },
      rows: {
        trades: rowsOf('trades', 3606, { newestAt, spacingMs: 61_001, fields }),
        orders: rowsOf('orders', 40, { newestAt, spacingMs: 3_600_000 }),
      },
      answers: {
        get accounts() {
          return wire(account(isLocking));
        },
        get cancelAll() {
          return canceled;
        },
        feeTiers: wire(feeTiers),
      },
      faultOf: ({ operation }) => faults.get(operation),
    });
    withholding = await withholdingExchange();
    precise = await preciseExchange(newestAt);
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const own = { baseUrl: exchange.url, environment: 'live', auth: { scheme: 'none' }, dialect };
    workbench = await openWorkbench({
      viewport: { width: 1200, height: 720 },
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.profiles': {
          Main: own,
          Withholding: { ...own, baseUrl: withholding.url },
          Precise: { ...own, baseUrl: precise.url },
        },
      },
    });
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await runCommand(page(), 'View: Close Primary Side Bar');
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByText('No account is open').first().waitFor();
    looks = (await pageLooks(workbench)).slice(0, isSoak ? undefined : fourThemes.length);
  });
  after(async () => {
    await workbench.close();
    await Promise.all([exchange.close(), withholding.close(), precise.close()]);
  });

  /** Shows several states: one finding hides none of the others. */
  const shows = (what: string, run: () => Promise<void>): void => {
    it(`shows ${what}`, async () => {
      await run();
      assert.deepEqual(findings.splice(0), []);
    });
  };

  const page = () => workbench.page;
  const panel = () => webview(page());
  const filters = () => new PanelFilters(page());
  const press = (name: string | RegExp) => panel().getByRole('button', { name }).first().click();

  /** Checks the page in front at each width and in each theme, and takes its pictures. */
  async function inspect(state: string): Promise<void> {
    for (const width of widths) {
      await setPanelWidth(width);
      await page().mouse.move(3, 3);
      const frame = await webviewFrame(page());
      for (const look of looks) {
        await wear(frame, look);
        const all = [...(await unreadableIn(frame)), ...(await soakFindings(state, look, width))];
        for (const finding of all) findings.push(`${state}, ${look.theme}, ${width}: ${finding}`);
      }
    }
  }

  async function soakFindings(state: string, look: PageLook, width: number): Promise<string[]> {
    if (!isSoak || !picturedWidths.includes(width)) return [];
    const isWidest = width === picturedWidths.at(-1);
    if (fourThemes.includes(look.theme))
      await takePicture(`${state}-${look.theme.replaceAll(' ', '')}-${width}`);
    return isWidest || look === looks[0] ? findingsInFrame(await webviewFrame(page())) : [];
  }

  /** Beside the activity bar. */
  async function setPanelWidth(width: number): Promise<void> {
    await page().setViewportSize({ width: width + 48, height: 720 });
  }

  async function takePicture(name: string): Promise<void> {
    const file = path.join(folder, `${name}.png`);
    await page().locator('iframe.webview.ready').screenshot({ path: file });
  }

  async function openTable(title: string): Promise<void> {
    await setPanelWidth(1200);
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), `Margin Desk: Open ${title}`);
  }

  async function openTrades(): Promise<void> {
    await openTable('Trade History');
    await panel().getByRole('gridcell').first().waitFor();
  }

  shows('how to begin', async () => {
    await inspect('table-no-account');
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    await panel().getByText('No account is open.').waitFor();
    await inspect('overview-no-account');
    await runCommand(page(), 'Margin Desk: Switch Profile…');
    await page().locator('.quick-input-list .monaco-list-row', { hasText: 'Main' }).first().click();
    await panel().getByText('12,012.5').first().waitFor();
    await treeRow(page(), 'btc_usdt').waitFor();
    await runCommand(page(), 'View: Close Primary Side Bar');
  });

  shows('the account', async () => {
    await setPanelWidth(1200);
    await inspect('overview');
    await press(/^Read Rates/);
    await panel().getByText('Maker').first().waitFor();
    await press(/^Read \(3/);
    await panel().getByRole('cell', { name: 'Filled' }).first().waitFor();
    await inspect('overview-read');
    await panel().locator('#cell-1-3').click();
    await page().keyboard.press('Enter');
    await panel().getByRole('complementary', { name: 'Details' }).waitFor();
    await inspect('overview-details');
    await runCommand(page(), 'Margin Desk: Show All Digits');
    await inspect('overview-all-digits');
    await setPanelWidth(1200);
    await runCommand(page(), 'Margin Desk: Show All Digits');
  });

  shows('rows, and a selection with its figures', async () => {
    await openTrades();
    await inspect('table-rows');
    await panel().locator('#cell-2-3').click();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page().keyboard.press(`Shift+${key}`);
    await panel().getByText('12 cells').waitFor();
    await inspect('table-selection');
    await press(/^12 cells/);
    await panel().getByRole('dialog', { name: 'Figures of the selection' }).waitFor();
    await inspect('table-figures');
  });

  shows('the details of a row, and a search', async () => {
    await openTrades();
    await panel().locator('#cell-2-3').click();
    await page().keyboard.press('Enter');
    await panel().getByText('ISO 8601').waitFor();
    await inspect('table-details');
    await page().keyboard.press('Control+f');
    await page().keyboard.type('eth');
    await panel()
      .getByText(/^\d+ of \d+$/)
      .waitFor();
    await inspect('table-find');
  });

  shows('filters and columns', async () => {
    await openTrades();
    await filters().choose('Side', 'SELL');
    await filters().type('Symbol', 'eth_usdt');
    await panel()
      .getByRole('button', { name: /^Remove filter “Symbol/ })
      .waitFor();
    await filters().button('Period').click();
    await panel().getByRole('textbox', { name: 'From (UTC)' }).fill('yesterday');
    await page().keyboard.press('Enter');
    await panel().getByRole('alert').waitFor();
    await inspect('table-period');
    await page().keyboard.press('Escape');
    await press('Columns');
    await inspect('table-columns');
    await page().keyboard.press('Escape');
    await setPanelWidth(320);
    await press('Filters (2)');
    await inspect('table-filters-folded');
  });

  shows('that nothing matches, that there is nothing, and that it loads', async () => {
    await openTrades();
    await filters().type('Symbol', 'none_usdt');
    await panel().getByRole('heading', { name: 'No trades match these filters' }).waitFor();
    await inspect('table-no-match');
    await openTable('Liquidation Auctions');
    await panel()
      .getByRole('heading', { name: /^No liquidation auctions yet/ })
      .waitFor();
    await inspect('table-empty');
    faults.set('transactions', { kind: 'stallBeforeHeaders' });
    await openTable('Transaction History');
    await panel().getByRole('status').getByText('Loading transactions…').waitFor();
    await inspect('table-loading');
  });

  shows('a failure without rows', async () => {
    faults.set('transactions', { kind: 'html' });
    await openTable('Transaction History');
    await panel().getByRole('button', { name: 'Retry' }).waitFor();
    await inspect('table-failure');
  });

  shows('the receipt of each outcome', async () => {
    const { time: updatedAt, ...order } = anOrder({ status: 'CANCELED' });
    const outcomes: readonly [word: string, fault: Fault | undefined, leaves: boolean][] = [
      ['done', undefined, false],
      ['partial', undefined, true],
      ['refused', { kind: 'status', status: 403, body: '{"message":"no permission"}' }, true],
      ['unknown', { kind: 'resetBeforeHeaders' }, true],
    ];
    for (const [word, fault, leaves] of outcomes) {
      isLocking = true;
      canceled = wire([{ ...order, updatedAt }]);
      if (fault) faults.set('cancelAll', fault);
      else faults.delete('cancelAll');
      await cancel(() => (isLocking = leaves));
      await panel().locator('.notice').getByRole('heading', { name: word, exact: true }).waitFor();
      await inspect(`receipt-${word}`);
      isLocking = true;
    }
    await panel().getByText('Still locked after 15 s').first().waitFor();
    await inspect('receipt-unknown-checked');
  });

  async function cancel(confirmed: () => unknown): Promise<void> {
    await setPanelWidth(1200);
    await runCommand(page(), 'View: Close All Editors');
    await clearNotifications(page());
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await readDialog(page());
    const readAt = performance.now();
    await eventually('a question that was read', () => performance.now() - readAt > 700);
    confirmed();
    await pressInDialog(page(), 'Cancel All LIVE Orders');
    await page().locator('.notifications-toasts').getByText('Show Receipt').first().click();
    await clearNotifications(page());
  }

  shows('a connection that works', async () => {
    await testConnection('Connected.');
    await inspect('report');
  });

  async function testConnection(result: string): Promise<void> {
    await setPanelWidth(1200);
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Test Connection');
    await notification(page(), result).waitFor();
    await page().getByRole('button', { name: 'Show Report' }).click();
    await panel().getByRole('heading', { name: 'API conventions' }).waitFor();
    await clearNotifications(page());
  }

  shows('a failure above the rows before it', async () => {
    await openTrades();
    faults.set('trades', { kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    await press('Refresh');
    await panel()
      .getByText(/^Retrying in \d+ s$/)
      .waitFor();
    await inspect('table-failure-banner');
  });

  shows('the side bar at 260 px', async () => {
    await page().setViewportSize({ width: 1200, height: 900 });
    await runCommand(page(), 'View: Show Margin Desk');
    await treeRow(page(), 'btc_usdt').waitFor();
    await setSideBarWidth(page(), 260);
    for (const theme of fourThemes) {
      await useTheme(workbench, theme);
      await page()
        .locator('.part.sidebar')
        .screenshot({ path: path.join(folder, `side-bar-${theme.replaceAll(' ', '')}-260.png`) });
    }
    await runCommand(page(), 'View: Close Primary Side Bar');
  });

  shows('an analysis of the practice account', async () => {
    await setPanelWidth(1200);
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Open Analysis');
    await panel().locator('.notice').first().waitFor();
    await inspect('analysis-nothing');
    await setPanelWidth(1200);
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await runCommand(page(), 'Margin Desk: Open Analysis');
    const chart = panel().getByRole('application').first();
    await chart.waitFor({ timeout: 60_000 });
    await runCommand(page(), 'View: Close Primary Side Bar');
    await chart.press('End');
    await chart.press('ArrowLeft');
    await inspect('analysis');
    await press('Realised P&L');
    await press(/^Split: /);
    await panel().getByRole('menuitemradio', { name: 'Symbol' }).click();
    await panel().locator('.chart .legend').waitFor();
    await chart.press('End');
    await press(/^Period: /);
    await panel().getByRole('menuitemradio', { name: 'Last 30 days' }).waitFor();
    await inspect('analysis-split');
    await page().keyboard.press('Escape');
    await press('Show as Table');
    await panel().getByRole('gridcell').first().waitFor();
    await inspect('analysis-table');
    await press('Fee audit');
    const counts = panel().locator('tbody tr').last().getByRole('cell');
    // The rates of the account are stored a moment after the first trades.
    await eventually('every fee of the practice exchange as expected', async () => {
      const [name, expected, ...others] = await counts.allInnerTexts();
      return name === 'All' && expected !== '0' && others.join() === '0,0,0';
    });
    await inspect('analysis-audit');
    await setPanelWidth(1200);
    await runCommand(page(), 'Margin Desk: Switch Profile…');
    await page().locator('.quick-input-list .monaco-list-row', { hasText: 'Main' }).first().click();
    await panel().getByText('Main', { exact: true }).waitFor();
  });

  shows('an account whose exchange is gone', async () => {
    await runCommand(page(), 'View: Close Primary Side Bar');
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    await panel().getByText('12,012.5').first().waitFor();
    await exchange.close();
    await panel()
      .getByText(/^\d+ s old$/)
      .first()
      .waitFor({ timeout: 120_000 });
    await inspect('overview-stale');
    await testConnection('Main');
    await inspect('report-failed');
    await cancel(() => undefined);
    await panel().locator('.notice').getByRole('heading', { name: 'not sent' }).waitFor();
    await inspect('receipt-not-sent');
  });

  shows('a ledger, and its reconciliation', async () => {
    await setPanelWidth(1200);
    await runCommand(page(), 'View: Close All Editors');
    await clearNotifications(page());
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await runCommand(page(), 'Margin Desk: Open Ledger');
    await runCommand(page(), 'View: Close Primary Side Bar');
    const summaries = panel().getByText(/ · complete from .* to /);
    await summaries.first().waitFor({ timeout: 90_000 });
    await inspect('ledger');
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await panel().getByText('Undecided').first().waitFor();
    await inspect('reconciliation');
  });

  shows('what a reconciliation contradicts', async () => {
    await setPanelWidth(1200);
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Withholding');
    await runCommand(page(), 'View: Close Primary Side Bar');
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await panel().getByText('This account has no ledger.').waitFor();
    await runCommand(page(), 'Margin Desk: Download History…');
    await panel().getByRole('button', { name: 'Download', exact: true }).waitFor();
    await inspect('download');
    await setPanelWidth(1200);
    await downloadHistory(page(), 'Order History', 'Transaction History · SPOT');
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await panel()
      .getByText(/^Read again at .*: still contradicted\.$/)
      .waitFor({ timeout: 120_000 });
    await clearNotifications(page());
    await inspect('reconciliation-contradicted');
  });

  shows('the most important columns whole at 700 px, also with 18 decimals', async () => {
    await setPanelWidth(1200);
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await findHiddenColumns('practice');
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Precise');
    await findHiddenColumns('precise');
    await runCommand(page(), 'Margin Desk: Show All Digits');
    await inspect('precise-all-digits');
  });

  async function findHiddenColumns(account: string): Promise<void> {
    await runCommand(page(), 'View: Close Primary Side Bar');
    for (const [title, columns] of Object.entries(columnsAt700)) {
      await openTable(title);
      const cell = panel().getByRole('gridcell');
      const empty = panel().getByRole('heading', { name: /match these filters$/ });
      await cell.or(empty).first().waitFor();
      // The ledger of the practice account may have only what came since the account was opened again.
      if (await empty.isVisible()) await press('Show Older Rows');
      await cell.first().waitFor();
      await inspect(`${account}-${title.replaceAll(' ', '-')}`);
      await setPanelWidth(700);
      const frame = await webviewFrame(page());
      for (const name of await frame.evaluate(columnsNotWhole, columns))
        findings.push(`${account}, ${title}, 700: ${name} is not whole`);
    }
  }
}

/** What each table shows without scrolling. */
const columnsAt700: Readonly<Record<string, readonly string[]>> = {
  'Order History': ['Time', 'Symbol', 'Side', 'Price', 'Amount', 'Filled'],
  'Trade History': ['Time', 'Symbol', 'Side', 'Price', 'Amount', 'P&L'],
  'Transaction History': ['Time', 'Asset', 'Type', 'Amount'],
  'Account Overview': ['Symbol', 'Amount', 'Entry', 'Mark', 'Liquidation', 'P&L'],
};

/** Runs in the page. Of the first grid, the columns that are not there, or whose header or a cell ends outside of it. */
function columnsNotWhole(names: readonly string[]): string[] {
  const grid = document.querySelector('[role="grid"]');
  const { left, right } = grid?.getBoundingClientRect() ?? { left: 0, right: 0 };
  const isWhole = (cell: Element): boolean => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const text = range.getBoundingClientRect();
    return text.left >= left && text.right <= Math.min(right, innerWidth);
  };
  return names.filter((name) => {
    const headers = [...(grid?.querySelectorAll('[role="columnheader"]') ?? [])];
    const header = headers.find(({ textContent }) => textContent.trim().startsWith(name));
    const column = header?.getAttribute('aria-colindex') ?? '';
    const cells = grid?.querySelectorAll(`[role="gridcell"][aria-colindex="${column}"]`) ?? [];
    return !header || ![header, ...cells].every(isWhole);
  });
}

/** Every amount and price has 18 decimals; large ones and small ones stand in one column. */
async function preciseExchange(newestAt: number): Promise<HostileExchange> {
  const digits = '123456789012345678';
  const fields = (index: number) => ({
    symbol: JSON.stringify(['btc_usdt', 'shib_usdt'][index % 2]),
    price: index % 2 === 0 ? `64231.${digits}` : '0.000012345678901234',
    averageExecutionPrice: index % 2 === 0 ? `64231.${digits}` : '0.000012345678901234',
    amount: index % 2 === 0 ? `1.${digits}` : `104217345.${digits}`,
    filled: index % 2 === 0 ? `0.${digits}` : `52108672.${digits}`,
    rpnl: `-1234.${digits}`,
    fee: `12.${digits}`,
  });
  return hostileExchange({
    reading: { sort: 'newestFirst' },
    rows: {
      orders: rowsOf('orders', 40, { newestAt, fields }),
      trades: rowsOf('trades', 40, { newestAt, fields }),
      transactions: rowsOf('transactions', 40, {
        newestAt,
        fields: (index) => ({ amount: index % 2 === 0 ? `-1234.${digits}` : `12.${digits}` }),
      }),
    },
    answers: {
      accounts: wire(
        anAccount({
          equity: `26235.${digits}`,
          upl: `-1234.${digits}`,
          positions: symbols.map((symbol, index) =>
            aPosition({
              symbol,
              amount: index === 1 ? `-104217345.${digits}` : `0.${digits}`,
              markPrice: `64231.${digits}`,
              basePrice: `64000.${digits}`,
              liquidationPrice: `49500.${digits}`,
              upl: `-1234.${digits}`,
            }),
          ),
        }),
      ),
      feeTiers: wire(feeTiers),
    },
  });
}

function account(isLocking: boolean) {
  return anAccount({
    positions: symbols.map((symbol, index) =>
      aPosition({
        symbol,
        amount: index === 1 ? '-0.25' : '0.25',
        upl: index === 1 ? '-150.53' : '12345.678',
        liquidationPrice: ['49500', '52500', '20000'][index] ?? null,
      }),
    ),
    assets: [
      {
        isMargin: true,
        margin: '23185.30',
        deposited: '26235.3',
        name: 'usdt',
        locked: isLocking ? '3050' : '0',
        extra: {},
      },
    ],
    orders: isLocking
      ? [
          someLocked({ lockedBid: '528', sumSizeBid: '0.0512' }),
          someLocked({ symbol: 'eth_usdt', lockedAsk: '27', sumSizeAsk: '0.02' }),
        ]
      : [],
  });
}
