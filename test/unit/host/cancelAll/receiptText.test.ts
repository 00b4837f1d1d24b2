import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import type { CanceledOrder } from '../../../../src/exchange/records.ts';
import { anAccount, someLocked } from '../../../support/builders.ts';
import {
  aCanceledOrder,
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
} from '../../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../../support/display.ts';
import { outcomeSeverity, outcomeText } from '../../../../src/host/cancelAll/outcomeText.ts';
import { receiptText } from '../../../../src/host/cancelAll/receiptText.ts';

describe('the text of a receipt', () => {
  it('has each of its times in the chosen zone and in the other', async () => {
    const { cancelAll, receipts } = cancelAllUnderTest();
    await cancelAll.run();
    const receipt = receipts.kept.at(-1) ?? assert.fail('no receipt');
    const display = aDisplay({ timeZone: 'Asia/Tokyo', otherTimeZone: 'UTC' });
    const lines = receiptText(receipt, display).split('\n');
    const day = 'Thursday, January 1, 2026';
    const both = `${day} · 2026-01-01 09:00:00.000 UTC+9 · 2026-01-01 00:00:00.000 UTC`;
    assert.deepEqual(
      lines.filter((line) => line.includes(day)),
      [
        `account read ${both}`,
        `sent         ${both}`,
        `ended        ${both}`,
        `Locked at ${both}:`,
      ],
    );
  });
});

describe('the text of the receipt of an answer that broke its types', () => {
  const badRecords = [
    {
      path: '$[1]',
      problem: phrase('$[1].amount should be a number and is a list'),
      record: parseJson(
        '{"orderId":7777,"status":"CANCELED","amount":["654321"],"filled":654321.10,"fee":654321,"side":{"n":654321},"updatedAt":654321}',
      ),
    },
  ];

  async function receiptOf(canceled: readonly CanceledOrder[]) {
    const { cancelAll, receipts } = cancelAllUnderTest({ canceled, badRecords });
    await cancelAll.run();
    return receipts.kept.at(-1) ?? assert.fail('no receipt');
  }

  it('has every returned record, what is wrong with it, and its fields as they came', async () => {
    const text = receiptText(await receiptOf([aCanceledOrder()]), aDisplay());
    assert.match(
      text,
      /^Orders that the exchange returned: 1, and 1 record that could not be read$/m,
    );
    assert.match(
      text,
      /^A record could not be read: \$\[1\]\.amount [^\n]+\norderId +7777\nstatus +CANCELED\namount +\["654321"\]\nfilled +654,321\.10\n/m,
    );
  });

  it('shows no figure of them in privacy mode', async () => {
    const text = receiptText(await receiptOf([]), aDisplay({ hidesMoney: true }));
    assert.match(text, /^orderId +7777\nstatus +CANCELED\namount +•••\nfilled +•••\nfee +•••$/m);
    assert.doesNotMatch(text, /654/);
  });

  it('is a warning where the others were cancelled, and unknown where there are none', async () => {
    const done = await receiptOf([aCanceledOrder()]);
    assert.deepEqual([done.outcome, outcomeSeverity(done)], ['done', 'warning']);
    assert.equal(
      outcomeText(done, aDisplay()),
      '1 order cancelled. 1 record of the answer could not be read. Nothing is locked now.',
    );
    const unknown = await receiptOf([]);
    assert.deepEqual(
      [unknown.outcome, outcomeSeverity(unknown)],
      ['unknownNothingLocked', 'warning'],
    );
    assert.match(
      outcomeText(unknown, aDisplay()),
      /^Result unknown\. The request was sent once and not retried\. 1 record of the answer could not be read\. Nothing is locked now/,
    );
  });
});

describe('the text of a receipt of an account that does not list its orders', () => {
  it('does not say that nothing was locked, before or after', async () => {
    const problem = phrase('{0} should be {1} and {2}', '$.orders', 'a list', 'is missing');
    const { cancelAll, report } = cancelAllUnderTest({
      locked: [null],
      unread: [{ path: '$.orders', problem }],
    });
    await cancelAll.run();
    cancelAll.dispose();
    const text = receiptText(report(), aDisplay());
    assert.match(
      text,
      /^Locked before:\nA record could not be read: \$\.orders should be a list and is missing\n/m,
    );
    assert.match(text, /^Locked at .+:\n\(could not be read\)$/m);
    assert.doesNotMatch(text, /nothing/i);
    assert.equal(report().outcome, 'unverified');
  });
});

describe('the text of a receipt whose request was confirmed without current figures', () => {
  const unreadable = failed({ kind: 'server', operation: 'accounts', status: 500 });

  it('says why, and that nothing was read or what was read last', async () => {
    for (const hasFigures of [false, true]) {
      const { cancelAll, report, world } = cancelAllUnderTest({ locked: [unreadable] });
      const account = anAccount({ orders: [someLocked()] });
      if (hasFigures)
        world.account.store.replace({ account, badRecords: [], asOf: Date.UTC(2025, 11, 31) });
      await cancelAll.run();
      cancelAll.dispose();
      const text = receiptText(report(), aDisplay());
      const last = hasFigures ? 'btc_usdt: .*' : 'nothing was read yet';
      assert.match(text, /^The account could not be read \(HTTP 500\)\.$/m);
      assert.match(text, new RegExp(`^Confirmed without current figures\\. .*:\n${last}$`, 'm'));
      assert.match(
        text,
        hasFigures ? /^account read .*2025-12-31 00:00:00\.000 UTC$/m : /^account read +—$/m,
      );
    }
  });

  it('says that the limit had no room to read the account', async () => {
    const { cancelAll, report, world, openAccount } = cancelAllUnderTest();
    world.account = openAccount({ rateLimiter: usedUpRateLimiter() });
    await cancelAll.run();
    cancelAll.dispose();
    const text = receiptText(report(), aDisplay());
    assert.match(text, /^The account could not be read \(the rate limit has no room for it\)\.$/m);
  });
});
