import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { HistoryTable } from '../../src/host/tables/definition.ts';
import { historyTables } from '../../src/host/tables/histories.ts';
import { RpcError } from '../../src/protocol/messages.ts';
import type { TablePage } from '../../src/protocol/table.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { gridHost, type GridHost } from '../support/gridHost.ts';
import {
  newTablePage,
  openTableInBrowser,
  tablePage,
  type TableInBrowser,
} from '../support/tableInBrowser.ts';
import { findingsInFrame } from '../support/workbench/axe.ts';
import { columnsNotWhole, unreadableIn } from './pages/unreadable.ts';

const records = Array.from({ length: 100 }, (_none, index) => ({
  time: String(1763632800123 - index * 61_001),
  symbol: 'btc_usdt',
  side: 'BUY',
  amount: `${index}.1`,
  price: '61234.5',
  rpnl: '3.75',
  fee: '0.1',
  feeAsset: 'usdt',
  tradeId: String(9007199254740993n + BigInt(index)),
}));

/** 18 characters. */
const profile = 'Main futures (EUR)';
const allRows = { search: '', sort: null };
const sumOf = (field: 'rpnl' | 'fee' | 'amount', unit: string, sum: string) => ({
  ...{ field, unit, sum, lacking: 0, min: sum, max: sum },
  bySide: field === 'amount' ? { bought: '0.1', sold: '0.30000000001' } : null,
});
const ledger = {
  ...{ coverage: 'complete to 11:59:56 UTC', incomplete: null, olderThan: null },
  sums: [
    sumOf('rpnl', 'usdt', '-782035.123456789'),
    sumOf('fee', 'usdt', '2589.59'),
    sumOf('fee', 'bnb', '0.1'),
    ...['btc_usdt', 'eth_usdt', 'shib_usdt'].map((symbol) =>
      sumOf('amount', symbol, '61531310000'),
    ),
  ],
};

type Shown = { rows?: object[]; digits?: 'compact' | 'all'; table?: HistoryTable };

