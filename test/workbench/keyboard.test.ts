import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { historyTables } from '../../src/host/tables/histories.ts';
import type { HistoryTable } from '../../src/host/tables/definition.ts';
import { RpcError } from '../../src/protocol/messages.ts';
import type { TablePage } from '../../src/protocol/table.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { gridHost, type GridHost } from '../support/gridHost.ts';
import {
  newTablePage,
  openTableInBrowser,
  type TableInBrowser,
} from '../support/tableInBrowser.ts';

const records = Array.from({ length: 60 }, (_, index) => ({
  time: String(1763632800123 - index * 61_001),
  symbol: index % 2 === 0 ? 'btc_usdt' : 'eth_usdt',
  side: index % 3 === 0 ? 'BUY' : 'SELL',
  amount: `${index}.1`,
  price: '61234.5',
  fee: '0.1',
  feeAsset: 'usdt',
  status: 'EXECUTED',
  tradeId: String(9007199254740993n + BigInt(index)),
  orderId: '5000001',
}));

/** The page alone in a browser. Nothing in this file uses a mouse. */
describe('a table page by keyboard alone', () => {
  let browser: Browser;
  let page: Page;
  let open: TableInBrowser;
  let host: GridHost;
  /** What the exchange answers instead of rows. */
  let answer: ((page: TablePage) => TablePage) | undefined;

  before(async () => {
    browser = await launchChromium();
    page = await newTablePage(browser);
  });
  after(() => browser.close());
  beforeEach(() => (answer = undefined));
  afterEach(async () => {
    const { problems } = open;
    await open.close();
    assert.deepEqual(problems, []);
  });

  async function show(table: HistoryTable = historyTables().trades, width = 1000): Promise<void> {
    host = gridHost({ records, display: aDisplay(), table });
    const { handlers } = host;
    const paged = handlers['table/page'];
    open = await openTableInBrowser({
      page,
      table: table.operation,
      size: { width, height: 640 },
      handlers: {
        ...handlers,
        'table/page': async (query, signal) => {
          const rows = await paged(query, signal);
          return answer ? answer(rows) : { ...rows, totalPages: '9', totalElements: '540' };
        },
      },
    });
    await inRows();
  }

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (text: string) => page.keyboard.type(text);
  const grid = (): Locator => page.getByRole('grid');
  const cell = (row: number, column: number): Locator => page.locator(`#cell-${row}-${column}`);
  const active = () => grid().getAttribute('aria-activedescendant');
  const selection = (): Locator => page.locator('.selection');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const headings = async () => (await grid().getByRole('columnheader').allInnerTexts()).join(', ');
  const queries = () => host.asked['table/page'] ?? [];
  const lastQuery = () => queries().at(-1);

  /** The name of what has the focus: its label or its text, within shadow roots too. */
  const focused = () =>
    page.evaluate<string>(`(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const host = element?.getRootNode().host;
      if (!element || element === document.body) return '';
      const label = (one) => one?.getAttribute('aria-label') ?? one?.getAttribute('label');
      const own = label(element) ?? element.labels?.[0]?.textContent ?? element.textContent;
      return (own.trim() || label(element.getRootNode().host) || '').replaceAll(/\\s+/g, ' ');
    })()`);

  async function inRows(): Promise<void> {
    await eventually('the focus in the rows', () =>
      page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid'),
    );
  }

  async function has(name: string | RegExp): Promise<void> {
    await eventually(`the focus on ${String(name)}`, async () => {
      const text = await focused();
      return typeof name === 'string' ? text === name : name.test(text);
    });
  }

  /** Presses a key until this has the focus; each press moves the focus. */
  async function walk(key: string, name: string | RegExp, most = 30): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < most; presses += 1) {
      const text = await focused();
      if (typeof name === 'string' ? text === name : name.test(text)) return;
      passed.push(text);
      await press(key);
    }
    assert.fail(`${String(name)} is not among ${passed.join(', ')}`);
  }

  /** From the rows to a button of the toolbar. */
  async function toTool(name: string | RegExp): Promise<void> {
    await grid().focus();
    await press('Shift+Tab', 'Home');
    await walk('ArrowRight', name);
  }

  async function newQuery(act: () => Promise<void>): Promise<void> {
    const before = queries().length;
    await act();
    await eventually('a request', () => queries().length > before);
  }

  it('starts in the rows; the toolbar is one tab stop with arrows', async () => {
    await show();
    await press('Shift+Tab');
    await has('Symbol');
    await press('ArrowRight');
    await has('Side');
    await press('End');
    await has('Columns');
    await press('ArrowRight');
    await has('Symbol');
    await press('Tab');
    await inRows();
    await press('Shift+Tab');
    await has('Symbol');
  });

  it('filters by a text, an option, several options and a period, and the button has the focus again', async () => {
    await show(historyTables().orders);
    await toTool('Symbol');
    await press('Enter');
    await newQuery(() => press('ArrowDown', 'Enter'));
    await has('Symbol');
    await walk('ArrowRight', 'Side');
    await press('Enter', 'ArrowDown', 'ArrowDown');
    await newQuery(() => press('Enter'));
    await has('Side');
    await walk('ArrowRight', 'Status');
    await press('Enter', ' ', 'ArrowDown', ' ');
    await newQuery(() => press('Escape'));
    await has('Status');
    await walk('ArrowRight', 'Period');
    await press('Enter', 'Home', 'ArrowDown');
    await newQuery(() => press('Enter'));
    await has('Period');
    await page.getByRole('button', { name: 'Remove filter “Last 7 days”' }).waitFor();
    assert.deepEqual(Object.keys(lastQuery()?.filters ?? {}).sort(), [
      ...['dateFrom', 'dateTo', 'side', 'statuses', 'symbol'],
    ]);
    await press('Enter');
    await walk('Tab', 'From (UTC)');
    await page.keyboard.press('Control+a');
    await type('2026-02-30');
    await press('Enter');
    await page.getByRole('alert').getByText('is not a date').waitFor();
    await page.keyboard.press('Control+a');
    await type('2025-11-01');
    await press('Tab', 'Control+a');
    await type('2025-11-02');
    await newQuery(() => press('Enter'));
    await has('Period');
    assert.equal(lastQuery()?.filters.dateFrom, '2025-11-01T00:00:00.000Z');
  });

  it('removes filters one by one and all, and the focus stays in the page', async () => {
    await show(historyTables().orders);
    for (const name of ['Side', 'Type', 'Symbol']) {
      await toTool(name);
      await press('Enter', 'ArrowDown');
      await newQuery(() => press('Enter'));
    }
    await walk('ArrowRight', 'Remove filter “Side: BUY”');
    await newQuery(() => press('Enter'));
    await has(/^Remove filter/);
    await newQuery(() => press('Enter'));
    await walk('ArrowRight', 'Clear');
    await newQuery(() => press('Enter'));
    await has('Symbol');
    assert.deepEqual(lastQuery()?.filters, {});
  });

  it('refreshes, exports, and shows what a page costs', async () => {
    await show();
    await toTool('Refresh');
    await newQuery(() => press('Enter'));
    await walk('ArrowRight', /^Export All/);
    await press('Enter');
    await eventually('the export', () => host.asked['table/export']?.length === 1);
  });

  it('folds the filters of a narrow page into one button', async () => {
    await show(historyTables().orders, 320);
    await toTool('Filters');
    await press('Enter');
    await walk('ArrowDown', 'Side');
    await press('Enter', 'ArrowDown');
    await newQuery(() => press('Enter'));
    assert.deepEqual(lastQuery()?.filters, { side: 'BUY' });
    await press('Escape');
    await has(/^Filters/);
  });

  it('shows, hides, moves, sizes, fits and sorts columns', async () => {
    await show();
    await toTool('Columns');
    await press('Enter');
    await walk('Tab', 'Symbol');
    await press(' ');
    await walk('Tab', 'Move Price Up');
    await press('Enter', 'Enter');
    assert.match(await headings(), /^Time \(UTC\), Price, Side/);
    await press('Escape');
    await has('Columns');
    await press('Tab');
    await inRows();
    await press('ArrowRight', 'Alt+ArrowRight');
    assert.match(await headings(), /^Time \(UTC\), Side, Price/);
    const width = async () => (await cell(0, 2).boundingBox())?.width ?? 0;
    const fit = await width();
    await press('Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight');
    await eventually('the width', async () => (await width()) === fit + 32);
    await press('Alt+Shift+Home');
    await eventually('the fit', async () => (await width()) === fit);
    await press('Home', 'ArrowUp', 'Enter');
    await page.getByRole('columnheader', { name: /Time .*↑ this page/ }).waitFor();
    await toTool('Columns');
    await press('Enter');
    await walk('Tab', 'Reset Columns', 60);
    await press('Enter', 'Escape');
    assert.match(await headings(), /^Time \(UTC\) ↑ this page, Symbol, Side/);
  });

  it('selects cells, rows and all, opens their figures, and copies', async () => {
    await show();
    await press('End', 'Home', 'Control+ArrowDown', 'Control+Home');
    for (let column = 0; column < 6; column += 1) await press('ArrowRight');
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+c');
    await selection().getByText('Copied 3 cells').waitFor();
    assert.equal(await clipboard(), '0.1\n0.1\n0.1');
    await walk('Tab', /^Copied 3 cells/);
    await press('Enter');
    await page.getByRole('dialog', { name: 'Figures' }).getByText('sum 0.3').waitFor();
    await press('Escape');
    await has(/^Copied 3 cells/);
    await grid().focus();
    await press('Shift+ ');
    await selection().getByText('3 rows').waitFor();
    await press('Control+a', 'Control+Shift+c');
    await eventually('the request', () => host.asked['grid/copy']?.[0]?.selection.isRows);
    await press('Escape');
    await eventually('no selection', async () => (await selection().count()) === 0);
  });

  it('pages, goes to a page, and changes the size', async () => {
    await show();
    await walk('Tab', 'Next page');
    await newQuery(() => press('Enter'));
    await has('Next page');
    await press('Shift+Tab', 'Control+a');
    await type('7');
    await newQuery(() => press('Enter'));
    assert.equal(lastQuery()?.page, 6);
    await walk('Shift+Tab', 'Previous page');
    await newQuery(() => press('Enter'));
    await walk('Tab', '100 per page');
    await press('Enter', 'Home');
    await newQuery(() => press('Enter'));
    assert.deepEqual([lastQuery()?.page, lastQuery()?.size], [0, 20]);
    answer = (last) => ({ ...last, totalPages: '2', totalElements: '80' });
    await walk('Shift+Tab', 'Next page');
    await newQuery(() => press('Enter'));
    await inRows();
  });

  it('finds text, opens details with what belongs to the row, and comes back', async () => {
    await show();
    await press('Control+f');
    await type('9007199254740995');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await press('Enter', 'Tab', 'Enter', 'Escape');
    await inRows();
    assert.equal(await active(), 'cell-2-10');
    await press('Enter');
    await page.getByText('ISO 8601').waitFor();
    await walk('Tab', 'Copy Trade id');
    await press('Enter');
    await eventually('the copy', () => host.asked['grid/copyField']?.[0]?.field === 'tradeId');
    await walk('Tab', /^Find Its Order/);
    await press('Enter');
    await page.getByText('The order of this trade').waitFor();
    await press('Escape');
    await inRows();
    await press(' ');
    await walk('Tab', 'Close');
    await press('Enter');
    await inRows();
  });

  it('retries after a failure, and clears filters that match nothing', async () => {
    await show();
    answer = () => {
      throw new RpcError({ kind: 'network', sentence: 'The connection failed.' });
    };
    await toTool('Refresh');
    await newQuery(() => press('Enter'));
    await page.locator('.failure').waitFor();
    answer = undefined;
    await walk('Tab', 'Retry');
    await newQuery(() => press('Enter'));
    await inRows();
    answer = (last) => ({ ...last, rows: [], totalElements: '0', totalPages: '0' });
    await toTool('Side');
    await press('Enter', 'ArrowDown');
    await newQuery(() => press('Enter'));
    await page.getByRole('heading', { name: 'No trades match these filters' }).waitFor();
    await walk('Tab', 'Clear Filters');
    answer = undefined;
    await newQuery(() => press('Enter'));
    await inRows();
  });
});
