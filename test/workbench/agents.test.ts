import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { runCommand } from '../support/workbench/commands.ts';
import { pressInDialog, readDialog } from '../support/workbench/dialog.ts';
import { openWorkbench, type Workbench } from '../support/workbench/openWorkbench.ts';
import { quickInput } from '../support/workbench/quickInput.ts';
import { statusBarItem } from '../support/workbench/statusBar.ts';

describe('agents in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({ settings: { 'chat.disableAIFeatures': false } });
  });
  after(() => workbench.close());

  it('are offered the server only after a person allowed it, which Enter does not', async () => {
    const { page } = workbench;
    const status = statusBarItem(page, 'marginDesk.agents');
    await runCommand(page, 'Margin Desk: Open Practice Account');
    await waitUntilOffered(page, false);
    await runCommand(page, 'Margin Desk: Allow Agents…');
    const { message } = await readDialog(page);
    assert.equal(message, 'Allow agents to read Practice?');
    await page.keyboard.press('Enter');
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    await waitUntilOffered(page, false);
    assert.equal(await status.count(), 0);
    await runCommand(page, 'Margin Desk: Allow Agents…');
    await readDialog(page);
    await pressInDialog(page, 'Always');
    await status.waitFor();
    await waitUntilOffered(page, true);
    await status.click();
    await status.waitFor({ state: 'detached' });
    await waitUntilOffered(page, false);
  });
});

/** As VS Code lists the servers that it would start for an agent. */
async function waitUntilOffered(page: Page, isOffered: boolean): Promise<void> {
  await eventually(`the server ${isOffered ? 'in' : 'not in'} the list`, async () => {
    await runCommand(page, 'MCP: List Servers');
    const { rows } = quickInput(page);
    await rows.filter({ hasText: 'Add Server' }).waitFor({ timeout: 5000 });
    // A row that VS Code uses again keeps its older text, which cannot be seen.
    const count = await rows.and(page.locator('[aria-label^="Margin Desk Ledger"]')).count();
    await page.keyboard.press('Escape');
    return count > 0 === isOffered;
  });
}
