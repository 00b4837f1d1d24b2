import assert from 'node:assert/strict';
import path from 'node:path';
import { freqtradeOfPractice } from '../support/botOfLedger.ts';
import { eventually } from '../support/eventually.ts';
import { findingsIn } from '../support/workbench/axe.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { chooseFromMenu, showView } from '../support/workbench/tree.ts';
import { webview } from '../support/workbench/webview.ts';

describe('a comparison with a bot in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({ settings: { 'marginDesk.timeZone': 'UTC' } });
    await runCommand(page(), 'Margin Desk: Open Practice Account');
  });
  after(() => workbench.close());

  const page = () => workbench.page;
  const clipboard = () => page().evaluate(() => navigator.clipboard.readText());

  it('finds the fee whose sign is turned, from the Explorer to Markdown', async () => {
    const bot = path.join(workbench.folder, 'bot.sqlite');
    const turned = await freqtradeOfPractice(workbench.dataDir, bot);
    await showView(page(), 'Explorer');
    const file = page().locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'bot.sqlite',
    });
    await chooseFromMenu(page(), file, 'Compare With Bot…');
    const panel = webview(page());
    await panel
      .getByText(new RegExp(`· order ${turned}`))
      .first()
      .waitFor();
    await panel.getByText('sign of the fee').first().waitFor();
    assert.deepEqual(await findingsIn(page()), []);
    await panel.getByRole('button', { name: 'Copy as Markdown' }).click();
    await eventually('the Markdown', async () => (await clipboard()).includes('sign of the fee'));
  });
});
