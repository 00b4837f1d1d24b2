import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { useTheme } from '../../support/workbench/appearance.ts';
import { findingsIn } from '../../support/workbench/axe.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { statusBarItem } from '../../support/workbench/statusBar.ts';
import { readRows, showView } from '../../support/workbench/tree.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

const newYork = 'America/New_York';

/** One window in New York: each test goes on where the one before it ended. */
describe('privacy and the time zone in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1440, height: 900 },
      // The periods count back from today: so do the rows.
      env: { MARGIN_DESK_PRACTICE_NOW: undefined },
      settings: { 'marginDesk.timeZone': newYork },
    });
    await showView(page(), 'Margin Desk');
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await statusText(/PRACTICE [\d,.]+…? [+−][\d,.]+…?/);
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const grid = () => panel().getByRole('grid');

  function statusText(expected: RegExp): Promise<boolean> {
    const item = statusBarItem(page(), 'marginDesk.equity');
    return eventually(
      `the status ${String(expected)}`,
      async () => expected.test(await item.innerText()),
      { deadlineMs: 30_000 },
    );
  }

  async function openTrades(): Promise<void> {
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('heading', { level: 1, name: 'Trade History' }).waitFor();
    await rowsAreThere();
  }

  async function rowsAreThere(): Promise<void> {
    await grid().getByRole('gridcell').first().waitFor();
    await eventually('the rows', async () => (await grid().getAttribute('aria-busy')) !== 'true');
  }

  /** A day that has only just begun has no rows. */
  async function rowsOrNoneAreThere(): Promise<void> {
    const none = panel().getByRole('heading', { level: 2 });
    await grid().getByRole('gridcell').or(none).first().waitFor();
    if ((await none.count()) === 0) await rowsAreThere();
  }

  async function column(heading: string): Promise<string[]> {
    const headings = await grid().getByRole('columnheader').allInnerTexts();
    const index =
      headings.map((text) => text.trim().replace(/ \(UTC[^)]*\)$/, '')).indexOf(heading) + 1;
    return grid().locator(`[role="gridcell"][aria-colindex="${index}"]`).allInnerTexts();
  }

  const togglePrivacy = async () => {
    await page().keyboard.press('Control+K');
    await page().keyboard.press('Control+Y');
  };

  it('shows times in the chosen zone, which the header names, and both in a hover', async () => {
    await openTrades();
    for (const time of await column('Time')) assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.match(await grid().getByRole('columnheader').first().innerText(), /^Time \(UTC-[45]\)$/);
    const first = grid().getByRole('gridcell').first();
    await first.hover();
    const hover = await first.getAttribute('title');
    assert.match(hover ?? '', /^\w+day, \w+ \d+, \d{4} · .* UTC-[45] · .* UTC$/);
  });

  const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: newYork }).format(Date.now());

  for (const [name, days] of [
    ['Today', 1],
    ['Last 30 days', 30],
    ['Last 90 days', 90],
    ['Last 7 days', 7],
  ] as const)
    it(`filters by the last days of that zone: ${name}`, async () => {
      const before = today();
      await new PanelFilters(page()).choose('Period', name);
      const value = (label: string) =>
        panel()
          .getByRole('textbox', { name: `${label} (${newYork})`, includeHidden: true })
          .inputValue();
      const length = async () => {
        const [from, to] = await Promise.all([value('From'), value('To')]);
        return Date.parse(`${to}Z`) + 1000 - Date.parse(`${from}Z`);
      };
      await eventually('the days', async () => (await length()) === days * 86_400_000);
      await rowsOrNoneAreThere();
      const [from, to] = await Promise.all([value('From'), value('To')]);
      assert.match(from, /T00:00$/);
      assert.match(to, /T23:59:59$/);
      assert.ok([before, today()].includes(to.slice(0, 10)), to);
      for (const time of await column('Time')) {
        const clock = time.slice(0, 16).replace(' ', 'T');
        assert.ok(from <= clock && clock < to, time);
      }
    });

  it('hides every amount by its key, also on the page that shows them', async () => {
    const hidden = ['Amount', 'P&L', 'Fee'];
    const figures = (await Promise.all(hidden.map(column))).flat().filter(isLong);
    assert.ok(figures.length >= 3, figures.join(' '));
    await grid().focus();
    await togglePrivacy();
    await statusText(/PRACTICE ••• •••$/);
    for (const heading of hidden)
      await eventually(`${heading} to be masked`, async () =>
        (await column(heading)).every((cell) => cell === '•••'),
      );
    assert.ok((await column('Price')).every((price) => /^[\d,.]+$/.test(price)));
    const frame = await webviewFrame(page());
    const html = await frame.evaluate(() => document.documentElement.outerHTML);
    assert.deepEqual(
      figures.filter((figure) => stands(figure, html)),
      [],
    );
    const [head, ...rows] = await readRows(page(), 'Positions');
    assert.equal(head?.description, '••• · •••');
    for (const { description, spoken } of rows) {
      assert.match(
        description,
        /^(?:Long|Short|Direction unknown) ••• \([+−]?[\d.]+ %\) · liq [\d.]+ % · size •••$/,
      );
      assert.match(spoken, /Amount hidden, Leverage \d+/);
    }
    for (const { description } of await readRows(page(), 'Assets'))
      assert.equal(description, '••• · •••');
  });

  it('copies a masked amount only after a question', async () => {
    const headings = await grid().getByRole('columnheader').allInnerTexts();
    const index = headings.map((heading) => heading.trim()).indexOf('Amount');
    await grid().getByRole('row').nth(1).getByRole('gridcell').nth(index).click();
    await page().keyboard.press('Control+C');
    const { message } = await readDialog(page());
    assert.equal(message, 'Copy and export real values?');
    await pressInDialog(page(), 'Copy Real Values');
    await panel().getByText('Copied 1 cell', { exact: true }).first().waitFor();
    const copied = await page().evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^\d+(?:\.\d+)?$/);
  });

  it('has no accessibility finding while amounts are hidden', async () => {
    await useTheme(workbench, 'Default High Contrast');
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('ends by its command', async () => {
    await runCommand(page(), 'Margin Desk: Toggle Privacy Mode');
    await statusText(/PRACTICE [\d,.]+…? [+−][\d,.]+…?/);
    await eventually('the amounts', async () =>
      (await column('Amount')).every((amount) => /^[\d,.]+$/.test(amount)),
    );
  });
});

/** Long enough to be found by its digits alone. */
function isLong(figure: string): boolean {
  return figure.replaceAll(/\D/g, '').length >= 5;
}

/** Whether a figure, with or without its separators and its sign, is a part of the text that is no longer number. */
function stands(figure: string, text: string): boolean {
  const digits = figure.replace(/^[+\-−]/, '');
  return [digits, digits.replaceAll(',', '')].some((written) =>
    new RegExp(`(?<![\\d.,])${written.replaceAll('.', '\\.')}(?![\\d]|[.,]\\d)`).test(text),
  );
}
