import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import * as v from 'valibot';
import { dayMs } from '../../src/base/time.ts';
import {
  documentSchema,
  type Block,
  type Choices,
  type Document,
  type OpenedDocument,
  type Press,
} from '../../src/protocol/document.ts';
import { RpcError } from '../../src/protocol/messages.ts';
import { anAccount, aPosition, someLocked, wire } from '../support/builders.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDisplay } from '../support/display.ts';
import { eventually } from '../support/eventually.ts';
import { overviewOfAccount } from '../support/overviewUnderTest.ts';
import {
  newTablePage,
  openDocumentInBrowser,
  type DocumentInBrowser,
} from '../support/tableInBrowser.ts';
import { findingsInFrame } from '../support/workbench/axe.ts';
import { columnsNotWhole, unreadableIn } from './pages/unreadable.ts';

const hostile = `<img src=x onerror="alert(1)"></style><script>alert(1)</script>&lt;b&gt;`;
const start = Date.UTC(2026, 10, 20);
const button = (action: string, label = action) => ({ action, label });

const chart: Extract<Block, { kind: 'chart' }> = {
  ...{ kind: 'chart', title: 'P&L by day', unit: 'usdt', field: 'rpnl', isProfit: true },
  ...{ points: 'day', incomplete: null, summary: '+6 usdt', notes: [hostile] },
  data: {
    kind: 'bars',
    from: [0, 1, 2].map((day) => start + day * dayMs),
    to: start + 3 * dayMs,
    gaps: [{ from: start + 1.5 * dayMs, to: start + 2 * dayMs }],
    series: [
      { label: 'Buy', values: ['1', '2', null], rows: [1, 2, 0], isWider: false },
      { label: 'Sell', values: ['-1', null, '4'], rows: [1, 0, 3], isWider: true },
    ],
  },
  open: button('rows', 'Show Rows'),
};

const table = {
  title: 'Counts',
  notes: [hostile],
  columns: [
    { label: 'Name', isNumeric: false },
    { label: 'Fee', isNumeric: true },
  ],
  rows: [
    [
      { text: hostile, notes: ['below'], more: { summary: 'Evidence', items: [['GET', hostile]] } },
      { text: '−1,234.123456 usdt', state: 'failed' as const, button: button('row', hostile) },
    ],
  ],
};

/** A week by its first day, which was not read. */
const aWeek = (first: number, text: string) => ({
  sum: { text },
  days: [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
    const label = String(first + weekday);
    return {
      ...{ weekday, figure: { text, tone: 'loss' as const }, strength: 4, note: hostile },
      isIncomplete: weekday === 0,
      button: { ...button(`day ${label}`, label), spoken: `Day ${label}: ${text}` },
    };
  }),
});

const calendar: Block = {
  kind: 'calendar',
  columns: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun', 'Week'],
  months: [
    { title: hostile, sum: { text: '—' }, weeks: [aWeek(8, '−1,234.56…'), aWeek(15, '•••')] },
    { title: '2026-10', sum: { text: '−20', tone: 'loss' }, weeks: [aWeek(1, '−20')] },
  ],
};

