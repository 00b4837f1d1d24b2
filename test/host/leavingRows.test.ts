import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dayMs } from '../../src/base/time.ts';
import { eventually } from '../support/eventually.ts';
import { pressDownload } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { hourlyTrades, tradedExchange } from '../support/tradedExchange.ts';

describe('rows that leave the exchange soon', () => {
  const { access, messages, serve, opened } = profilesUnderTest();
  scriptedProgress();
  const ledger = () => access().app.ledger;
  const alerts = () => messages.shown.filter(({ text }) => text.includes('exchange lists about'));

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await ledger().profileLedgers.removeOfProfile('Main');
  });

  it('are alerted once, with a button that offers to read them', async () => {
    await opened('Main', await serve(tradedExchange({ trades: () => hourlyTrades(92, 92, 24) })));
    await pressDownload(ledger());
    await eventually('the end of the download', () =>
      messages.shown.find(({ text }) => text.endsWith(' is downloaded.')),
    );
    const { writer } = ledger().shown.current ?? assert.fail('no ledger');
    const now = Date.now();
    for (const [row, seen] of [
      [94, 2],
      [93, 1],
      [92, 0],
    ] as const)
      await writer.noteOldestRow('trades', now - row * dayMs, now - seen * dayMs);
    messages.answers.push('Fill Gaps');
    const open = ledger().profileLedgers.open ?? assert.fail('no ledger');
    await ledger().alertOfLeavingRows(open);
    const { text, severity, buttons } = alerts()[0] ?? assert.fail('no alert');
    assert.match(
      text,
      /^LIVE · Main: Trade History: the exchange lists about 92 days\. 2 days of it are not complete in your ledger, and leave from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.$/,
    );
    assert.deepEqual([severity, buttons], ['warning', ['Fill Gaps']]);
    await eventually('the page that fills the gap', () => ledger().download.open.get(''));
    await ledger().alertOfLeavingRows(open);
    assert.equal(alerts().length, 1);
  });
});
