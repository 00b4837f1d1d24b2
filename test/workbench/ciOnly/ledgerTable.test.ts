import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { ActiveAccount } from '../../../src/account/session/activeAccount.ts';
import { hourMs } from '../../../src/base/time.ts';
import { PanelRows } from '../../../src/host/tables/panelRows.ts';
import { createTableDefinition } from '../../../src/host/tables/tables.ts';
import { synchronise } from '../../../src/host/tables/ledgerRows.ts';
import { toRpcFailure } from '../../../src/host/webview/requestFailure.ts';
import type { DisplayState } from '../../../src/host/settings/displayState.ts';
import type { Trade } from '../../../src/exchange/records.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { LedgerError } from '../../../src/ledger/ledgerError.ts';
import { recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { RpcError } from '../../../src/protocol/messages.ts';
import type { TableDescription, TableSource } from '../../../src/protocol/table.ts';
import { aTrade } from '../../support/builders.ts';
import { launchChromium } from '../../support/chromium.ts';
import { aDisplay } from '../../support/display.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { gridHost, type GridHost } from '../../support/gridHost.ts';
import { ledgerInThisThread } from '../../support/ledgerUnderTest.ts';
import { LedgerOfPanel } from '../../support/panelLedger.ts';
import { folderOfEachTest } from '../../support/project.ts';
import {
  newTablePage,
  openTableInBrowser,
  type TableInBrowser,
} from '../../support/tableInBrowser.ts';
import { findingsInFrame } from '../../support/workbench/axe.ts';

/** 2026-11-20T10:00:00Z */
const now = 1_795_168_800_000;
const count = 12_000;

/** The largest fee is in the middle, and the times are those of the ids. */
const trades = Array.from({ length: count }, (_none, index) =>
  aTrade({
    tradeId: String(9007199254740993n + BigInt(index)),
    orderId: String(5_000_000 + index),
    time: String(now - hourMs - (count - index) * 1000),
    amount: '0.5',
    symbol: index % 2 === 0 ? 'btc_usdt' : 'eth_usdt',
    fee: index === 6000 ? '99.5' : `0.${String(index).padStart(5, '0')}1`,
  }),
);

/** The page with a real ledger behind it, and an exchange that can be reached or not. */
describe('a table page with a ledger, in a browser', () => {
  const folder = folderOfEachTest();
  let browser: Browser;
  let page: Page;
  let open: TableInBrowser | undefined;
  let host: GridHost;
  let ledger: LedgerOfPanel;
  let stored: LedgerCalls;
  let reader: PanelRows;
  let exchange: { isReachable: boolean; reads: number };
  let chosen: TableSource[];

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

  function filledLedger(): LedgerOfPanel {
    stored = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    readInto(trades);
    return new LedgerOfPanel(stored);
  }

  function readInto(records: readonly Trade[]): void {
    const read = { history: 'trades', from: 0, to: now - hourMs, asOf: now } as const;
    const { id } = stored.beginWalk({ ...read, purpose: 'download' });
    stored.saveStep(id, records.map(recordJson), null);
    stored.endWalk(id, { completeness: 'complete', reason: null });
  }

  async function show(width = 1200): Promise<void> {
    const display = aDisplay();
    ledger = filledLedger();
    exchange = { isReachable: true, reads: 0 };
    chosen = [];
    host = gridHost({ records: trades.slice(0, 100), display });
    const session = {
      serverNow: () => now,
      store: { state: {} },
      exchangeInformation: { cached: undefined },
    };
    const active = { state: { kind: 'open', session }, session: () => Promise.resolve(session) };
    reader = new PanelRows({
      name: 'trades',
      table: createTableDefinition('trades'),
      clock: new FakeClock(now),
      ledger,
      active: active as unknown as ActiveAccount,
      isVisible: () => true,
      display: { current: display } as unknown as DisplayState,
    });
    const describe = host.handlers['table/open'];
    const readExchange = host.handlers['table/page'];
    open = await openTableInBrowser({
      page,
      table: 'trades',
      size: { width, height: 640 },
      handlers: {
        ...host.handlers,
        'table/synchronise': (_none, signal) => synchronise(ledger, 'trades', signal),
        'table/source': (source) => void chosen.push(source),
        'table/open': async (none, signal) => {
          const description: TableDescription = await describe(none, signal);
          return { ...description, source: 'exchange' };
        },
        'table/page': async (query, signal) => {
          try {
            if (query.ledger) return await reader.read(query, signal);
          } catch (error) {
            throw new RpcError(toRpcFailure(error, now, display));
          }
          exchange.reads += 1;
          if (exchange.isReachable) return readExchange(query, signal);
          throw new RpcError({ kind: 'network', sentence: 'No connection.' });
        },
      },
    });
    await rowCount(101);
  }

  const grid = (): Locator => page.getByRole('grid');
  const cell = (row: number, column: number): Locator => page.locator(`#cell-${row}-${column}`);
  const header = (name: string): Locator => page.getByRole('columnheader', { name });
  const search = (): Locator => page.getByRole('textbox', { name: 'Search all rows' });
  const alert = (): Locator => page.locator('.note[role="alert"]');
  const rowCount = (count: number) =>
    eventually(
      'the rows',
      async () => (await grid().getAttribute('aria-rowcount')) === String(count),
    );
  const texts = async (column: number, rows: number) => {
    const places = Array.from({ length: rows }, (_none, row) => row);
    return Promise.all(places.map((row) => cell(row, column).innerText()));
  };

  const kept = () => host.asked['table/keep'] ?? [];

  async function choose(source: 'Exchange' | 'Ledger'): Promise<void> {
    await page.getByRole('button', { name: /^Source/ }).click();
    await page.getByRole('menuitemradio', { name: source }).click();
  }

  it('switches to all rows of the ledger on one page, and remembers it', async () => {
    await show();
    await choose('Ledger');
    await rowCount(count + 1);
    assert.deepEqual([chosen, exchange.reads], [['ledger'], 1]);
    const footer = page.locator('.footer');
    // The first rows come first.
    await footer.getByText('12,000 rows').waitFor();
    assert.match(await footer.innerText(), /complete to 09:00:00 UTC/);
    await grid().focus();
    await page.keyboard.press('Control+End');
    await cell(count - 1, 0).waitFor();
    await choose('Exchange');
    await rowCount(101);
    assert.deepEqual([chosen, exchange.reads], [['ledger', 'exchange'], 2]);
    assert.equal(await search().count(), 0);
  });

  it('sorts all rows by fee, searches ids, sums what matches, and goes on without the exchange', async () => {
    await show();
    await choose('Ledger');
    await rowCount(count + 1);
    exchange.isReachable = false;
    await header('Fee').first().click();
    await header('Fee').first().click();
    await eventually('the largest fee', async () =>
      (await cell(0, 6).innerText()).startsWith('99.5'),
    );
    assert.match(await header('Fee').first().innerText(), /↓ all rows/);
    assert.deepEqual(await texts(10, 2), ['9007199254746993', '9007199254752992']);
    await search().pressSequentially('50060');
    await eventually('the typed text to be kept', () =>
      kept().some(({ formValues }) => formValues.search === '50060'),
    );
    await search().press('Enter');
    await rowCount(101);
    assert.deepEqual(await texts(11, 2), ['5006000', '5006099']);
    const sums = page.getByRole('button', { name: /^100 rows/ });
    assert.match(await sums.innerText(), /btc_usdt net [+−]?[\d.]+/);
    await page.getByRole('button', { name: 'Remove filter “Search all rows: 50060”' }).click();
    await rowCount(count + 1);
    await search().pressSequentially('50060');
    await cell(0, 1).click();
    await rowCount(101);
    assert.equal(exchange.reads, 1);
  });

  it('synchronises the ledger on Refresh, then reads it again', async () => {
    await show();
    await choose('Ledger');
    await rowCount(count + 1);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await eventually('a synchronisation', () => ledger.synchronised === 1);
    await rowCount(count + 1);
    assert.equal(await alert().count(), 0);
  });

  it('shows what was written into the ledger, and stays at its rows, cell and selection', async () => {
    await show();
    await choose('Ledger');
    await rowCount(count + 1);
    const idsOf = (first: number) =>
      [0, 1, 2, 3].flatMap((row) => [1, 2].map((column) => `cell-${first + row}-${column}`));
    await cell(3, 1).click();
    await cell(6, 2).click({ modifiers: ['Shift'] });
    const selection = () =>
      page
        .getByRole('gridcell', { selected: true })
        .evaluateAll((cells) => cells.map(({ id }) => id));
    assert.deepEqual(await selection(), idsOf(3));
    const scrolled = page.locator('margin-grid');
    await scrolled.evaluate((element) => element.scrollTo({ top: 4805 }));
    const visible = cell(202, 10);
    const shown = await visible.innerText();
    const [removed, kept] = [trades.at(-150), trades.slice(0, -150).concat(trades.slice(-149))];
    const newest = aTrade({ tradeId: '1', time: String(now - hourMs - 1), symbol: 'new_usdt' });
    readInto([...kept, newest]);
    const behind = await eventually('the page', () => reader.pageBehindLedger());
    open?.host.notify('table/changed', { pageId: behind });
    await rowCount(count + 2);
    await eventually('the same row in its place', async () => {
      const moved = (await cell(203, 10).innerText()) === shown;
      return moved && (await scrolled.evaluate((element) => element.scrollTop)) === 4829;
    });
    await scrolled.evaluate((element) => element.scrollTo({ top: 0 }));
    await cell(0, 1).getByText('new_usdt').waitFor();
    await eventually('the selection at its records', async () =>
      isDeepStrictEqual(await selection(), idsOf(4)),
    );
    const gone = page.locator('.row.marked');
    await scrolled.evaluate((element) => element.scrollTo({ top: 149 * 24 }));
    await gone.waitFor();
    assert.match(await gone.innerText(), new RegExp(`no longer listed.*${removed?.tradeId}`, 's'));
  });

  it('goes back to the exchange in one sentence if the ledger fails', async () => {
    await show();
    ledger.failure = new LedgerError('damaged', 'SQLite 11');
    await choose('Ledger');
    await alert().waitFor();
    const sentence = 'The ledger could not be read. The rows are those of the exchange.';
    assert.equal(await alert().innerText(), sentence);
    await rowCount(101);
    await page.getByRole('button', { name: 'Source: Exchange' }).waitFor();
  });

  for (const width of [1200, 420])
    it(`can be used with assistive technology, ${width} px wide`, async () => {
      await show(width);
      if (width < 600) await page.getByRole('button', { name: 'Filters' }).click();
      await choose('Ledger');
      await rowCount(count + 1);
      assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
    });
});
