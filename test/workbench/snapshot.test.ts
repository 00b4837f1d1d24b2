import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { Handlers } from '../../src/protocol/messages.ts';
import type { TableMethods } from '../../src/protocol/table.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { gridHost } from '../support/gridHost.ts';
import {
  newTablePage,
  openTableInBrowser,
  tablePage,
  type PageParts,
  type TableInBrowser,
} from '../support/tableInBrowser.ts';

const hostile = `<img src=x onerror="alert(1)"></style><script>alert(1)</script>&lt;b&gt;'`;
const records = Array.from({ length: 100 }, (_none, index) => ({
  time: String(1763632800123 - index * 61_001),
  symbol: index === 15 ? hostile : 'btc_usdt',
  price: `61234.${index + 10}`,
  tradeId: String(9007199254740993n + BigInt(index)),
}));

/** Notes in the page for how many milliseconds the snapshot stayed after its rows began to load. */
const noteStay = `let since;
new MutationObserver(() => {
  if (document.querySelector('#app .progress[data-busy]')) since ??= performance.now();
  if (since === undefined || document.querySelector('#kept')) return;
  document.documentElement.dataset.stayedMs ??= String(performance.now() - since);
}).observe(document, { childList: true, subtree: true, attributes: true });`;

/** The page of a table in a browser, and what it leaves for when its panel comes back. */
describe('a snapshot of a page', () => {
  let browser: Browser;
  let page: Page;
  let shipped: PageParts;
  let open: TableInBrowser | undefined;

  before(async () => {
    browser = await launchChromium();
    page = await newTablePage(browser);
    shipped = await tablePage();
  });
  after(() => browser.close());
  afterEach(close);

  async function close(): Promise<void> {
    const problems = open?.problems;
    await open?.close();
    open = undefined;
    assert.deepEqual(problems ?? [], []);
  }

  async function load(
    parts: PageParts,
    changed: Partial<Handlers<TableMethods>> = {},
  ): Promise<TableInBrowser> {
    const handlers = { ...gridHost({ records, display: aDisplay() }).handlers, ...changed };
    const size = { width: 700, height: 640 };
    open = await openTableInBrowser({ page, table: 'trades', size, handlers, parts });
    return open;
  }

  /** As the host puts it into the HTML of a panel that comes back: under the policy of the page, in front of it. */
  function withKept(html: string): PageParts {
    const styled = html.replaceAll('<style media="all">', '<style nonce="x">');
    return {
      ...shipped,
      policy: shipped.policy.replace("style-src 'self'", "style-src 'self' 'nonce-x'"),
      style: `${shipped.style}\n${shipped.style.replaceAll('margin-grid', 'kept-margin-grid')}`,
      kept: `<div id="kept" inert aria-hidden="true">${styled}</div>`,
    };
  }

  /** What the page left once it was scrolled to this place, and nothing changed any more. */
  async function leave(top: number, left: number): Promise<string> {
    const { snapshots } = await load(shipped);
    await page.locator('#cell-0-0').waitFor();
    await page
      .locator('margin-grid')
      .evaluate((element, place) => element.scrollTo(place), { top, left });
    const place = `top:${top}px;left:${left}px;`;
    const { html } = await eventually('a snapshot', () =>
      snapshots.findLast(({ html: each }) => each.includes(place) && each.includes('61,234.25')),
    );
    await close();
    return html;
  }

  const scrolled = (element: string) =>
    page.locator(element).evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]);

  it('shows the rows at the place where they were, before a script runs', async () => {
    for (const [top, left] of [
      [333, 0],
      [240, 120],
    ] as const) {
      const html = await leave(top, left);
      await load({ ...withKept(html), script: '' });
      await page.locator('#kept').getByText('61,234.25', { exact: true }).waitFor();
      assert.deepEqual(await scrolled('kept-margin-grid'), [top, left]);
      await close();
    }
  });

  it('gives way to the page once that has drawn', async () => {
    await load(withKept(await leave(333, 0)));
    await page.locator('#app #cell-0-0').waitFor({ state: 'attached' });
    assert.equal(await page.locator('#kept').count(), 0);
  });

  it('stays while the page has no rows yet, but not for long', async () => {
    const html = await leave(240, 0);
    const rows = Promise.withResolvers<never>();
    const parts = { ...withKept(html), prelude: noteStay };
    await load(parts, { 'table/page': () => rows.promise });
    await page.locator('#kept').waitFor({ state: 'detached' });
    const stayedMs = await page.locator('html').getAttribute('data-stayed-ms');
    assert.ok(Number(stayedMs) > 400, `${stayedMs} ms`);
    rows.reject(new Error('No rows.'));
  });

  it('covers what the page draws behind it', async () => {
    await load({ ...withKept(await leave(240, 0)), script: '' });
    const covered = await page.screenshot();
    await page.locator('#app').evaluate((app) => {
      app.textContent = 'Loading trades…';
      Object.assign(app.style, { position: 'absolute', zIndex: '3', top: '50%' });
    });
    assert.ok(covered.equals(await page.screenshot()));
  });

  it('says whether a person has used the page', async () => {
    const { snapshots } = await load(shipped);
    await eventually('a snapshot', () => snapshots.some(({ html }) => html.includes('61,234.25')));
    assert.ok(snapshots.every(({ isTouched }) => !isTouched));
    await page.locator('#cell-0-0').click();
    await eventually('another snapshot', () => snapshots.at(-1)?.isTouched);
  });

  it('has what an exchange wrote as text, and nothing that runs, loads or opens', async () => {
    await load({ ...withKept(await leave(240, 0)), script: '' });
    await page.locator('#kept').getByText(hostile, { exact: true }).waitFor();
    const others = page.locator('#kept :is(img, script, a, iframe, link, object, form)');
    assert.equal(await others.count(), 0);
    const names = await page
      .locator('#kept *')
      .evaluateAll((all) => all.flatMap((each) => each.getAttributeNames()));
    const harmful = /^(?:on|href$|src$|style$|id$|data-vscode)/;
    assert.deepEqual(
      names.filter((name) => harmful.test(name)),
      [],
    );
  });

  it('has no element that its list does not name, nor what is in it', async () => {
    const { snapshots } = await load(shipped);
    await page.locator('#cell-0-0').waitFor();
    await page.locator('.footer').evaluate((footer) => {
      for (const name of ['object', 'a', 'form', 'b']) {
        const element = document.createElement(name);
        element.append(`in ${name}`);
        footer.append(element);
      }
      footer.append('the last');
    });
    const { html } = await eventually('a snapshot', () =>
      snapshots.findLast(({ html: each }) => each.includes('the last')),
    );
    assert.doesNotMatch(html, /<(?:object|a|form|b)\b|in (?:object|a|form|b)\b/);
  });

  it('has no menu that was open', async () => {
    const { snapshots } = await load(shipped);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Symbol' }).waitFor();
    await page.locator('margin-grid').evaluate((element) => element.scrollTo(0, 480));
    const { html } = await eventually('a snapshot', () =>
      snapshots.findLast(({ html: each }) => each.includes('top:480px')),
    );
    assert.ok(!html.includes('Move Side Up'));
  });

  it('has what is typed into a field', async () => {
    const { snapshots } = await load(shipped);
    await page.locator('#cell-0-0').waitFor();
    await page.getByRole('textbox', { name: 'Page', exact: true }).fill('7');
    await page.locator('#cell-0-0').click();
    await eventually('the text', () => snapshots.at(-1)?.html.includes('value="7"'));
  });
});
