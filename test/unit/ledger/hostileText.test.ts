import assert from 'node:assert/strict';
import path from 'node:path';
import { parseRecord, recordJson } from '../../../src/ledger/storage/recordLines.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { anOrder, aTrade } from '../../support/builders.ts';
import { aQuery, ledgerOf } from '../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../support/project.ts';

const hostile = [
  `'; DROP TABLE trades; --`,
  '%',
  '_',
  '" OR 1=1',
  '\u0000\u202e',
  '__proto__',
  '[x](command:workbench.action.quit)',
  '\u{10ffff}\u{10ffff}',
];

describe('hostile text of an exchange in a ledger', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls;
  afterEach(() => ledger.close());

  it('is text where it is read, filtered, searched, sorted and summed', () => {
    const trades = hostile.map((text, index) =>
      aTrade({ tradeId: String(index), symbol: text, feeAsset: text, amount: '1' }),
    );
    ledger = ledgerOf(path.join(folder.path, 'ledger.sqlite'), 'trades', trades);
    const { lines } = ledger.rows(aQuery('trades'), 0, 100);
    assert.deepEqual(lines.map(parseRecord), trades.toReversed());
    for (const [index, text] of hostile.entries()) {
      const filtered = ledger.rows(aQuery('trades', { filters: { symbol: [text] } }), 0, 100);
      assert.deepEqual(filtered.lines, [recordJson(trades[index] ?? assert.fail())], text);
      const searched = ledger.rows(aQuery('trades', { search: text }), 0, 100);
      const containing = hostile.filter((other) => other.includes(text)).length;
      assert.equal(searched.total, containing, text);
    }
    const sorted = aQuery('trades', { sort: { field: 'symbol', isDescending: true } });
    assert.equal(ledger.rows(sorted, 0, 100).lines.length, hostile.length);
    const units = ledger.sums(aQuery('trades'), ['amount']).map(({ unit }) => unit);
    assert.deepEqual(units.toSorted(), hostile.toSorted());
    assert.deepEqual(ledger.sums(aQuery('trades'), hostile), []);
    const ofField = aQuery('trades', { filters: { [hostile[0] ?? '']: ['1'] } });
    assert.equal(ledger.rows(ofField, 0, 100).total, 0);
  });

  it('is found as the beginning of a client order id, and nothing else', () => {
    const orders = hostile.map((text, index) =>
      anOrder({ orderId: String(index), clientOrderId: text }),
    );
    ledger = ledgerOf(path.join(folder.path, 'ledger.sqlite'), 'orders', orders);
    // An underline is a part of many words.
    for (const text of hostile.filter((each) => each !== '_')) {
      const { total } = ledger.rows(aQuery('orders', { search: text }), 0, 100);
      assert.equal(total, hostile.filter((other) => other.startsWith(text)).length, text);
    }
  });
});
