import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { withholdingExchange, type WithholdingExchange } from '../support/withholdingExchange.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { reloadWindow, runAndPick, runCommand } from '../support/workbench/commands.ts';
import { downloadHistory } from '../support/workbench/downloadHistory.ts';
import { pressInHover } from '../support/workbench/hover.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { PanelFilters } from '../support/workbench/panelFilters.ts';
import { chooseFolder, pick, quickInput } from '../support/workbench/quickInput.ts';
import { webview } from '../support/workbench/webview.ts';

const downloaded = ['Trade History', 'Transaction History · FUTURE'];
const others = ['Order History', 'Transaction History · SPOT'];

/** One window: each test goes on where the one before it ended. */
describe('the ledger and its reconciliation in a real workbench', () => {
  let sound: WithholdingExchange;
  let withholding: WithholdingExchange;
  let workbench: Workbench;

  before(async () => {
    [sound, withholding] = await Promise.all([withholdingExchange(0), withholdingExchange(1)]);
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const profile = ({ url }: WithholdingExchange) => ({
      baseUrl: url,
      auth: { scheme: 'none' },
      environment: 'live',
      dialect,
    });
    const profiles = { Sound: profile(sound), Withholding: profile(withholding) };
    workbench = await openWorkbench({
      settings: {
        'marginDesk.profiles': profiles,
        'marginDesk.alerts.reconciliation': true,
        'marginDesk.timeZone': 'Asia/Kolkata',
      },
    });
  });
  after(async () => {
    // First what keeps this process from ending: a window that did not open cannot be closed.
    await Promise.all([sound.close(), withholding.close()]);
    await workbench.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());
  const text = (shown: string | RegExp) => panel().getByText(shown);
  const articleOf = (label: string) =>
    panel()
      .locator('article')
      .filter({ has: panel().getByRole('heading', { name: label, exact: true }) });
  const sectionOf = (title: string) =>
    panel()
      .locator('section')
      .filter({ has: panel().getByRole('heading', { name: title, exact: true }) });
  const switchTo = (name: string) => runAndPick(page(), 'Margin Desk: Switch Profile…', name);

  /** The first visible cells of a column, by its heading. */
  async function column(heading: string): Promise<Locator> {
    const headings = await panel().getByRole('columnheader').allInnerTexts();
    const index = headings.findIndex((each) => each.trim().startsWith(heading));
    assert.ok(index >= 0, headings.join());
    return panel().locator(`[role="gridcell"][aria-colindex="${index + 1}"]`);
  }

  async function figuresOf(heading: string): Promise<number[]> {
    const texts = await (await column(heading)).allInnerTexts();
    return texts.map((each) => Number(each.replace('−', '-').replaceAll(/[^\d.-]/g, '')));
  }

  it('says in Reconciliation that no account is open, then that it has no ledger', async () => {
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await text('No account is open.').waitFor();
    await switchTo('Sound');
    await text('This account has no ledger.').waitFor();
    assert.equal(await panel().locator('.environment').innerText(), 'LIVE');
  });

  it('is downloaded from one page, three presses before the first chart', async () => {
    let presses = 0;
    const click = async (name: string): Promise<void> => {
      presses += 1;
      await panel().getByRole('button', { name, exact: true }).click();
    };
    presses += 1;
    await runCommand(page(), 'Margin Desk: Download History…');
    // What this file needs. A person may leave it as it is.
    for (const name of others) await panel().getByRole('checkbox', { name }).uncheck();
    await text(/^Download keeps the history of LIVE · Sound on this machine\./).waitFor();
    // The exchange counts its rows.
    await text(/^Takes about \d+ requests · weight \d+ · /).waitFor();
    assert.deepEqual(await findingsIn(page()), []);
    await click('Download');
    await text('The ledger has all of it.').waitFor({ timeout: 60_000 });
    await click('Open Analysis');
    await panel().getByRole('application').first().waitFor();
    assert.equal(presses, 3);
    await clearNotifications(page());
    await runCommand(page(), 'View: Close All Editors');
  });

  it('has what was chosen of 90 days', async () => {
    await runCommand(page(), 'Margin Desk: Open Ledger');
    for (const label of downloaded)
      await articleOf(label)
        .getByText(/ · complete from .* to /)
        .waitFor();
    for (const label of [...others, 'Liquidation Auctions'])
      await articleOf(label).getByText('0 rows · never read').waitFor();
  });

  it('is analysed, with the numbers in the summary only, and a bar opens its rows', async () => {
    await panel().getByRole('button', { name: 'Open Analysis' }).click();
    await panel()
      .getByRole('heading', { name: /^Equity/ })
      .waitFor();
    await panel().getByRole('button', { name: 'Cash flow' }).click();
    await panel()
      .getByRole('heading', { name: /^Equity/ })
      .waitFor({ state: 'detached' });
    for (const [tool, choice] of [
      ['Account type', 'FUTURE'],
      ['Period', 'Last 90 days'],
      ['Group', 'Week'],
    ] as const) {
      await panel()
        .getByRole('button', { name: new RegExp(`^${tool}: `) })
        .click();
      await panel().getByRole('menuitemradio', { name: choice }).click();
      await panel()
        .getByRole('button', { name: `${tool}: ${choice}` })
        .waitFor();
    }
    await panel().locator('section[aria-busy=false]').first().waitFor();
    const chart = panel().getByRole('application').first();
    const readout = panel().locator('.readout').first();
    await chart.press('End');
    await eventually('a bar with rows', async () => {
      if ((await readout.getByRole('button').count()) > 0) return true;
      await chart.press('ArrowLeft');
      return false;
    });
    const week = (await readout.innerText()).slice(0, 'YYYY-MM-DD'.length);
    assert.deepEqual(await findingsIn(page()), []);
    await chart.press('Enter');
    await panel().getByRole('heading', { name: 'Transaction History' }).waitFor();
    await panel().getByRole('gridcell').first().waitFor();
    await panel()
      .getByRole('button', { name: `Remove filter “${week}` })
      .waitFor();
  });

  it('is written as a statement, which is verified', async () => {
    await runAndPick(page(), 'Margin Desk: Write Monthly Statement…', 'UTC');
    await pick(page(), '2026-02');
    await pick(page(), 'CSV');
    await chooseFolder(page(), 'Folder for the Statement', workbench.folder);
    const name = 'statement-Sound-2026-02';
    const written = `An incomplete statement of 2026-02, UTC, was written to ${name}.`;
    await notification(page(), written).waitFor();
    await clearNotifications(page());
    // The folder dialog may take its first folder if it is answered early: then it is asked again.
    await eventually(
      'a statement that is unchanged',
      async () => {
        await runCommand(page(), 'Margin Desk: Verify Statement…');
        await chooseFolder(page(), 'Folder of the Statement', path.join(workbench.folder, name));
        await notification(page(), `${name} is unchanged: `).waitFor({ timeout: 8000 });
        return true;
      },
      { deadlineMs: 100_000 },
    );
    await clearNotifications(page());
  });

  it('sorts all trades by their fee, and finds one by its id', async () => {
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await new PanelFilters(page()).choose('Source', 'Ledger');
    const header = panel().getByRole('columnheader', { name: 'Fee' }).first();
    await header.click();
    await header.click();
    await header.getByText('↓ all rows').waitFor();
    await eventually('the fees in order', async () => {
      const fees = await figuresOf('Fee');
      assert.ok(fees.length > 10, `${fees.length} fees`);
      assert.deepEqual(
        fees,
        fees.toSorted((one, other) => other - one),
      );
      return true;
    });
    await searchFirst();
  });

  /** Searches the id of the first row, which is then the only one. */
  async function searchFirst(): Promise<void> {
    const ids = await column('Trade id');
    const id = await ids.first().innerText();
    const search = panel().getByRole('textbox', { name: 'Search all rows' });
    await search.fill(id);
    await search.press('Enter');
    await eventually('one row', async () => (await ids.count()) === 1);
    assert.equal(await ids.innerText(), id);
    await panel()
      .getByRole('button', { name: `Remove filter “Search all rows: ${id}”` })
      .click();
    await eventually('all rows', async () => (await ids.count()) > 10);
  }

  it('has links for its ids in an editor, whose hover shows the record and opens its row', async () => {
    const id = await (await column('Trade id')).first().innerText();
    const file = path.join(workbench.folder, 'notes.txt');
    await writeFile(file, `https://example.com trade ${id}, trade ${id}0\n`);
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Go to File...');
    await quickInput(page()).input.fill('notes.txt');
    await pick(page(), 'notes.txt');
    const links = page().locator('.view-line .detected-link');
    // VS Code shows its own links with those of extensions.
    await eventually('links', async () => {
      const texts = await links.allInnerTexts();
      return texts.join('') === `https://example.com${id}`;
    });
    await pressInHover(page(), links.filter({ hasText: id }).first(), 'Fee', 'Show Row');
    await panel().getByRole('heading', { name: 'Trade History' }).waitFor();
    await panel().getByText(id).first().waitFor();
  });

  it('is still there after a reload, and goes on without the exchange', async () => {
    await sound.close();
    await reloadWindow(page());
    await runCommand(page(), 'Margin Desk: Open Trade History');
    await panel().getByRole('button', { name: 'Source: Ledger' }).waitFor();
    await panel().getByRole('columnheader', { name: 'Price' }).first().click();
    await panel()
      .getByRole('columnheader', { name: /^Price .*all rows/ })
      .waitFor();
    await searchFirst();
  });

  it('says what is proved', async () => {
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    const fees = sectionOf('Trade fees').locator('[data-state="done"]');
    await fees.getByRole('heading', { name: 'usdt', exact: true }).waitFor();
    await fees.getByText('Proved', { exact: true }).waitFor();
  });

  it('names the interval of a fee that the exchange withholds, also after it read it again', async () => {
    await switchTo('Withholding');
    await text('This account has no ledger.').waitFor();
    await downloadHistory(page(), ...others);
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    const fees = sectionOf('Trade fees').locator('[data-state="failed"]');
    await fees.getByText('Contradicted', { exact: true }).waitFor();
    await fees.getByText(/^From .* to .*, trades and transactions do not agree\.$/).waitFor();
    await fees.getByText(/^Read again at .*: still contradicted\.$/).waitFor();
    await notification(page(), 'contradict what the exchange reported of usdt').waitFor();
    await fees.getByRole('button', { name: 'Show Row' }).first().click();
    await panel().getByRole('button', { name: 'Source: Ledger' }).waitFor();
    await panel().getByRole('button', { name: 'Find Its Order' }).waitFor();
  });
});
