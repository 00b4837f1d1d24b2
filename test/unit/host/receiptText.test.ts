import assert from 'node:assert/strict';
import { phrase } from '../../../src/base/phrase.ts';
import { parseJson } from '../../../src/exchange/json.ts';
import type { CanceledOrder } from '../../../src/exchange/records.ts';
import { aCanceledOrder, cancelAllUnderTest, failed } from '../../support/cancelAllUnderTest.ts';
import { aDisplay } from '../../support/display.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { receiptText } = await import('../../../src/host/commands/receiptText.ts');

const { outcomeWords, severityOf } = await import('../../../src/host/commands/outcomeWords.ts');

describe('the text of a receipt', () => {
  it('has each of its times in the chosen zone and in the other', async () => {
    const { cancelAll, receipts } = cancelAllUnderTest();
    await cancelAll.press();
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
    await cancelAll.press();
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

  it('tells no figure of them in privacy', async () => {
    const text = receiptText(await receiptOf([]), aDisplay({ hidesMoney: true }));
    assert.match(text, /^orderId +7777\nstatus +CANCELED\namount +•••\nfilled +•••\nfee +•••$/m);
    assert.doesNotMatch(text, /654/);
  });

  it('is a warning where the others were cancelled, and unknown where there are none', async () => {
    const done = await receiptOf([aCanceledOrder()]);
    assert.deepEqual([done.outcome, severityOf(done)], ['done', 'warning']);
    assert.equal(
      outcomeWords(done, aDisplay()),
      '1 order cancelled. 1 record of the answer could not be read. Nothing is locked now.',
    );
    const unknown = await receiptOf([]);
    assert.deepEqual([unknown.outcome, severityOf(unknown)], ['unknownNothingLocked', 'warning']);
    assert.match(
      outcomeWords(unknown, aDisplay()),
      /^Unknown whether orders were cancelled; it was not sent again\. 1 record of the answer could not be read\. Nothing is locked now/,
    );
  });
});

describe('the text of a receipt with evidence', () => {
  it('says how many records of the history could not be read', async () => {
    const problem = phrase('it is odd');
    for (const [count, words] of [
      [1, '1 record of the history could not be read.'],
      [2, '2 records of the history could not be read.'],
    ] as const) {
      const unreadHistory = Array.from({ length: count }, () => ({
        path: '$.content[0]',
        problem,
      }));
      const { cancelAll, report } = cancelAllUnderTest({ canceled: failed({}), unreadHistory });
      await cancelAll.press();
      assert.ok(outcomeWords(report(), aDisplay()).endsWith(` ${words}`));
      assert.ok(receiptText(report(), aDisplay()).includes(`\n${words}\n`));
    }
  });
});