/** The page alone in a browser: what is around its rows, however wide it is. */
describe('a table page in a browser', () => {
  let browser: Browser;
  let page: Page;
  let open: TableInBrowser;
  let host: GridHost;

  before(async () => {
    browser = await launchChromium();
    page = await newTablePage(browser);
  });
  after(() => browser.close());
  afterEach(async () => {
    const { problems } = open;
    await open.close();
    assert.deepEqual(problems, []);
  });

  async function show(
    width: number,
    source: 'exchange' | 'ledger' | null = null,
    paged: Partial<TablePage> = { totalPages: '37', totalElements: '3606' },
    { rows = records, digits = 'compact', table = historyTables().trades }: Shown = {},
  ): Promise<void> {
    const filters = {};
    host = gridHost({
      ...{ records: rows, table },
      display: aDisplay({ digits }),
      described: {
        source,
        context: { profile, environment: 'LIVE', session: 1 },
        query: source === 'ledger' ? { filters, page: 0, size: 20_000, ledger: allRows } : null,
      },
      paged,
    });
    const { handlers } = host;
    open = await openTableInBrowser({
      page,
      table: table.operation,
      size: { width, height: 640 },
      handlers,
    });
    await page.locator('#cell-0-0, .message h2').first().waitFor();
  }

  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail('no box');
  const height = async (selector: string) => (await box(page.locator(selector))).height;

  async function resize(width: number): Promise<void> {
    await page.setViewportSize({ width, height: 640 });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  }

  async function assertInside(locator: Locator, width: number): Promise<void> {
    const { x, width: own } = await box(locator);
    assert.ok(x >= 0 && x + own <= width, `from ${x} to ${x + own} of ${width}`);
  }

  for (const width of [320, 480, 560])
    it(`has its pager in sight at ${width} px, also beside a selection`, async () => {
      await show(width);
      for (const name of ['Previous page', 'Next page']) await assertInside(button(name), width);
      await assertInside(page.getByRole('textbox', { name: 'Page' }), width);
      await page.locator('#cell-0-0').click();
      await page.keyboard.press('Control+a');
      await assertInside(page.locator('.selection'), width);
      for (const name of ['Previous page', 'Next page']) await assertInside(button(name), width);
      assert.ok((await box(page.locator('.selection'))).width > 40);
      await button('Next page').click();
      await eventually('the request', () => host.asked['table/page']?.at(-1)?.page === 1);
      await assertInside(button('100 per page'), width);
      await button('100 per page').click();
      await page.getByRole('menuitemradio', { name: '50 per page' }).click();
      await eventually('the size', () => host.asked['table/page']?.at(-1)?.size === 50);
    });

  for (const source of [null, 'exchange', 'ledger'] as const)
    it(`has tools and a footer of one line at every width, source ${source ?? 'none'}`, async () => {
      await show(1200, source);
      for (const width of [1200, 900, 700, 620, 560, 500, 480, 400, 320, 560, 1200]) {
        await resize(width);
        assert.deepEqual([await height('.tools'), await height('.footer')], [32, 31], `${width}`);
        await assertInside(button('Columns'), width);
        await assertInside(button('Next page'), width);
      }
    });

  for (const width of [320, 480])
    it(`has how much is selected beside how far the ledger is complete at ${width} px`, async () => {
      await show(width, 'ledger', { totalPages: '1', totalElements: '100', ledger });
      await page.locator('#cell-0-3').click();
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight'])
        await page.keyboard.press(`Shift+${key}`);
      await page.getByText('6 cells').waitFor();
      assert.deepEqual(await unreadableIn(page.mainFrame()), []);
      for (const selector of ['.selection', '.asOf'])
        await assertInside(page.locator(selector), width);
    });

  it('has whole sums of all rows, as many as there is room for, and each of them a press away', async () => {
    await show(1200, 'ledger', { totalPages: '1', totalElements: '100', ledger });
    const items = page.locator('.selection > span:first-child, .selection > span > span');
    const whole = async () => {
      const { x, y, width, height: high } = await box(page.locator('.selection'));
      const boxes = await Promise.all((await items.all()).map(box));
      const inLine = boxes.filter((one) => one.y < y + high);
      assert.ok(inLine.every((one) => one.x >= x && one.x + one.width <= x + width));
      return inLine.length;
    };
    const texts = ['100 rows', 'P&L −782,035.123456789', 'Fee usdt 2,589.59', 'Fee bnb 0.1'];
    const net = 'btc_usdt net −0.20000000001';
    assert.deepEqual((await items.allTextContents()).slice(0, 5), [...texts, net]);
    assert.equal(await page.locator('.range').count(), 0);
    for (const [width, least] of [
      [1200, 4],
      [900, 3],
      [700, 4],
      [320, 2],
    ] as const) {
      await resize(width);
      assert.ok((await whole()) >= least, `${await whole()} figures at ${width} px`);
      await assertInside(page.locator('.asOf'), width);
    }
    await items.first().click();
    const shown = await page.locator('.figures li > span').all();
    assert.equal(shown.length, 18);
    for (const one of shown) await assertInside(one, 320);
  });

  const digits = '123456789012345678';
  const precise = Array.from({ length: 40 }, (_none, index) => ({
    ...records[index],
    symbol: ['btc_usdt', 'shib_usdt'][index % 2],
    price: index % 2 === 0 ? `64231.${digits}` : '0.000012345678901234',
    amount: index % 2 === 0 ? `1.${digits}` : `104217345.${digits}`,
    rpnl: `-1234.${digits}`,
    fee: `12.${digits}`,
  }));

  for (const shown of ['compact', 'all'] as const)
    it(`has no figure on two lines or cut without a mark at any width, digits ${shown}`, async () => {
      await show(1900, 'ledger', { ledger }, { rows: precise, digits: shown });
      for (const width of [1900, 1520, 1200, 900, 700, 550, 420, 320]) {
        await resize(width);
        assert.deepEqual(await unreadableIn(page.mainFrame()), [], `${width} px`);
      }
    });

  for (const [table, columns] of [
    ['orders', ['Time', 'Symbol', 'Side', 'Price', 'Amount', 'Filled']],
    ['trades', ['Time', 'Symbol', 'Side', 'Price', 'Amount', 'P&L']],
    ['transactions', ['Time', 'Asset', 'Type', 'Amount']],
  ] as const)
    it(`has the most important columns of ${table} whole at 700 px`, async () => {
      const rows = precise.map((row) => ({
        ...row,
        filled: row.amount,
        asset: 'usdt',
        type: 'FEE',
      }));
      await show(700, null, {}, { rows, table: historyTables()[table] });
      assert.deepEqual(await columnsNotWhole(page.mainFrame(), columns), []);
    });

  for (const width of [1200, 420])
    it(`can be used with assistive technology while it shows a ledger, ${width} px wide`, async () => {
      await show(width, 'ledger', { ledger });
      if (width < 600) await button('Filters').click();
      assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
    });

  for (const [badRecords, lines] of [
    ['a b c', 'a, b, c'],
    ['a b c d', 'a, b, c, and 1 more'],
    ['a b c d e', 'a, b, c, and 2 more'],
  ] as const)
    it(`names three records that could not be read, and counts the others: ${badRecords}`, async () => {
      await show(700, null, { badRecords: badRecords.split(' ') });
      assert.equal((await page.locator('.note li').allInnerTexts()).join(', '), lines);
    });

  const day = (date: number) => Date.UTC(2026, 10, date);
  const parts = () => page.getByRole('navigation', { name: 'Parts of the period' });
  const asked = () => host.asked['table/page']?.at(-1)?.part;

  it('says which part of a period it shows, and leads to the parts beside it', async () => {
    const latest = { from: day(14), to: day(21), older: day(14), newer: null };
    await show(420, null, { part: latest });
    const period = 'Showing 2026-11-14 00:00:00 UTC to 2026-11-21 00:00:00 UTC.';
    assert.ok((await parts().innerText()).includes(period));
    const newer = parts().getByRole('button', { name: 'Newer' });
    assert.equal(await newer.getAttribute('aria-disabled'), 'true');
    assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
    await parts().getByRole('button', { name: 'Older' }).click();
    await eventually('the older part', () => asked()?.to === day(14));
  });

  it('says above its rows why something could not be done', async () => {
    await show(700);
    host.handlers['table/export'] = () => {
      throw new RpcError({ kind: 'test', sentence: 'Nothing was exported.' });
    };
    await button('Export All…').click();
    await page.getByRole('alert').getByText('Nothing was exported.').waitFor();
    await page.locator('#cell-0-0').waitFor();
  });

  it('takes the focus into its rows, but not from outside of the panel', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('role') ?? '');
    await show(700);
    await eventually('the focus in the rows', async () => (await focused()) === 'grid');
    await open.close();
    const parts = { ...(await tablePage()), prelude: 'document.hasFocus = () => false;' };
    const { handlers } = host;
    const size = { width: 700, height: 640 };
    open = await openTableInBrowser({ page, table: 'trades', size, handlers, parts });
    await page.locator('#cell-0-0').waitFor();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    assert.equal(await focused(), '');
  });

  it('unfolds the filters once they need less room', async () => {
    await show(1200, 'ledger');
    const { x, width } = await box(button(/^Period$/));
    await resize(Math.ceil(x + width));
    await button('Filters').click();
    await button(/^Source/).click();
    await page.getByRole('menuitemradio', { name: 'Exchange' }).click();
    await eventually('the rows', () => host.asked['table/page']?.length === 2);
    await page.keyboard.press('Escape');
    await button(/^Side$/).waitFor();
  });

  it('says when the rows were read, also where the footer has no room for it', async () => {
    await show(320);
    const range = page.locator('.range');
    await range.hover();
    await eventually('the tooltip', async () => {
      const title = (await range.getAttribute('title')) ?? '';
      return title.startsWith('1–100 of 3,606') && title.includes('Read at');
    });
  });

  it('is one tab stop with the search of the ledger, whose text the arrows walk first', async () => {
    await show(1200, 'ledger');
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.getAttribute('aria-label') ??
          document.activeElement?.textContent.trim(),
      );
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'Source: Ledger');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Search all rows');
    await page.keyboard.type('ab');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(), 'Search all rows');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Search all rows');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Symbol');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'grid');
  });
});
