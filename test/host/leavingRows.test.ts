import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dayMs } from '../../src/base/time.ts';
import { LeavingAlerts } from '../../src/host/ledger/leavingRows.ts';
import { aProfile } from '../support/builders.ts';
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
      messages.shown.find(({ text }) => / is downloaded\.$/.test(text)),
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

  it('are not alerted again in another window, nor without such rows', async () => {
    const stored = new Map<string, unknown>();
    const storage = {
      get: (key: string) => stored.get(key),
      update: async (key: string, value: unknown) => void stored.set(key, value),
    };
    const display = access().app.display.latest();
    const profile = aProfile({ name: 'Main' });
    const now = Date.now();
    const period = { from: now, to: now + dayMs };
    const listed = { history: 'trades', listedMs: 92 * dayMs, leaving: null } as const;
    const leaving = { ...listed, leaving: { ...period, leaves: period } };
    const windows = [new LeavingAlerts(storage as never), new LeavingAlerts(storage as never)];
    const shown = async (ledgerId: string, of: typeof listed | typeof leaving) => {
      const before = alerts().length;
      for (const window of windows) await window.show(ledgerId, profile, [of], display);
      return alerts().length - before;
    };
    assert.equal(await shown('one', listed), 0);
    assert.equal(await shown('one', leaving), 1);
    assert.equal(await shown('one', leaving), 0);
    assert.equal(await shown('other', leaving), 1);
  });
});
