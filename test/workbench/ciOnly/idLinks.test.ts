import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import type { Trade } from '../../../src/exchange/records.ts';
import { eventually } from '../../support/eventually.ts';
import { runCommand } from '../../support/workbench/commands.ts';
import { downloadHistory } from '../../support/workbench/downloadHistory.ts';
import { leaveHover, pressInHover, readHover } from '../../support/workbench/hover.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/openWorkbench.ts';
import { pick, quickInput } from '../../support/workbench/quickInput.ts';
import { trustFolder } from '../../support/workbench/trust.ts';
import { webview } from '../../support/workbench/webview.ts';

/** One window: each test goes on where the one before it ended. */
describe('the trades of a ledger in a real workbench', () => {
  let workbench: Workbench;

  before(async () => {
    // The terminal draws text as elements then.
    const settings = {
      'terminal.integrated.gpuAcceleration': 'off',
      // The ledger is not filled by itself then.
      'marginDesk.ledger.keepCurrent': false,
    };
    workbench = await openWorkbench({ settings, asksForTrust: true });
    await runCommand(page(), 'Margin Desk: Open Practice Account');
    await webview(page()).getByRole('heading', { name: 'Account overview' }).waitFor();
    const unwanted = [
      'Order History',
      'Transaction History · FUTURE',
      'Transaction History · SPOT',
    ];
    await downloadHistory(page(), ...unwanted);
  });
  after(() => workbench.close());

  const page = () => workbench.page;

  /** Of a trade that was downloaded. */
  function tradeId(): string {
    const [file = assert.fail('no ledger')] = globSync(
      path.join(workbench.dataDir, '**/ledgers/*.sqlite'),
    );
    const database = new DatabaseSync(file, { readOnly: true });
    const row = database.prepare('SELECT json FROM tradesJson LIMIT 1').get();
    database.close();
    return (JSON.parse(String(row?.json)) as Trade).tradeId;
  }

  async function openNotes(): Promise<void> {
    await runCommand(page(), 'Go to File...');
    await quickInput(page()).input.fill('notes.txt');
    await pick(page(), 'notes.txt');
  }

  async function links(): Promise<string> {
    return (await page().locator('.view-line .detected-link').allInnerTexts()).join('');
  }

  it('have no links in an editor while the folder is not trusted', async () => {
    const id = tradeId();
    const text = `https://example.com trade ${id}, trade ${id}0\n`;
    await writeFile(path.join(workbench.folder, 'notes.txt'), text);
    await openNotes();
    // VS Code shows its own links with those of extensions.
    await eventually('links', async () => (await links()) === 'https://example.com');
  });

  it('have links in an editor, whose hover shows the order and opens the row', async () => {
    const id = tradeId();
    await trustFolder(page());
    await openNotes();
    await eventually('links', async () => (await links()) === `https://example.com${id}`);
    const link = page().locator('.view-line .detected-link', { hasText: id });
    const said = await readHover(page(), link.first(), 'Fee');
    assert.match(said, new RegExp(`Trade ${id} · `));
    await pressInHover(page(), link.first(), 'Fee', 'Show Row');
    const table = webview(page());
    await table.getByRole('heading', { name: 'Trade History' }).waitFor();
    await table.getByText(id).first().waitFor();
  });

  it('have links in a terminal, which open the row', async () => {
    const id = tradeId();
    await writeFile(path.join(workbench.folder, 'trade.txt'), `trade ${id}\n`);
    await runCommand(page(), 'View: Close All Editors');
    await runCommand(page(), 'Terminal: Create New Terminal');
    const line = terminalLines()
      .filter({ hasText: new RegExp(`^\\s*trade ${id}\\s*$`) })
      .first();
    await eventually('the id in the terminal', () => printTrade(line), { deadlineMs: 60_000 });
    const heading = webview(page()).getByRole('heading', { name: 'Trade History' });
    await heading.waitFor({ state: 'hidden' });
    const pressed = async (): Promise<boolean> => {
      await pressLink(line, id);
      await heading.waitFor(patience);
      return true;
    };
    await eventually('the row', pressed, { deadlineMs: 60_000 });
    await webview(page()).getByText(id).first().waitFor();
  });

  function terminalLines(): Locator {
    return page().locator('.terminal.xterm .xterm-rows > div');
  }

  /** The command does not name the id: only what it prints has the link. */
  async function printTrade(line: Locator): Promise<boolean> {
    const input = page().locator('.terminal.xterm .xterm-helper-textarea');
    await input.pressSequentially('cat trade.txt\n', patience);
    await line.waitFor(patience);
    return true;
  }

  /**
   * Presses Ctrl and the middle of an id once the hover of its link shows. The terminal looks for links when
   * the pointer enters a line, and keeps what it found until the pointer enters another one: so each attempt
   * comes from the last line.
   */
  async function pressLink(line: Locator, id: string): Promise<void> {
    const { mouse, keyboard } = page();
    await leaveHover(page());
    await terminalLines().last().hover({ force: true, timeout: patience.timeout });
    const { x, y } = await middleOf(line, id);
    await mouse.move(x, y);
    const hover = page().locator('.monaco-hover:visible', { hasText: 'Trade · ' });
    await hover.first().waitFor(patience);
    await keyboard.down('Control');
    await mouse.down();
    await mouse.up();
    await keyboard.up('Control');
  }
});

/** Of one attempt. */
const patience = { timeout: 8000 };

/** Where an id stands in a line of the terminal, whose elements may be wider than their text. */
function middleOf(line: Locator, id: string): Promise<{ readonly x: number; readonly y: number }> {
  return line.evaluate(
    (element, text) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const start = node.textContent?.indexOf(text) ?? -1;
        if (start < 0) continue;
        range.setStart(node, start);
        range.setEnd(node, start + text.length);
      }
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    id,
    patience,
  );
}
