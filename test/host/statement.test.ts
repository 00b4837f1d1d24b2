import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../src/host/shared/contributions.ts';
import { createRealValuesConfirmation } from '../../src/host/settings/displayState.ts';
import { StatementCommand } from '../../src/host/statement/statementCommand.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import type { LedgerHistory } from '../../src/ledger/ledger.ts';
import { aTrade, aTransaction } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { inPrivacy } from '../support/extensionUnderTest.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';

/** Lies within the 90 days before `practiceStart` as a whole. */
const wholeMonth = '2026-02';
const time = String(Date.UTC(2026, 1, 10));
const covered = {
  from: Date.UTC(2026, 0, 20),
  to: Date.UTC(2026, 2, 5),
  asOf: Date.UTC(2026, 2, 6),
};

describe('the statement of a month', () => {
  const harness = profilesUnderTest();
  const { access, messages, input, run, set } = harness;
  scriptedProgress();
  const folder = folderOfEachTest();
  const texts = (): string[] => messages.shown.map(({ text }) => text);

  before(() => set('marginDesk.timeZone', 'UTC'));
  // Another test may have left a download that goes on.
  before(() => access().app.ledger.profileLedgers.removeOfProfile('Practice'));
  afterEach(() => set('marginDesk.ledger.keepCurrent', undefined));
  after(() => set('marginDesk.timeZone', undefined));
  afterEach(() => access().app.ledger.profileLedgers.removeOfProfile('Practice'));

  /** Opens the practice account, whose ledger then has these histories of more than the month. */
  async function practise(read: readonly LedgerHistory[]): Promise<void> {
    await set('marginDesk.ledger.keepCurrent', false);
    await vscode.commands.executeCommand(commands.tryPractice);
    const { writer } = await eventually(
      'the practice ledger',
      () => access().app.ledger.shown.current,
    );
    const records: Partial<Record<LedgerHistory, readonly HistoryRecord[]>> = {
      trades: [aTrade({ time })],
      futureTransactions: [aTransaction({ time })],
    };
    for (const history of read) {
      const { id } = await writer.beginWalk({ history, ...covered, purpose: 'current' });
      await writer.saveStep(id, records[history] ?? [], null);
      await writer.endWalk(id, { completeness: 'complete', reason: null });
    }
  }

  async function written(): Promise<string> {
    await run(commands.writeStatement, wholeMonth, 'CSV', folder.path);
    return path.join(folder.path, `statement-Practice-${wholeMonth}`);
  }

  it('with gaps is written, and its message says that it is incomplete', async () => {
    await practise(['trades']);
    const statement = await written();
    const report = await eventually('the report', () =>
      messages.shown.find(({ text }) => text.startsWith('An incomplete statement of ')),
    );
    assert.equal(report.severity, 'warning');
    assert.match(
      report.text,
      /Of this month: nothing is complete\. manifest\.json lists what is missing\./,
    );
    const manifest = await readFile(path.join(statement, 'manifest.json'), 'utf8');
    assert.match(manifest, /"completeness": "incomplete"/);
    const month = input.asked.find(({ title, prompt }) =>
      `${title}${prompt}`.includes('Statement'),
    );
    assert.match(month?.items[0]?.description ?? '', /^nothing is complete/);
    await run(commands.writeStatement, wholeMonth, 'CSV', folder.path);
    assert.match(texts().at(-1) ?? '', /^Nothing was written: “statement-Practice-.* already/);
  });

  it('has real values only after a question in privacy mode', async () => {
    await practise(['trades']);
    const { display, ledger, log } = access().app;
    // The window’s own command does not ask again after an earlier test agreed.
    const command = new StatementCommand({
      display,
      log,
      writtenBy: 'a test',
      profileLedgers: ledger.profileLedgers,
      confirmRealValues: createRealValuesConfirmation(display),
    });
    await inPrivacy(access(), async () => {
      await command.write();
      assert.equal(texts().at(-1), 'Copy and export real values?');
      assert.deepEqual(await readdir(folder.path), []);
      messages.answers.push('Copy Real Values');
      input.answers.push(wholeMonth, 'CSV', folder.path);
      await command.write();
      assert.equal((await readdir(folder.path)).length, 1);
    });
  });
});
