import assert from 'node:assert/strict';
import type { CancelPlan } from '../../../../src/account/cancelAll/cancelPlan.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { someLocked } from '../../../support/builders.ts';
import { cancelAllUnderTest, failed } from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { planText } from '../../../../src/host/cancelAll/planText.ts';

const plannedAt = Date.UTC(2026, 10, 20, 5, 32, 52);
const lockedAssets = [{ name: 'usdt', locked: '100.123456' }];
const figures = {
  locked: [someLocked()],
  badRecords: [],
  lockedAssets,
  asOf: plannedAt - 70_000,
};
const { failure } = failed({ kind: 'server', sent: 'yes', operation: 'accounts', status: 500 });

function plan(fields: Partial<CancelPlan>): CancelPlan {
  const { account } = cancelAllUnderTest().world;
  const none = { unreadReason: undefined, sendableAt: undefined, recentCancels: [] };
  return { account, figures, plannedAt, ...none, ...fields };
}

/** The paragraphs of the question, without the one that is in every question. */
function textOf(fields: Partial<CancelPlan>, hidesMoney = false): string {
  const text = planText(plan(fields), undefined, aDisplay({ hidesMoney }));
  return text.replace(/\n\nReduce-only or other orders that lock no balance[^]*$/, '');
}

describe('the question of a cancel-all', () => {
  it('names what is locked now', () => {
    assert.equal(
      textOf({}),
      'Locked by open orders now, in 1 symbol:\nbtc_usdt: Buy 2 · 100 locked\nTotal locked: 100.12… usdt',
    );
    const none = { ...figures, locked: [] };
    assert.equal(textOf({ figures: none }), 'No open orders lock balance now.');
  });

  it('ends after twelve symbols, says how many follow, and when the figures were read', () => {
    const locked = Array.from({ length: 14 }, (_, index) => someLocked({ symbol: `s${index}` }));
    const text = planText(plan({ figures: { ...figures, locked } }), undefined, aDisplay());
    const lines = text.split('\n');
    assert.equal(lines[0], 'Locked by open orders now, in 14 symbols:');
    assert.equal(lines[13], '… and 2 more: the receipt has all.');
    assert.deepEqual(lines.slice(-2), ['Read 70 s ago.', 'The receipt has every digit.']);
    const unread = planText(plan({ unreadReason: failure }), undefined, aDisplay());
    assert.match(unread, /\nThe receipt has every digit\.$/);
  });

  it('says why the account cannot be read, and shows the last figures with their time and age', () => {
    assert.equal(
      textOf({ unreadReason: failure }),
      [
        'The account cannot be read (HTTP 500). Last figures: 05:31:42 UTC, 70 s old:',
        'btc_usdt: Buy 2 · 100 locked',
        'Total locked: 100.12… usdt',
        'Send cancel-all anyway?',
      ].join('\n'),
    );
    const words = { ...failure, serverWords: 'maintenance until 6' };
    assert.match(textOf({ unreadReason: words }), /\(HTTP 500: “maintenance until 6”\)/);
    const masked = textOf({ unreadReason: words }, true);
    assert.match(masked, /maintenance until •••/);
    assert.match(masked, /^btc_usdt: Buy ••• · ••• locked$/m);
  });

  it('says that nothing was locked or read, and how old older figures are', () => {
    const old = { asOf: plannedAt - 200_000, badRecords: [], lockedAssets: [], locked: [] };
    assert.equal(
      textOf({ unreadReason: 'paused', figures: old }),
      'The account cannot be read (the exchange asked for a pause). ' +
        'Last figures: 05:29:32 UTC, 3 min old: nothing was locked. Send cancel-all anyway?',
    );
    const future = { ...old, asOf: plannedAt + 5000 };
    assert.match(textOf({ unreadReason: 'paused', figures: future }), /, an unknown time old:/);
    assert.equal(
      textOf({ unreadReason: 'limitUsed', figures: undefined }),
      'The account cannot be read (the rate limit has no room for it). ' +
        'Last figures: nothing was read yet. Send cancel-all anyway?',
    );
  });

  it('says that it is unknown what is locked when the account does not list it', () => {
    const problem = phrase('{0} should be {1} and {2}', '$.orders', 'a list', 'is missing');
    const badRecords = [{ path: '$.orders', problem }];
    const unlisted = { locked: undefined, badRecords, lockedAssets: [], asOf: plannedAt - 70_000 };
    const part =
      'A part of the account could not be read: $.orders should be a list and is missing.';
    assert.equal(
      textOf({ figures: unlisted }),
      `It is unknown what open orders lock now.\n${part}`,
    );
    assert.equal(
      textOf({ unreadReason: 'paused', figures: unlisted }),
      'The account cannot be read (the exchange asked for a pause). ' +
        'Last figures: 05:31:42 UTC, 70 s old: what was locked is unknown. Send cancel-all anyway?\n' +
        part,
    );
  });

  it('says first when the request can be sent if the limit is used up', () => {
    assert.match(
      textOf({ unreadReason: 'limitUsed', sendableAt: plannedAt + 12_300 }),
      /^The exchange’s limit is used up\. The request can be sent at 05:33:04 UTC \(in 13 s\)\.\n\nThe account cannot be read/,
    );
  });

  it('names the last of several recent cancel-alls, in one sentence', async () => {
    const { cancelAll, report } = cancelAllUnderTest();
    await cancelAll.run();
    const recent = [3, 8].map((s) => ({ ...report(), sentAt: plannedAt - s * 1000 }));
    assert.match(
      textOf({ recentCancels: recent.slice(0, 1) }),
      /^A cancel-all of this account was sent 3 s ago: done\.\n\n/,
    );
    assert.match(
      textOf({ recentCancels: recent }),
      /^2 cancel-alls of this account were sent in the last 30 s, the last one 3 s ago: done\.\n\n/,
    );
  });
});
