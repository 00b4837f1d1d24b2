import assert from 'node:assert/strict';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { webview } from '../support/workbench/webview.ts';

describe('closed positions in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({});
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const panel = () => webview(page());

  it('of the practice account are listed, and a day of the calendar opens its rows', async () => {
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await runCommand(page(), 'Margin Desk: Open Closed Positions');
    await panel().getByRole('heading', { name: 'Closed positions' }).waitFor({ timeout: 60_000 });
    // Its trades are read up to some seconds before its first checkpoint, which decides nothing yet.
    await panel()
      .getByText(/^undecided: opened before/)
      .first()
      .waitFor({ timeout: 60_000 });
    assert.deepEqual(await findingsIn(page()), []);
    const rows = panel().getByRole('row');
    await rows
      .filter({ hasText: /undecided/ })
      .first()
      .click();
    await panel().getByRole('button', { name: 'Show Details' }).click();
    const fill = panel()
      .getByRole('button', { name: /^Show Row: Trade / })
      .first();
    await fill.waitFor({ timeout: 60_000 });
    assert.deepEqual(await findingsIn(page()), []);
    await fill.click();
    await panel()
      .getByRole('columnheader', { name: /^Trade id/i })
      .waitFor();
    await runCommand(page(), 'Margin Desk: Open Closed Positions');
    await panel().getByRole('button', { name: 'By symbol' }).click();
    await panel()
      .getByRole('columnheader', { name: /^Volume/ })
      .waitFor();
    assert.deepEqual(await findingsIn(page()), []);
    await panel().getByRole('button', { name: 'Calendar' }).click();
    const day = panel().locator('.day[tabindex="0"]');
    await day.waitFor();
    assert.deepEqual(await findingsIn(page()), []);
    const [date] = (await day.getAttribute('aria-label'))?.split(':') ?? [];
    await day.press('Enter');
    await panel().getByRole('heading', { level: 1, name: 'Trade History' }).waitFor();
    await panel()
      .getByRole('gridcell', { name: new RegExp(`^${date} `) })
      .first()
      .waitFor();
  });
});