/** One of each kind, with what an exchange may have written in each. */
const blocks: readonly Block[] = [
  {
    kind: 'notice',
    tone: 'error',
    texts: [hostile],
    outcome: { state: 'failed', word: 'refused' },
  },
  {
    ...{ kind: 'coverage', text: hostile, isComplete: false, gaps: [hostile], gapsLabel: 'Gaps' },
    button: button('synchronise', 'Synchronise'),
  },
  {
    kind: 'cards',
    cards: [
      {
        label: 'Equity',
        age: '70 s old',
        lines: [{ text: '12,012.5 ••• usdt' }],
        notes: [hostile],
      },
      { label: 'P&L', lines: [{ text: '+12.50000000001', tone: 'gain' }], notes: [] },
    ],
  },
  { kind: 'details', items: [{ label: 'Profile', texts: [hostile] }] },
  { kind: 'table', ...table, isStacked: true },
  chart,
  {
    kind: 'timeline',
    steps: [
      {
        ...{ title: 'Sent', state: 'done', at: { text: '10:00:00 UTC' }, texts: [hostile] },
        checks: [{ label: { text: '5 s' }, state: 'pending', text: hostile }],
      },
    ],
  },
  {
    kind: 'map',
    legend: [{ state: 'complete', label: 'complete' }],
    lines: [
      {
        ...{ label: 'Trades', summary: '12,345 rows', gaps: [hostile] },
        months: [{ label: '11', parts: [{ state: 'complete', share: 1 }], detail: 'complete' }],
      },
    ],
  },
  calendar,
  {
    kind: 'checklist',
    items: [
      {
        ...{ label: 'Fees', state: 'failed', word: 'Contradicted', texts: [hostile] },
        figure: { label: 'difference', text: '0.123456789 usdt' },
        findings: {
          label: 'Rows',
          list: [
            {
              ...{ title: hostile, notes: [hostile], buttons: [] },
              rows: [{ text: hostile, button: button('row') }],
            },
          ],
        },
        table: { ...table, isOpen: true },
      },
    ],
  },
];

const choices: Document['choices'] = [
  {
    ...{ name: 'view', label: 'View', kind: 'tabs' },
    options: [
      { value: 'equity', label: 'Equity' },
      { value: 'cash', label: 'Cash' },
    ],
  },
  {
    ...{ name: 'group', label: 'Group', kind: 'menu' },
    options: [
      { value: 'day', label: 'Day' },
      { value: 'week', label: 'Week' },
    ],
  },
  {
    ...{ name: 'period', label: 'Period', kind: 'menu', takesDates: true },
    options: [{ value: '', label: 'All' }],
  },
];
const chosen = { view: 'equity', group: 'day', period: '' };

function documentOf(fields: Partial<Document> = {}): Document {
  return {
    ...{ title: 'Analysis', key: '', time: null, notes: [], buttons: [], sections: [] },
    account: { environment: 'LIVE', profile: 'Main', origin: '', remark: null },
    display: aDisplay().settings,
    ...fields,
  };
}

const section = (...shown: Block[]) => ({ title: 'Section', notes: [], blocks: shown });

