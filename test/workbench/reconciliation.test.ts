import assert from 'node:assert/strict';
import { findingsIn } from '../support/workbench/axe.ts';
import { runAndPick, runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { clearNotifications, notification } from '../support/workbench/notifications.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { webview } from '../support/workbench/webview.ts';
import { withholdingExchange, type WithholdingExchange } from '../support/withholdingExchange.ts';

/** One window: each test goes on where the one before it ended. */
describe('the reconciliation in a real workbench', () => {
  let exchange: WithholdingExchange;
  let workbench: Workbench;

  before(async () => {
    exchange = await withholdingExchange();
    const dialect = { dates: 'epochMs', firstPage: 0, sort: 'newestFirst', lists: 'repeat' };
    const main = { baseUrl: exchange.url, auth: { scheme: 'none' }, environment: 'live', dialect };
    const settings = { 'marginDesk.profiles': { Main: main }, 'marginDesk.weightShare': 1 };
    workbench = await openWorkbench({ settings });
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  const page = () => workbench.page;
  const panel = () => webview(page());
  const text = (shown: string) => panel().getByText(shown);
  const fees = () =>
    panel()
      .locator('section')
      .filter({ has: panel().getByRole('heading', { name: 'Trade fees' }) });

  it('says so while no account is open', async () => {
    await runCommand(page(), 'Margin Desk: Open Reconciliation');
    await text('No account is open.').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('shows whose it is, and that the account has no ledger', async () => {
    await runAndPick(page(), 'Margin Desk: Switch Profile', 'Main');
    await text('This account has no ledger.').waitFor();
    assert.equal(await panel().locator('.environment').innerText(), 'LIVE');
    await panel().getByRole('button', { name: 'Refresh' }).click();
    await text('This account has no ledger.').waitFor();
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('names the interval of a fee that the exchange withholds, after it read it again', async () => {
    await download();
    await panel().getByRole('button', { name: 'Refresh' }).click();
    await fees()
      .getByText(/^Read again at .*: still contradicted\.$/)
      .waitFor();
    await fees().getByText('Contradicted', { exact: true }).waitFor();
    await fees()
      .getByText(/, trades and transactions do not agree\.$/)
      .waitFor();
    await text('Proved').first().waitFor();
    await notification(page(), 'the records of the ledger contradict').waitFor();
    await clearNotifications(page());
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('shows the trade of the missing fee, with its details', async () => {
    await fees().getByRole('button', { name: 'Show Row', exact: true }).first().click();
    await panel().getByRole('button', { name: 'Source: Ledger' }).waitFor();
    await panel().getByRole('heading', { name: 'Details' }).waitFor();
    assert.equal(await panel().locator('[aria-current="true"]').count(), 1);
    assert.deepEqual(await findingsIn(page()), []);
  });

  it('counts the verdicts in the overview', async () => {
    await runCommand(page(), 'Margin Desk: Open Account Overview');
    await text('1 contradicted').waitFor();
    await panel().getByRole('button', { name: 'Open Reconciliation' }).click();
    await fees().getByText('Contradicted', { exact: true }).waitFor();
  });

  async function download(): Promise<void> {
    await runCommand(page(), 'Margin Desk: Download History…');
    await readDialog(page());
    await pressInDialog(page(), 'Keep History');
    const { rows, input } = quickInput(page());
    await rows.filter({ hasText: '90 Days' }).click();
    await rows
      .filter({ hasText: 'Liquidation lots' })
      .getByText(/weight \d/)
      .waitFor();
    await input.press('Enter');
    await readDialog(page());
    await pressInDialog(page(), 'Download');
    await notification(page(), 'The history of Main is downloaded.').waitFor({ timeout: 100_000 });
    await clearNotifications(page());
  }
});
