import type { Browser, Page } from 'playwright-core';
import { aDisplay } from '../test/support/display.ts';
import { gridHost } from '../test/support/gridHost.ts';
import {
  newTablePage,
  openTableInBrowser,
  pageScript,
  type PageParts,
} from '../test/support/tableInBrowser.ts';
import { percentile } from './figures.ts';
import type { GridPage } from './gridPages.ts';
import { amountOf, tradesTotal } from './gridTrades.ts';

const size = { width: 1280, height: 720 };
const visibleRows = 26;

export type Opened = { readonly page: Page; readonly createMs: number; close(): Promise<void> };

/** Opens pages with rows, and measures in them. */
export class GridRun {
  private readonly browser: Browser;
  private readonly scripts: string;

  private constructor(browser: Browser, scripts: string) {
    this.browser = browser;
    this.scripts = scripts;
  }

  static async in(browser: Browser): Promise<GridRun> {
    const files = ['bench/pages/watch.ts', 'bench/pages/answeringHost.ts'];
    return new GridRun(browser, (await Promise.all(files.map(pageScript))).join('\n'));
  }

  /** A page with the first of two pages of so many rows on screen. */
  async open(grid: GridPage, pageRows: number): Promise<Opened> {
    const { handlers } = gridHost({ records: [], display: aDisplay() });
    const description = await handlers['table/open'](null, new AbortController().signal);
    const hostData = { description: { ...description, pageSize: 500 }, pageRows, visibleRows };
    const prelude = `globalThis.hostData = ${JSON.stringify(hostData)};\n${this.scripts}`;
    const parts: PageParts = { ...grid, prelude };
    const page = await newTablePage(this.browser);
    const { problems } = await openTableInBrowser({ page, table: 'trades', handlers, size, parts });
    const createMs = await result(page);
    if (problems.length > 0)
      throw new Error(`${grid.name} breaks its policy: ${problems.join(' ')}`);
    return { page, createMs, close: () => page.context().close() };
  }

  /** From the key on the button to the second page of 500 on screen. */
  async nextPage({ page }: Opened): Promise<number> {
    await page.getByRole('button', { name: 'Next page' }).focus();
    const rows = Array.from({ length: visibleRows }, (_, row) => amountOf(1, row));
    return shownAfterKey(page, 'Enter', rows);
  }

  /** The 95th percentile of the frames while the rows scroll by a hundred in each. */
  async scroll({ page }: Opened, { scroller }: GridPage): Promise<number> {
    const frames = await page.evaluate(`watch.scroll(${JSON.stringify(scroller)}, 2400, 30)`);
    return percentile(frames as readonly number[], 0.95);
  }

  /** From the key that selects ten columns of a thousand rows to their exact sum on screen. */
  async select({ page }: Opened): Promise<number> {
    await page.locator('#cell-0-2').click();
    const [first, second] = [tradesTotal(1000, 'btc_usdt'), tradesTotal(1000, 'eth_usdt')];
    return shownAfterKey(page, 'Control+Shift+End', [
      '10,000 cells',
      `Amount btc_usdt: sum ${first} `,
      `Amount eth_usdt: sum ${second} `,
      amountOf(0, 999),
    ]);
  }
}

async function shownAfterKey(page: Page, key: string, texts: readonly string[]): Promise<number> {
  await page.evaluate(`watch.shownAfter('keydown', ${JSON.stringify(texts)})`);
  await page.keyboard.press(key);
  return result(page);
}

async function result(page: Page): Promise<number> {
  return Number(await page.evaluate('watch.result'));
}
