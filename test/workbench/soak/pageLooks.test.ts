import assert from 'node:assert/strict';
import path from 'node:path';
import { freqtradeOfPractice } from '../../support/botOfLedger.ts';
import { eventually } from '../../support/eventually.ts';
import {
  withholdingExchange,
  type WithholdingExchange,
} from '../../support/withholdingExchange.ts';
import { findingsInFrame } from '../../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../../support/workbench/commands.ts';
import { downloadHistory } from '../../support/workbench/downloadHistory.ts';
import { pressInDialog, readDialog } from '../../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { pageLooks, wear, type PageLook } from '../../support/workbench/pageLooks.ts';
import { PanelFilters } from '../../support/workbench/panelFilters.ts';
import { chooseFromMenu, showView } from '../../support/workbench/tree.ts';
import { unreadableIn } from '../pages/unreadable.ts';
import { webview, webviewFrame } from '../../support/workbench/webview.ts';

const spokenWidths = [320, 700, 1200];
const widths = [...spokenWidths, 420, 550, 900, 1050, 1520, 1900];

/** One window, on the practice account. Each page can be read at every width, also aloud. */
describe('the pages in ten themes', () => {
  let withholding: WithholdingExchange;
  let workbench: Workbench;
  let looks: readonly PageLook[];
  const findings: string[] = [];

  before(async () => {
    withholding = await withholdingExchange();
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const profile = { baseUrl: withholding.url, environment: 'live', auth: { scheme: 'none' } };
    workbench = await openWorkbench({
      viewport: { width: 1200, height: 720 },
      settings: {
        'marginDesk.timeZone': 'UTC',
        'marginDesk.profiles': { Withholding: { ...profile, dialect } },
      },
    });
    await closeSideBar();
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByText('No account is open').first().waitFor();
    looks = await pageLooks(workbench);
  });
  after(async () => {
    await workbench.close();
    await withholding.close();
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
  const press = (name: string | RegExp) => panel().getByRole('button', { name }).first().click();

  /** Checks the page in front at each width and in each theme. */
  async function inspect(state: string): Promise<void> {
    for (const width of widths) {
      await setPanelWidth(width);
      await page().mouse.move(3, 3);
      const frame = await webviewFrame(page());
      for (const look of looks) {
        await wear(frame, look);
        const all = [...(await unreadableIn(frame)), ...(await spokenFindings(look, width))];
        for (const finding of all) findings.push(`${state}, ${look.theme}, ${width}: ${finding}`);
      }
    }
    await setPanelWidth(1200);
  }

  async function spokenFindings(look: PageLook, width: number): Promise<string[]> {
    if (!spokenWidths.includes(width)) return [];
    const isWidest = width === spokenWidths.at(-1);
    return isWidest || look === looks[0] ? findingsInFrame(await webviewFrame(page())) : [];
  }

  /** Beside the activity bar. */
  async function setPanelWidth(width: number): Promise<void> {
    await page().setViewportSize({ width: width + 48, height: 720 });
  }

  async function open(title: string): Promise<void> {
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), `Margin Desk: Open ${title}`);
    await closeSideBar();
  }

  /** It opens with an account. */
  async function closeSideBar(): Promise<void> {
    if (await page().locator('.part.sidebar').isVisible())
      await runCommand(page(), 'View: Close Primary Side Bar');
  }

  async function openTrades(): Promise<void> {
    await open('Trade History');
    await panel().getByRole('gridcell').first().waitFor();
  }

  shows('how to begin', async () => {
    await inspect('table-no-account');
    await open('Account Overview');
    await panel().getByText('No account is open.').waitFor();
    await inspect('overview-no-account');
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await panel().locator('.card').first().waitFor();
  });

  shows('the account', async () => {
    await open('Account Overview');
    await panel().locator('#cell-0-0').waitFor();
    await press(/^Read \(3/);
    await panel().getByRole('cell', { name: 'Filled' }).first().waitFor();
    await inspect('overview');
    await panel().locator('#cell-1-3').click();
    await page().keyboard.press('Enter');
    await panel().getByRole('complementary', { name: 'Details' }).waitFor();
    await runCommand(page(), 'Margin Desk: Show All Digits');
    await inspect('overview-all-digits');
    await runCommand(page(), 'Margin Desk: Show All Digits');
  });

  shows('rows, a selection with its figures, details and a search', async () => {
    await openTrades();
    await panel().locator('#cell-2-3').click();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
      await page().keyboard.press(`Shift+${key}`);
    await press(/^12 cells/);
    await panel().getByRole('dialog', { name: 'Figures of the selection' }).waitFor();
    await inspect('table-figures');
    await page().keyboard.press('Escape');
    await panel().locator('#cell-2-3').click();
    await page().keyboard.press('Enter');
    await panel().getByText('ISO 8601').waitFor();
    await page().keyboard.press('Control+f');
    await page().keyboard.type('eth');
    await inspect('table-details');
  });

  shows('filters and columns', async () => {
    await openTrades();
    const filters = new PanelFilters(page());
    await filters.choose('Side', 'SELL');
    await filters.type('Symbol', 'none_usdt');
    await panel().getByRole('heading', { name: 'No trades match these filters' }).waitFor();
    await filters.button('Period').click();
    await panel().getByRole('textbox', { name: 'From (UTC)' }).fill('yesterday');
    await page().keyboard.press('Enter');
    await panel().getByRole('alert').waitFor();
    await inspect('table-period');
    await page().keyboard.press('Escape');
    await press('Columns');
    await inspect('table-columns');
    await page().keyboard.press('Escape');
  });

  shows('a receipt', async () => {
    await runCommand(page(), 'Margin Desk: Cancel All Open Orders…');
    await readDialog(page());
    await pressInDialog(page(), 'Cancel All Orders');
    await page().locator('.notifications-toasts').getByText('Show Receipt').first().click();
    await clearNotifications(page());
    await panel().locator('.notice').getByRole('heading', { name: 'done', exact: true }).waitFor();
    await inspect('receipt');
  });

  shows('a connection that works', async () => {
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Margin Desk: Test Connection');
    await notification(page(), 'Connected.').waitFor();
    await page().getByRole('button', { name: 'Show Report' }).click();
    await panel().getByRole('heading', { name: 'API conventions' }).waitFor();
    await clearNotifications(page());
    await inspect('report');
  });

  shows('an analysis', async () => {
    await open('Analysis');
    const chart = panel().getByRole('application').first();
    await chart.waitFor({ timeout: 60_000 });
    await chart.press('End');
    await chart.press('ArrowLeft');
    await inspect('analysis');
    await press('Realised P&L');
    await press(/^Split: /);
    await panel().getByRole('menuitemradio', { name: 'Symbol' }).click();
    await panel().locator('.chart .legend').waitFor();
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
  });

  shows('closed positions, symbols and days', async () => {
    await open('Closed Positions');
    await panel().getByRole('gridcell').first().waitFor({ timeout: 60_000 });
    await inspect('positions');
    await press('By symbol');
    await panel()
      .getByRole('columnheader', { name: /^Volume/ })
      .waitFor();
    await inspect('symbols');
    await press('Calendar');
    await panel()
      .getByRole('gridcell', { name: /closed/ })
      .first()
      .waitFor();
    await inspect('calendar');
    await press('Closed positions');
    await panel()
      .getByRole('row')
      .filter({ hasText: /long|short/i })
      .first()
      .click();
    await press('Show Details');
    await panel()
      .getByRole('button', { name: /^Show Row: Trade / })
      .first()
      .waitFor();
    await inspect('position');
  });

  shows('a ledger', async () => {
    await open('Ledger');
    const summaries = panel().getByText(/ · complete from .* to /);
    await summaries.first().waitFor({ timeout: 90_000 });
    await inspect('ledger');
  });

  shows('a comparison with a bot', async () => {
    await freqtradeOfPractice(workbench.dataDir, path.join(workbench.folder, 'bot.sqlite'));
    await showView(page(), 'Explorer');
    const bot = page().locator('.explorer-folders-view .monaco-list-row', { hasText: 'bot' });
    await chooseFromMenu(page(), bot, 'Compare With Bot…');
    await closeSideBar();
    await panel().getByText('sign of the fee').first().waitFor();
    await inspect('comparison');
  });

  shows('a download, and what a reconciliation contradicts', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile…', 'Withholding');
    await open('Reconciliation');
    await panel().getByText('This account has no ledger.').waitFor();
    await runCommand(page(), 'Margin Desk: Download History…');
    await panel().getByRole('button', { name: 'Download', exact: true }).waitFor();
    await inspect('download');
    await downloadHistory(page(), 'Order History', 'Transaction History · SPOT');
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await panel()
      .getByText(/^Read again at .*: still contradicted\.$/)
      .waitFor({ timeout: 120_000 });
    await clearNotifications(page());
    await inspect('reconciliation-contradicted');
  });
});
