import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { quickInput } from '../../support/workbench/quickInput.ts';
import { treeRows } from '../../support/workbench/tree.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

/** One window. Nothing in this file uses a mouse: what only a page needs is in `../keyboard.test.ts`. */
describe('a workbench by keyboard alone', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      // The ledger is not filled by itself then.
      settings: { 'marginDesk.timeZone': 'UTC', 'marginDesk.ledger.keepCurrent': false },
    });
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());
  const dialog = () => page().locator('.monaco-dialog-box');
  const menu = () => page().locator('.context-view .monaco-menu');
  const clipboard = () => page().evaluate(() => navigator.clipboard.readText());
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key);
  };

  /**
   * Types the name into the command palette, and Enter once its row is the one that is chosen. What the
   * command before it still focuses closes the palette: then it is opened again.
   */
  async function command(label: string): Promise<void> {
    const { input, widget } = quickInput(page());
    const chosen = widget.locator('.monaco-list-row.focused');
    const patience = { timeout: 2000 };
    await eventually(`the command ${label}`, async () => {
      await press('F1');
      await input.waitFor(patience);
      await page().keyboard.type(label);
      await walkUntil('ArrowDown', label, async () => {
        const spoken = (await chosen.getAttribute('aria-label', patience)) ?? '';
        return spoken === label || spoken.startsWith(`${label}, `);
      });
      await press('Enter');
      return true;
    });
  }

  async function walkUntil(key: string, what: string, isThere: () => Promise<boolean>) {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await isThere()) return;
      await press(key);
    }
    assert.fail(`${key} does not reach ${what}`);
  }

  async function inRows(): Promise<void> {
    await eventually('the focus in the rows', async () =>
      (await webviewFrame(page())).evaluate(
        () => document.hasFocus() && document.activeElement?.getAttribute('role') === 'grid',
      ),
    );
  }

  /** What has the focus in the page in front, by its text. */
  const focused = async (): Promise<string> =>
    (await webviewFrame(page())).evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return '';
      return element.getAttribute('aria-label') ?? element.textContent.trim();
    });

  async function tabTo(name: string | RegExp): Promise<void> {
    await eventually('the page to have the focus', async () =>
      (await webviewFrame(page())).evaluate(() => document.hasFocus()),
    );
    await walkUntil('Tab', String(name), async () => {
      const text = await focused();
      return typeof name === 'string' ? text === name : name.test(text);
    });
  }

  /** Opens the menu of what has the focus, and chooses. */
  async function choose(title: string): Promise<void> {
    await press('Shift+F10');
    await menu().waitFor();
    const chosen = menu().locator('.action-item.focused');
    await press('ArrowDown');
    await walkUntil('ArrowDown', title, async () => {
      await chosen.waitFor();
      return (await chosen.innerText()).trim().startsWith(title);
    });
    await press('Enter');
    await menu().waitFor({ state: 'detached' });
  }

  async function open(table: string): Promise<void> {
    await command('View: Close All Editors');
    await command(`Margin Desk: Open ${table}`);
    await panel().getByRole('heading', { level: 1, name: table, exact: true }).waitFor();
    await panel().getByRole('gridcell').first().waitFor();
    await inRows();
  }

  it('opens an account, and the history of a position from its menu', async () => {
    await command('Margin Desk: Open Practice Account');
    await command('View: Show Margin Desk');
    const row = () => treeRows(page(), 'Positions').and(page().locator('.focused'));
    await treeRows(page(), 'Positions').first().waitFor();
    await press('Home');
    await eventually('a focused row', () => row().count());
    await press('ArrowDown');
    assert.equal(await row().getAttribute('aria-expanded'), 'false');
    await press('ArrowRight');
    await eventually(
      'its fields',
      async () => (await row().getAttribute('aria-expanded')) === 'true',
    );
    await choose('Open Trade History for This Symbol');
    await panel().getByRole('gridcell').first().waitFor();
    await inRows();
    await command('View: Show Margin Desk');
    await press('Control+k', 'Control+i');
    await page().locator('.monaco-hover:visible', { hasText: 'Entry price' }).waitFor();
  });

  it('has the menu of a cell: each form of copy, a filter, details, the trades of an order', async () => {
    await open('Order History');
    const copies: [title: string, expected: RegExp][] = [
      ['Copy with Headers', /^\w+\n/],
      ['Copy Rows as JSON', /^\[?\s*\{/],
      ['Copy Rows', /^\d{4}-\d\d-\d\dT[^\n]+$/],
      ['Copy as Markdown', /^\| /],
    ];
    for (const [title, expected] of copies) {
      await choose(title);
      await eventually(title, async () => expected.test(await clipboard()));
      await inRows();
    }
    await press('ArrowRight');
    await choose('Filter by This Value');
    await panel()
      .getByRole('button', { name: /^Remove filter “Symbol: / })
      .waitFor();
    await inRows();
    await choose('Show Details');
    await panel().getByText('ISO 8601').waitFor();
    await tabTo('Copy Order id');
    await press('Enter');
    await eventually('the id', async () => /^\d+$/.test(await clipboard()));
    await press('Escape');
    await inRows();
    await choose('Open Trades of This Order');
    await panel().getByRole('heading', { level: 1, name: 'Trade History' }).waitFor();
  });

  it('exports, and asks where', async () => {
    await open('Order History');
    await press('Shift+Tab');
    await walkUntil('ArrowRight', 'Export', async () => (await focused()).startsWith('Export All'));
    await press('Enter');
    await quickInput(page())
      .title.getByText(/^Export /)
      .waitFor();
    await press('Escape');
  });

  it('hides amounts by its key, from within the rows', async () => {
    await open('Order History');
    await press('Control+k', 'Control+y');
    await panel().getByRole('gridcell', { name: 'hidden' }).first().waitFor();
    await inRows();
    await press('Control+k', 'Control+y');
    await panel().getByRole('gridcell', { name: 'hidden' }).first().waitFor({ state: 'detached' });
  });

  it('asks before it cancels all, keeps the orders, and cancels them', async () => {
    await command('View: Close All Editors');
    await command('Margin Desk: Cancel All Open Orders…');
    const button = dialog().locator('.monaco-button:focus');
    await button.waitFor();
    await walkUntil('Tab', 'Keep Orders', async () => (await button.innerText()) === 'Keep Orders');
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await command('Margin Desk: Cancel All Open Orders…');
    await button.filter({ hasText: 'Cancel All Orders' }).waitFor();
    await press('Enter');
    await page().getByText('orders cancelled. Nothing is locked now.').first().waitFor();
  });

  it('opens a receipt from the list, and copies it', async () => {
    await command('Margin Desk: Show Cancel-All Receipts…');
    await quickInput(page()).rows.first().waitFor();
    await press('Enter');
    await panel().getByRole('heading', { name: 'Cancel-all receipt' }).waitFor();
    await tabTo('Copy as Markdown');
    await press('Enter');
    await eventually('the copy', async () =>
      (await clipboard()).startsWith('# Cancel-all receipt'),
    );
    await tabTo(/^Save as JSON/);
  });

  it('opens the overview, reads more, and asks for all symbols', async () => {
    await command('View: Close All Editors');
    await command('Margin Desk: Open Account Overview');
    await panel().getByRole('heading', { name: 'Account overview' }).waitFor();
    await tabTo(/^Read Rates/);
    await press('Enter');
    await panel().getByText('taker 0').first().waitFor();
    await tabTo(/^Read \(3 requests\)/);
    await press('Enter');
    await panel()
      .getByRole('region', { name: /orders/i })
      .last()
      .waitFor();
    await walkUntil('Shift+Tab', 'Cancel', async () => (await focused()).startsWith('Cancel All'));
    await press('Enter');
    await dialog().waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('opens the ledger, downloads the history, and starts what else it offers', async () => {
    await command('View: Close All Editors');
    await command('Margin Desk: Open Ledger');
    await panel().getByText('Nothing was downloaded yet.').waitFor();
    await tabTo(/^Download History/);
    await press('Enter');
    await panel().getByRole('heading', { level: 1, name: 'Download history' }).waitFor();
    await tabTo('Download');
    await press('Enter');
    const downloaded = page().getByText('The history of Practice is downloaded.');
    await downloaded.first().waitFor({ timeout: 300_000 });
    await command('View: Close Editor');
    const { input } = quickInput(page());
    await tabTo(/^Back Up/);
    await press('Enter');
    await input.waitFor();
    await press('Escape');
    await tabTo(/^Delete/);
    await press('Enter');
    await dialog().waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('opens the reconciliation', async () => {
    await command('Margin Desk: Open Reconciliation');
    await panel().getByText('Compared at ').waitFor();
    await panel().getByText('Undecided').first().waitFor();
  });

  it('opens the connection report, tests again, and opens evidence', async () => {
    await command('Margin Desk: Show Connection Report');
    await panel().getByRole('heading', { name: 'API conventions' }).waitFor();
    await tabTo(/^Test Connection/);
    await press('Enter');
    await panel().locator('.checklist [data-state=done]').first().waitFor();
    await tabTo('Copy as Markdown');
    await press('Enter');
    await eventually('the copy', async () => (await clipboard()).startsWith('# Connection report'));
  });
});
