import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { historyTables } from '../../src/host/tables/histories.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { gridHost, type GridHost, type GridHostOptions } from '../support/gridHost.ts';
import {
  newTablePage,
  openTableInBrowser,
  type TableInBrowser,
} from '../support/tableInBrowser.ts';
import { findingsInFrame } from '../support/workbench/axe.ts';

const hostile = '<img src=x onerror=alert(1)>';

const trades = Array.from({ length: 500 }, (_, index) => ({
  time: String(1763632800123 - index * 61_001),
  symbol: index % 2 === 0 ? 'btc_usdt' : 'eth_usdt',
  side: index % 3 === 0 ? 'BUY' : 'SELL',
  amount: `${index}.1`,
  price: index % 4 === 0 ? '61234.5' : '61234',
  rpnl: index % 2 === 0 ? '-1.25' : '3.75',
  fee: '0.1',
  feeAsset: 'usdt',
  maker: index % 2 === 0,
  type: 'ORDER_BOOK',
  tradeId: String(9007199254740993n + BigInt(index)),
  orderId: '5000001',
  extra: { venue: hostile },
}));

/** The page alone in a browser: its keys, its mouse, its layout. */
describe('the grid in a browser', () => {
  let browser: Browser;
  let page: Page;
  let open: TableInBrowser | undefined;
  let host: GridHost;

  before(async () => {
    browser = await launchChromium();
    page = await newTablePage(browser);
  });
  after(() => browser.close());
  afterEach(async () => {
    const problems = open?.problems;
    await open?.close();
    assert.deepEqual(problems ?? [], []);
  });

  type Look = Partial<Omit<GridHostOptions, 'display'>> & {
    width?: number;
    hidesMoney?: boolean;
    digits?: 'compact' | 'all';
  };

  async function show(look: Look = {}): Promise<void> {
    const { width = 1000, hidesMoney = false, digits = 'compact', ...own } = look;
    const { table = historyTables().trades } = own;
    host = gridHost({ records: trades, ...own, display: aDisplay({ hidesMoney, digits }) });
    open = await openTableInBrowser({
      ...{ page, table: table.operation, size: { width, height: 640 } },
      handlers: host.handlers,
    });
    await page.locator('[role=gridcell], .message h2').first().waitFor();
  }

  const grid = (): Locator => page.getByRole('grid');
  const cell = (row: number, column: number): Locator => page.locator(`#cell-${row}-${column}`);
  const header = (name: string): Locator => page.getByRole('columnheader', { name });
  const selectionLine = (): Locator => page.locator('.selection');
  const active = () => grid().getAttribute('aria-activedescendant');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail('no box');
  const headings = async () => (await grid().getByRole('columnheader').allInnerTexts()).join(', ');

  async function drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await box(from), await box(to)];
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
    await page.mouse.up();
  }

  it('draws only the rows near the visible ones, and reaches the last by key', async () => {
    await show();
    assert.equal(await grid().getAttribute('aria-rowcount'), '501');
    assert.ok((await grid().getByRole('row').count()) < 60);
    await grid().focus();
    await press('Control+End');
    assert.equal(await active(), 'cell-499-11');
    await cell(499, 11).waitFor();
    const row = page.locator('[role="row"]:has(#cell-499-11)');
    assert.equal(await row.getAttribute('aria-rowindex'), '501');
    assert.ok((await grid().getByRole('row').count()) < 60);
    const [last, area] = [await box(cell(499, 11)), await box(page.locator('margin-grid'))];
    assert.ok(last.y + last.height <= area.y + area.height);
  });

  it('keeps the active row in the document while it is scrolled away, and the first column in place', async () => {
    await show({ width: 700 });
    await grid().focus();
    await press('ArrowDown');
    const before = await box(cell(1, 0));
    await page.locator('margin-grid').evaluate((element) => element.scrollTo(0, 6000));
    await cell(250, 0).waitFor();
    assert.equal(await page.locator(`#${await active()}`).count(), 1);
    await press('ArrowDown');
    assert.equal(await active(), 'cell-2-0');
    await eventually('the row', async () => (await box(cell(2, 0))).y > 0);
    await page.locator('margin-grid').evaluate((element) => element.scrollTo(400, 0));
    await eventually('the scroll', async () => (await box(cell(1, 2))).x < before.x);
    assert.equal((await box(cell(1, 0))).x, before.x);
  });

  it('aligns decimal points, and does not move columns on the next page', async () => {
    await show();
    const points = await page.evaluate(`(() => {
      const place = (id) => {
        const text = document.getElementById(id).firstChild;
        const at = text.data.indexOf('.');
        const range = document.createRange();
        range.setStart(text, at < 0 ? text.length - 1 : at - 1);
        range.setEnd(text, at < 0 ? text.length : at);
        return Math.round(range.getBoundingClientRect().right);
      };
      return ['cell-0-4', 'cell-1-4', 'cell-4-4'].map(place);
    })()`);
    const [first, ...others] = points as number[];
    for (const other of others) assert.equal(other, first);
    const before = await box(header('Fee asset'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await eventually('the second page', () => host.asked['table/page']?.length === 2);
    await eventually('its rows', async () => (await grid().getAttribute('aria-busy')) === 'false');
    assert.deepEqual(await box(header('Fee asset')), before);
  });

  it('selects ranges by keys, shows their exact figures, and copies them', async () => {
    await show();
    await cell(0, 4).click();
    await press('Shift+ArrowDown', 'Shift+ArrowDown');
    await selectionLine().getByText('3 cells').waitFor();
    const line = await selectionLine().innerText();
    assert.match(line, /Amount btc_usdt: sum 2\.2 · min 0\.1 · max 2\.1 · avg 1\.1/);
    await press('Control+c');
    await selectionLine().getByText('Copied 3 cells').waitFor();
    assert.equal(await clipboard(), '0.1\n1.1\n2.1');
    await press('Shift+PageUp', 'Shift+PageUp', 'Shift+ArrowUp');
    await selectionLine().getByText('1 cell').waitFor();
    await press('Shift+ArrowDown', 'Shift+ArrowDown');
    await selectionLine().getByText('3 cells').waitFor();
    await press('Escape');
    assert.equal(await selectionLine().count(), 0);
  });

  it('begins at the row that it is asked for, in sight', async () => {
    await show({ paged: { startRow: 45, marks: [{ row: 45, label: 'this account' }] } });
    const own = page.locator('[role="row"][aria-current="true"]');
    await own.locator('#cell-45-0 .mark', { hasText: 'this account' }).waitFor();
    assert.equal(await active(), 'cell-45-0');
    const [place, area] = [await box(own), await box(page.locator('margin-grid'))];
    assert.ok(place.y > area.y && place.y + place.height <= area.y + area.height);
  });

  it('stays at its rows and selection while rows come before them', async () => {
    const records: object[] = trades.slice(0, 150);
    const ledger = { coverage: '', incomplete: null, olderThan: null, sums: [] };
    const query = {
      ...{ filters: {}, page: 0, size: 20_000 },
      ledger: { search: '', sort: null },
    };
    await show({ records, paged: { ledger }, described: { source: 'ledger', query } });
    await cell(3, 1).click();
    await cell(6, 2).click({ modifiers: ['Shift'] });
    const scrolled = page.locator('margin-grid');
    await scrolled.evaluate((element) => element.scrollTo({ top: 2405 }));
    const shown = await cell(102, 10).innerText();
    records.unshift({ ...trades[0], tradeId: '1' });
    open?.host.notify('table/changed', { pageId: 1 });
    await eventually('the same row in its place', async () => {
      const top = await scrolled.evaluate((element) => element.scrollTop);
      return top === 2429 && (await cell(103, 10).innerText()) === shown;
    });
    await scrolled.evaluate((element) => element.scrollTo({ top: 0 }));
    await cell(4, 1).waitFor();
    const ids = await page
      .getByRole('gridcell', { selected: true })
      .evaluateAll((cells) => cells.map(({ id }) => id));
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [8, 'cell-4-1', 'cell-7-2']);
  });

  it('selects ranges and rows by mouse', async () => {
    await show();
    await drag(cell(1, 1), cell(3, 2));
    await selectionLine().getByText('6 cells').waitFor();
    await cell(4, 3).click({ modifiers: ['Shift'] });
    await selectionLine().getByText('12 cells').waitFor();
    await cell(6, 1).click({ modifiers: ['Control'] });
    await selectionLine().getByText('13 cells').waitFor();
    await cell(8, 1).click({ modifiers: ['Meta'] });
    await selectionLine().getByText('14 cells').waitFor();
    await cell(9, 2).click({ modifiers: ['Shift'] });
    await selectionLine().getByText('17 cells').waitFor();
    await cell(2, 0).click({ position: { x: 4, y: 12 } });
    await selectionLine().getByText('1 row').waitFor();
    assert.equal(await grid().locator('[aria-selected="true"]').count(), 12);
  });

  it('asks the host for masked figures once, whatever is selected, and never copies a mask', async () => {
    await show({ hidesMoney: true });
    await page.evaluate(() => navigator.clipboard.writeText('before'));
    await cell(0, 1).click();
    await press('Control+c');
    await selectionLine().getByText('Copied 1 cell').waitFor();
    assert.equal(await clipboard(), 'btc_usdt');
    await press('Control+a', 'Control+c');
    await eventually('the request', () => host.asked['grid/copy']?.length === 1);
    assert.equal(host.asked['grid/copy']?.[0]?.selection.rows.length, 500);
    assert.equal(await clipboard(), 'btc_usdt');
    assert.equal(await selectionLine().innerText(), '500 rows');
  });

  it('sorts the page by mouse and by key, and says that it is only the page', async () => {
    await show();
    await header('Amount').click();
    assert.equal(await header('Amount').innerText(), 'Amount ↑ this page');
    assert.equal(await header('Amount').getAttribute('aria-sort'), 'ascending');
    await press('Enter');
    assert.equal(await header('Amount').getAttribute('aria-sort'), 'descending');
    await eventually('the rows', async () => (await cell(0, 4).innerText()) === '499.1');
    await press(' ');
    await eventually('the rows', async () => (await cell(0, 4).innerText()) === '0.1');
    assert.equal(await header('Amount').getAttribute('aria-sort'), null);
    assert.equal(host.asked['table/page']?.length, 1);
    await press('Control+a', 'Control+c');
    await selectionLine().getByText('Copied 500 rows').waitFor();
    assert.equal((await clipboard()).split('\n').length, 500);
  });

  const lastLayout = () => host.asked['grid/layout']?.at(-1);

  it('resizes a column by mouse and by key, fits it again, and keeps the layout', async () => {
    await show();
    const width = async () => (await box(header('Side'))).width;
    const fit = await width();
    const grip = header('Side').locator('.grip');
    const { x, y } = await box(grip);
    await page.mouse.move(x + 3, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 63, y + 10, { steps: 4 });
    await page.mouse.up();
    assert.equal(await width(), fit + 60);
    await press('Alt+Shift+ArrowLeft');
    await eventually('the width', async () => (await width()) === fit + 44);
    assert.deepEqual(lastLayout()?.widths, { side: fit + 44 });
    await grip.dblclick();
    await eventually('the width', async () => (await width()) === fit);
    assert.deepEqual(lastLayout()?.widths, {});
  });

  it('draws the digits that matter; all are read aloud and can be selected', async () => {
    const price = '61234.567890123';
    await show({ records: [{ ...trades[0], price, amount: '0.1' }] });
    const shown = cell(0, 3);
    const figure = shown.locator('.figure');
    assert.equal(await shown.innerText(), '61,234.567890123');
    assert.equal(await figure.getAttribute('title'), '61,234.567890123');
    await grid().getByRole('gridcell', { name: '61,234.567890123', exact: true }).waitFor();
    assert.equal((await box(shown.locator('.rest'))).width, 0);
    const mark = await figure.evaluate((element) => getComputedStyle(element, '::after').content);
    assert.match(mark, /^"…"/);
    assert.equal(await cell(0, 4).locator('.figure').count(), 0);
    await open?.close();
    await show({
      records: [{ ...trades[0], price }],
      digits: 'all',
    });
    assert.equal(await cell(0, 3).locator('.figure').count(), 0);
  });

  it('keeps time and symbol in place beside the other columns if there is room for them', async () => {
    for (const [width, pinned] of [
      [700, 2],
      [320, 1],
    ] as const) {
      await show({ width });
      const place = async () => Promise.all([0, 1].map(async (at) => (await box(cell(0, at))).x));
      const before = await place();
      await page.locator('margin-grid').evaluate((element) => element.scrollTo(200, 0));
      await eventually('the scroll', async () => (await box(cell(0, 2))).x < (before[1] ?? 0) + 60);
      const after = await place();
      const kept = after.filter((x, at) => x === before[at]).length;
      assert.equal(kept, pinned, `${width} px`);
      await open?.close();
    }
  });

  it('cuts off a number only in a column that the user made too narrow for it', async () => {
    await show();
    const price = cell(0, 4);
    const overflow = () => price.evaluate((element) => getComputedStyle(element).overflowX);
    assert.equal(await overflow(), 'visible');
    await price.click();
    await press('Alt+Shift+ArrowLeft');
    await eventually('a number that is cut off', async () => (await overflow()) === 'clip');
    await press('Alt+Shift+Home');
    await eventually('the whole number', async () => (await overflow()) === 'visible');
  });

  it('moves a column by mouse, and keeps the layout', async () => {
    await show({ width: 1400 });
    await drag(header('Side'), header('Symbol'));
    assert.match(await headings(), /^Time \(UTC\), Side, Symbol, Price/);
    assert.deepEqual(lastLayout()?.order.slice(0, 3), ['time', 'side', 'symbol']);
  });

  const details = () => page.getByRole('complementary', { name: 'Details' });

  it('shows every field of the active row, follows it, and returns the focus', async () => {
    await show();
    await cell(1, 3).click();
    await press('Enter');
    await details().getByText('2025-11-20T09:58:59.122Z').waitFor();
    await details().getByText(hostile).waitFor();
    assert.equal(await details().locator('img').count(), 0);
    await press('ArrowDown');
    await details().getByText('9007199254740995', { exact: true }).waitFor();
    await details().getByRole('button', { name: 'Copy Trade id' }).click();
    await details().getByRole('button', { name: 'Copy Time as ISO 8601' }).click();
    await details().getByRole('button', { name: 'Copy venue' }).click();
    const copies = await eventually(
      'three copies',
      () => host.asked['grid/copyField']?.length === 3 && host.asked['grid/copyField'],
    );
    assert.deepEqual(
      (copies || []).map(({ row, field, isExtra, as }) => [row, field, isExtra, as]),
      [
        [2, 'tradeId', false, 'text'],
        [2, 'time', false, 'iso'],
        [2, 'venue', true, 'text'],
      ],
    );
    await press('Escape');
    assert.equal(await details().count(), 0);
    await press('ArrowDown');
    assert.equal(await active(), 'cell-3-3');
  });

  it('finds what belongs to a row only when asked, and says what it costs', async () => {
    await show();
    await cell(1, 3).dblclick();
    const find = details().getByRole('button', { name: 'Find Its Order (1 request)' });
    await find.waitFor();
    const requests = () => host.asked['table/related'] ?? [];
    assert.equal(requests().length, 0);
    await find.click();
    await details().getByText('The order of this trade').waitFor();
    const [request] = requests();
    assert.equal(request?.row, 1);
    await details().locator('.related').getByRole('button', { name: 'Copy Trade id' }).click();
    const copy = await eventually('the copy', () => host.asked['grid/copyField']?.[0]);
    assert.deepEqual([copy.row, copy.field], [1, 'tradeId']);
    assert.equal(copy.related, 0);
  });

  it('shows several related records as one table, with every field and the sums of each unit', async () => {
    const fills = [
      { ...trades[0], tradeId: '71', amount: '0.1', price: '61234.123456789', fee: '0.25' },
      { ...trades[0], tradeId: '72', amount: '0.23', feeAsset: 'bnb' },
      { ...trades[0], tradeId: '73', amount: '1', extra: {} },
    ];
    await show({ related: fills });
    await cell(1, 3).dblclick();
    await details().getByRole('button', { name: 'Find Its Order (1 request)' }).click();
    const table = details().getByRole('table');
    const lines = () =>
      table
        .getByRole('row')
        .evaluateAll((rows) =>
          rows.map(({ children }) => [...children].map((each) => each.textContent).join(' | ')),
        );
    await table.waitFor();
    const close = await box(details().getByRole('button', { name: 'Close' }));
    assert.ok(close.x + close.width <= 1000, 'a wide table leaves its pane as it is');
    // What all say alike comes after what they do not.
    const alike = '2025-11-20 10:00:00.123 UTC | btc_usdt | Buy | yes | Order book | 5000001';
    assert.deepEqual(await lines(), [
      'Price | Amount | P&L | Fee | Fee asset | Trade id | venue | Time | Symbol | Side | Maker | Type | Order id',
      `61,234.123456789 | 0.1 | −1.25 | 0.25 | usdt | 71 | ${hostile} | ${alike}`,
      `61,234.5 | 0.23 | −1.25 | 0.1 | bnb | 72 | ${hostile} | ${alike}`,
      `61,234.5 | 1 | −1.25 | 0.1 | usdt | 73 | — | ${alike}`,
    ]);
    assert.deepEqual(await details().locator('.related p').allTextContents(), [
      'The order of this trade',
      'Amount btc_usdt 1.33',
      'Fee usdt 0.35',
      'Fee bnb 0.1',
    ]);
    assert.equal(await details().locator('.related .figure[data-cut="true"]').count(), 1);
  });

  it('has its details in two columns below the rows where there is no room beside them', async () => {
    const places = async (width: number) => {
      await show({ width });
      await cell(0, 1).dblclick();
      await details().getByText('ISO 8601').waitFor();
      const [rows, pane] = [await box(page.locator('margin-grid')), await box(details())];
      const starts = await details()
        .locator('.fieldList > div')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      await open?.close();
      return [pane.y >= rows.y + rows.height - 1, new Set(starts).size];
    };
    assert.deepEqual(await places(1000), [false, 1]);
    assert.deepEqual(await places(690), [true, 2]);
    assert.deepEqual(await places(320), [true, 1]);
  });

  it('keeps the active cell in sight beside its details, and marks its row', async () => {
    await show({ width: 720 });
    await cell(20, 0).click();
    for (let column = 0; column < 5; column += 1) await press('ArrowRight');
    await press('Enter');
    await details().getByText('ISO 8601').waitFor();
    await eventually('the cell in sight', async () => {
      const [own, area] = [await box(cell(20, 5)), await box(page.locator('margin-grid'))];
      const isBeside = own.x >= area.x && own.x + own.width <= area.x + area.width;
      return isBeside && own.y + own.height <= area.y + area.height;
    });
    const shadow = (row: number) =>
      cell(row, 4).evaluate((element) => getComputedStyle(element).boxShadow);
    assert.notEqual(await shadow(20), 'none');
    assert.equal(await shadow(19), 'none');
    await page.setViewportSize({ width: 500, height: 400 });
    await eventually('the cell in sight below', async () => {
      const [own, area] = [await box(cell(20, 5)), await box(page.locator('margin-grid'))];
      // The heights of the panes are fractions of pixels, scroll positions are not.
      return own.y + own.height <= area.y + area.height + 1 && own.y > area.y;
    });
  });

  it('drops open details at once when privacy is switched on', async () => {
    await show();
    await cell(1, 3).click();
    await press('Enter');
    await details().getByText('+3.75', { exact: true }).waitFor();
    host.display = aDisplay({ hidesMoney: true });
    open?.host.notify('table/display', { display: host.display.settings, page: null });
    await eventually('no figure', async () => !(await page.content()).includes('3.75'));
  });

  it('offers only menu commands that fit the cell below the pointer', async () => {
    await show();
    await drag(cell(0, 3), cell(2, 4));
    const context = async () =>
      JSON.parse((await grid().getAttribute('data-vscode-context')) ?? '') as Record<
        string,
        unknown
      >;
    await cell(1, 3).click({ button: 'right' });
    await selectionLine().getByText('6 cells').waitFor();
    assert.deepEqual(await context(), {
      preventDefaultContextMenuItems: true,
      webviewSection: 'gridCell',
      gridTable: 'trades',
      gridCellFilters: false,
    });
    assert.equal(await active(), 'cell-1-3');
    await cell(2, 4).click({ button: 'right' });
    await selectionLine().getByText('6 cells').waitFor();
    assert.equal(await active(), 'cell-2-4');
    await cell(5, 1).click({ button: 'right' });
    assert.equal(await active(), 'cell-5-1');
    assert.equal((await context()).gridCellFilters, true);
    open?.host.notify('grid/command', { kind: 'filter' });
    await eventually('the request', () => host.asked['table/page']?.length === 2);
    assert.deepEqual(host.asked['table/page']?.[1]?.filters, { symbol: 'eth_usdt' });
  });

  it('sorts, fits and hides a column from the menu of its header', async () => {
    await show();
    const choose = (kind: 'sortColumn' | 'fitColumn' | 'hideColumn') =>
      open?.host.notify('grid/command', { kind });
    await grid().focus();
    await press('ArrowUp', ...Array<string>(8).fill('Alt+Shift+ArrowRight'));
    const width = async () => (await box(header('Time'))).width;
    const widened = await width();
    await header('Time').click({ button: 'right' });
    const context = (await grid().getAttribute('data-vscode-context')) ?? '';
    assert.match(context, /"webviewSection":"gridHeader"/);
    choose('sortColumn');
    await header('Time').and(page.locator('[aria-sort=ascending]')).waitFor();
    choose('fitColumn');
    await eventually('the fit', async () => (await width()) < widened);
    choose('hideColumn');
    await eventually('no column', async () => !(await headings()).includes('Time'));
  });

  it('asks the host to open a link at a press, and at Control and Enter', async () => {
    const link = 'https://explorer.example/transactions/1';
    const table = historyTables().transactions;
    const records = [{ time: '1763632800123', asset: 'usdt', type: 'DEPOSIT', amount: '5', link }];
    await show({ records, table });
    const button = grid().getByRole('button', { name: 'explorer.example' });
    await button.hover();
    await eventually('the address', async () => (await cell(0, 4).getAttribute('title')) === link);
    await button.click();
    await press('Enter');
    await details().getByText('ISO 8601').waitFor();
    await press('ArrowLeft', 'Control+Enter', 'ArrowRight', 'Control+Enter');
    await eventually('two presses', () => host.asked['table/openLink']?.length === 2);
    assert.deepEqual(host.asked['table/openLink'], [link, link], 'an amount is no link');
  });

  const menuContext = async () =>
    JSON.parse((await page.locator('body').getAttribute('data-vscode-context')) ?? '') as object;

  it('offers Cut and Paste only in a field, and Copy of selected text with the minus of programs', async () => {
    await show();
    await page.locator('footer').click({ button: 'right' });
    assert.deepEqual(await menuContext(), { preventDefaultContextMenuItems: true });
    await page.getByRole('textbox').first().click({ button: 'right' });
    assert.deepEqual(await menuContext(), { preventDefaultContextMenuItems: false });
    await cell(0, 3).click();
    await press('Enter');
    const loss = details().getByText('−1.25', { exact: true });
    await loss.selectText();
    await loss.click({ button: 'right' });
    assert.deepEqual(await menuContext(), {
      preventDefaultContextMenuItems: true,
      webviewSection: 'selectedText',
      selectedText: '-1.25',
    });
    await loss.selectText();
    await press('Control+c');
    assert.equal(await clipboard(), '-1.25');
  });

  it('has one button without an account, which opens the practice account', async () => {
    await show({ described: { context: { profile: null, environment: '', session: 0 } } });
    await page.getByRole('heading', { name: 'No account is open' }).waitFor();
    for (const role of ['toolbar', 'textbox'] as const)
      assert.equal(await page.getByRole(role).count(), 0);
    assert.deepEqual(await page.getByRole('button').allInnerTexts(), ['Open Practice Account']);
    await page.getByRole('button').click();
    await eventually('the command', () => host.asked['table/runAction']?.[0] === 'tryPractice');
  });

  it('has no accessibility finding with everything open', async () => {
    await show();
    await drag(cell(1, 3), cell(2, 5));
    await press('Enter', 'Control+f');
    await page.keyboard.type('btc');
    await details().getByText('ISO 8601').waitFor();
    await header('Fee').first().click();
    await cell(1, 3).click();
    await details().getByText('ISO 8601').waitFor();
    assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
    await page.getByRole('button', { name: 'Columns' }).click();
    assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
  });
});
