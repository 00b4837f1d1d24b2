import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import type { Document } from '../../src/protocol/document.ts';
import { freqtradeOfLedger } from '../support/botOfLedger.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';
import { blocksOf, changesIn, openedIn, pressIn } from '../support/shownDocument.ts';
import { fakePanels } from '../support/shownReceipts.ts';

describe('a comparison with a bot', function () {
  this.timeout(120_000);
  const panels = fakePanels();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bot-'));
  const file = path.join(folder, 'tradesv3.sqlite');
  let access: TestAccess;
  let turned = '';

  before(async () => {
    access = await extensionUnderTest();
    await vscode.commands.executeCommand(commands.tryPractice);
    const reader = await eventually('trades in the ledger', async () => {
      const open = access.app.ledger.shown.current;
      const coverage = await open?.writer.coverage('trades');
      const isRead = coverage?.some(({ completeness }) => completeness === 'complete');
      return isRead ? open?.reader : undefined;
    });
    turned = await freqtradeOfLedger(reader, file);
  });
  after(async () => {
    await access.app.connection.close();
    rmSync(folder, { recursive: true });
  });

  const compared = async () => {
    await vscode.commands.executeCommand(commands.compareWithBot, vscode.Uri.file(file));
    const panel = await eventually('a panel', () => panels.at(-1));
    return { panel, document: (await openedIn(panel)).document };
  };
  const firstOf = (document: Document) => blocksOf(document, 'checklist')[0]?.items[0];

  it('names the first divergent row and its cause, and leaves the file as it is', async () => {
    const before = readFileSync(file);
    const { panel, document } = await compared();
    // It is undecided until the ledger knows all of the period.
    const first = await eventually('the divergent row', () =>
      [document, ...changesIn(panel)]
        .map(firstOf)
        .find((each) => each?.label.includes(`order ${turned}`)),
    );
    assert.equal(first.findings?.list[0]?.title, 'sign of the fee');
    assert.deepEqual(readFileSync(file), before);
  });

  it('is copied as Markdown, with the query of the row', async () => {
    const { panel } = await compared();
    await pressIn(panel, 'copyMarkdown');
    assert.match(await vscode.env.clipboard.readText(), /sign of the fee/);
    await pressIn(panel, 'openBotRow');
    assert.match(
      await vscode.env.clipboard.readText(),
      /^SELECT \* FROM "orders" WHERE rowid = \d+;$/,
    );
  });

  it('is made again once the bot has corrected its file', async () => {
    const { panel } = await compared();
    const database = new DatabaseSync(file);
    database
      .prepare(
        `UPDATE trades SET fee_open_cost = -fee_open_cost, fee_close_cost = -fee_close_cost
         WHERE id IN (SELECT ft_trade_id FROM orders WHERE order_id = ?)`,
      )
      .run(turned);
    database.close();
    await eventually('the corrected comparison', () =>
      changesIn(panel).find((document) => firstOf(document) === undefined),
    );
  });
});