/** The page alone in a browser, with a host that sends what a test wants. */
describe('a document in a browser', () => {
  let browser: Browser;
  let page: Page;
  let open: DocumentInBrowser;
  let pressed: Press[];
  let asked: (Choices | null)[];
  /** What the host answers to what is chosen. */
  let answer: (choices: Choices | null) => Promise<OpenedDocument>;

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

  const shows = (document: Document) => () => Promise.resolve({ document, before: null });

  async function show(document: Document, width = 1000): Promise<void> {
    answer = shows(document);
    await load(width);
    await page.getByRole('heading', { level: 1, name: document.title }).waitFor();
  }

  async function load(width = 1000): Promise<void> {
    [pressed, asked] = [[], []];
    open = await openDocumentInBrowser({
      page,
      size: { width, height: 640 },
      handlers: {
        'document/open': (choice) => {
          asked.push(choice);
          return answer(choice);
        },
        'document/press': (press) => {
          pressed.push(press);
          return 'Copied';
        },
        'grid/copy': () => undefined,
        'grid/copyField': () => undefined,
        'grid/layout': () => undefined,
      },
    });
  }

  const named = (name: string | RegExp): Locator => page.getByRole('button', { name });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('draws nothing but text of what an exchange wrote, and reads a mask aloud as a word', async () => {
    await show(documentOf({ sections: [section(...blocks)], notes: [hostile], title: hostile }));
    assert.equal(await page.locator('main :is(img, a, script, b, iframe)').count(), 0);
    const masked = page.locator('.card', { hasText: 'Equity' }).locator('.line');
    assert.equal(await masked.locator('[aria-hidden="true"]').textContent(), '•••');
    assert.equal(await masked.locator('.spoken').textContent(), 'hidden');
  });

  it('can be read at every width, also aloud', async () => {
    await show(documentOf({ sections: [section(...blocks)], choices, chosen }));
    await page.getByRole('application').press('End');
    for (const width of [1900, 1200, 900, 700, 550, 420, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      assert.deepEqual(await unreadableIn(page.mainFrame()), [], `${width} px`);
    }
    assert.deepEqual(await findingsInFrame(page.mainFrame()), []);
  });

  it('follows the host, and the focus and the place stay', async () => {
    const cards = (text: string): Block[] =>
      Array.from({ length: 30 }, (_none, index) => ({
        kind: 'cards',
        cards: [
          { label: `Card ${index}`, lines: [{ text }], notes: [], buttons: [button('read')] },
        ],
      }));
    await show(documentOf({ sections: [section(...cards('+10'))] }));
    await page.evaluate(
      "window.scrollTo(0, 300); window.kept = document.querySelectorAll('.card button')[5]; window.kept.focus()",
    );
    open.host.notify('document/changed', documentOf({ sections: [section(...cards('+20'))] }));
    await page.getByText('+20', { exact: true }).first().waitFor();
    const kept = '[Math.round(window.scrollY), document.activeElement === window.kept]';
    assert.deepEqual(await page.evaluate(kept), [300, true]);
  });

  /** The overview of an account with positions in these symbols. */
  function overview(symbols: readonly string[], profile = 'Main', fields = {}): Document {
    const positions = symbols.map((symbol) => aPosition({ symbol, ...fields }));
    const text = wire(anAccount({ positions, orders: [someLocked()] }))
      // A field of each position that the API document does not name.
      .replaceAll('{"upl":', '{"venue":"main","upl":');
    return v.parse(documentSchema, overviewOfAccount(text, { profile: { name: profile } }));
  }

  it('has the most important columns of positions whole at 700 px, also with 18 decimals', async () => {
    const end = '123456789012345678';
    const fields = {
      ...{ amount: `-104217345.${end}`, upl: `-1234.${end}`, liquidationPrice: `79500.${end}` },
      ...{ markPrice: `64231.${end}`, basePrice: `64000.${end}` },
    };
    await show(overview(['btc_usdt', 'eth_usdt'], 'Main', fields), 700);
    const columns = ['Symbol', 'Amount', 'Entry', 'Mark', 'Liquidation', 'P&L'];
    assert.deepEqual(await columnsNotWhole(page.mainFrame(), columns), []);
  });

  it('keeps the selection at its records when they are read again, and for no other account', async () => {
    await show(overview(['a_usdt', 'b_usdt', 'c_usdt']));
    const selected = page.locator('[role="row"]:has([aria-selected="true"])');
    await page.locator('#cell-1-0').click();
    await press('Shift+ ');
    assert.match(await selected.innerText(), /^b_usdt/);
    open.host.notify('document/changed', overview(['new_usdt', 'a_usdt', 'b_usdt']));
    await page.locator('#cell-0-0', { hasText: 'new_usdt' }).waitFor();
    assert.match(await selected.innerText(), /^b_usdt/);
    open.host.notify('document/changed', overview(['a_usdt', 'b_usdt', 'x_usdt'], 'Other'));
    await page.locator('#cell-2-0', { hasText: 'x_usdt' }).waitFor();
    assert.equal(await selected.count(), 0);
  });

  it('asks for all that was chosen, also while it is computed, and shows the answer to that', async () => {
    await show(documentOf({ choices, chosen }));
    const pending: ((opened: OpenedDocument) => void)[] = [];
    answer = () => new Promise((resolve) => pending.push(resolve));
    await named('Cash').click();
    await named('Group: Day').click();
    await page.getByRole('menuitemradio', { name: 'Week' }).click();
    await eventually('two questions', () => pending.length === 2);
    const both = { ...chosen, view: 'cash', group: 'week' };
    assert.deepEqual(asked.at(-1), both);
    await page.getByText('Computing…').waitFor();
    const [older, newer] = pending;
    const titled = (title: string) => documentOf({ title, choices, chosen: both });
    newer?.({ document: titled('Newer'), before: null });
    older?.({ document: titled('Older'), before: null });
    await page.getByRole('heading', { name: 'Newer' }).waitFor();
    await named('Group: Week').waitFor();
    assert.equal(await page.getByText('Computing…').count(), 0);
  });

  it('keeps dates that are wrong typed, with the reason, and asks for those that are right', async () => {
    await show(documentOf({ choices, chosen }));
    await named('Period: All').click();
    const [from, to] = [page.getByLabel(/^From \(/), page.getByLabel(/^To \(/)];
    await from.fill('2026-11-21');
    await to.fill('2026-11-20');
    await to.press('Enter');
    await page.getByRole('alert').getByText('From is later than To.').waitFor();
    assert.equal(asked.length, 1);
    await from.fill('2026-11-20');
    await to.press('Enter');
    await eventually('the question', () => asked.length === 2);
    assert.equal(asked[1]?.period, `${start}/${start + dayMs}`);
  });

  it('says why there is nothing to show, and tries again', async () => {
    answer = () => Promise.reject(new RpcError({ kind: 'test', sentence: 'It is damaged.' }));
    await load();
    await page.getByRole('alert').getByText('It is damaged.').waitFor();
    answer = shows(documentOf());
    await named('Retry').click();
    await page.getByRole('heading', { name: 'Analysis' }).waitFor();
  });

  it('runs a button of the host, and says what it did', async () => {
    await show(documentOf({ buttons: [button('copy', 'Copy as Markdown')] }));
    await named('Copy as Markdown').click();
    await page.getByText('Copied', { exact: true }).waitFor();
    assert.deepEqual(pressed, [{ action: 'copy', at: [] }]);
  });

  it('has a chart that is read by keys, and opens the rows of a point, or of one of its series', async () => {
    await show(documentOf({ sections: [section(chart)] }));
    const plot = page.getByRole('application');
    const readout = page.locator('.readout [role="status"]');
    await plot.press('End');
    assert.equal(await readout.innerText(), '2026-11-22 · Sell +4 usdt');
    await plot.press('ArrowLeft');
    assert.equal(await readout.innerText(), '2026-11-21 · Buy +2 usdt · incomplete');
    await plot.press('Home');
    assert.equal(await readout.innerText(), '2026-11-20 · Buy +1 usdt · Sell −1 usdt');
    await plot.press('Enter');
    await named('Show Rows of Sell').click();
    await eventually('two presses', () => pressed.length === 2);
    assert.deepEqual(pressed, [
      { action: 'rows', at: [0] },
      { action: 'rows', at: [0, 1] },
    ]);
    await named('Sell').first().click();
    await plot.press('ArrowRight');
    assert.equal(await readout.innerText(), '2026-11-21 · not known', 'one series is drawn alone');
  });

  it('has a calendar that is read by keys with one tab stop, and opens the rows of a day', async () => {
    await show(documentOf({ sections: [section(calendar)] }));
    const stop = page.locator('.day[tabindex="0"]');
    await stop.focus();
    for (const [key, label] of [
      ['ArrowRight', 'Day 21: hidden'],
      ['ArrowLeft', 'Day 20: hidden'],
      ['ArrowUp', 'Day 13: −1,234.56…'],
      ['ArrowUp', 'Day 6: −20'],
      ['ArrowDown', 'Day 13: −1,234.56…'],
      ['Home', 'Day 1: −20'],
    ] as const) {
      await press(key);
      const focused = 'document.activeElement.ariaLabel';
      assert.equal(await page.evaluate(focused), label);
      assert.equal(await stop.getAttribute('aria-label'), label);
    }
    await press('Enter');
    await page.getByRole('gridcell', { name: 'Day 12' }).click();
    await eventually('two presses', () => pressed.length === 2);
    assert.deepEqual(pressed, [
      { action: 'day 1', at: [] },
      { action: 'day 12', at: [] },
    ]);
  });
});
