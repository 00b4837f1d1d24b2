import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseRecord } from '../../src/ledger/storage/recordLines.ts';
import { freqtradeOfLedger } from '../support/botOfLedger.ts';
import { eventually } from '../support/eventually.ts';
import { ledgerInThisThread } from '../support/ledgerUnderTest.ts';
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

  /** The practice ledger, once trades were read into it. */
  async function ledgerFile(): Promise<string> {
    return eventually(
      'the ledger',
      async () => {
        const files = await readdir(workbench.dataDir, { recursive: true });
        const found = files.find((file) => /ledgers.*\.sqlite$/.test(file));
        if (found === undefined) return undefined;
        const file = path.join(workbench.dataDir, found);
        const ledger = ledgerInThisThread({ file, readOnly: true });
        const coverage = ledger.coverage('trades');
        const isRead = coverage.some(({ completeness }) => completeness === 'complete');
        ledger.close();
        return isRead && file;
      },
      { deadlineMs: 120_000 },
    ) as Promise<string>;
  }

  it('finds the fee whose sign is turned, from the Explorer to Markdown', async () => {
    const ledger = ledgerInThisThread({ file: await ledgerFile(), readOnly: true });
    const reader = {
      rows: (...of: Parameters<typeof ledger.rows>) => {
        const { lines, ...counts } = ledger.rows(...of);
        return Promise.resolve({ ...counts, rows: lines.map(parseRecord) });
      },
    };
    const turned = await freqtradeOfLedger(reader, path.join(workbench.folder, 'bot.sqlite'));
    ledger.close();
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
