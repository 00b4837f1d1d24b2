import assert from 'node:assert/strict';
import path from 'node:path';
import type { Trade } from '../../../src/exchange/records.ts';
import type { Completeness } from '../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { parseRecord, recordJson } from '../../../src/ledger/storage/recordLines.ts';
import { aTrade } from '../../support/builders.ts';
import { aQuery, ledgerInThisThread } from '../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../support/project.ts';

/** 2026-11-20T10:00:00Z */
const start = 1_795_168_800_000;
/** Trades 1 to 9, a second apart. */
const trades = Array.from({ length: 9 }, (_none, index) =>
  aTrade({ tradeId: String(index + 1), time: String(start + (index + 1) * 1000), amount: '1' }),
);
const whole = { from: start, to: start + 10_000 };

describe('the records that an exchange no longer lists', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls;
  let asOf: number;
  beforeEach(() => {
    ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    asOf = start + 20_000;
    walk(trades);
  });
  afterEach(() => ledger.close());

  /** A walk that shows these trades. */
  function walk(
    shown: readonly Trade[],
    interval = whole,
    completeness: Completeness = 'complete',
  ): void {
    asOf += 1;
    const begun = { ...interval, asOf, history: 'trades', purpose: 'current' } as const;
    const { id } = ledger.beginWalk(begun);
    ledger.saveStep(id, shown.map(recordJson), null);
    ledger.endWalk(id, { completeness, reason: null });
  }

  it('are in another version of the history once the exchange lists them again', () => {
    walk(without(5));
    const before = ledger.versions().trades;
    const { id } = ledger.beginWalk({ ...whole, asOf, history: 'trades', purpose: 'current' });
    ledger.saveStep(id, trades.slice(0, 4).map(recordJson), null);
    assert.equal(ledger.versions().trades, before);
    ledger.saveStep(id, trades.slice(4, 5).map(recordJson), null);
    assert.deepEqual(unlisted(), []);
    assert.notEqual(ledger.versions().trades, before);
  });

  const without = (...ids: readonly number[]): Trade[] =>
    trades.filter(({ tradeId }) => !ids.includes(Number(tradeId)));

  /** The ids of the rows that are marked. */
  function unlisted(): string[] {
    const { lines, unlisted: marked } = ledger.rows(aQuery('trades'), 0, 100);
    assert.equal(lines.length, trades.length, 'every row stays');
    return marked.map(({ index }) => (parseRecord(lines[index] ?? '') as Trade).tradeId);
  }

  it('stay, and are marked where a complete walk showed an older and a newer one', () => {
    walk(without(4, 5));
    assert.deepEqual(unlisted(), ['5', '4']);
    const { unlisted: marked } = ledger.rows(aQuery('trades'), 0, 100);
    assert.deepEqual(marked[0], { index: 4, since: asOf });
  });

  it('are not marked at the ends of what is listed: an exchange may drop old rows', () => {
    walk(without(1, 2, 9));
    assert.deepEqual(unlisted(), []);
    walk([]);
    assert.deepEqual(unlisted(), []);
  });

  it('are not marked by a walk that proves nothing, or of another period', () => {
    walk(without(4), whole, 'unknown');
    walk(without(4), whole, 'drifted');
    walk(without(4), { from: start + 4001, to: start + 10_000 });
    assert.deepEqual(unlisted(), []);
  });

  it('are as they were when a walk shows them again, whatever its period', () => {
    walk(without(4, 5));
    walk([trades[3] ?? assert.fail()], { from: start + 9000, to: start + 10_000 }, 'unknown');
    assert.deepEqual(unlisted(), ['5']);
    walk(without(4));
    assert.deepEqual(unlisted(), ['4']);
  });

  it('are not those that were read while the walk was running', () => {
    const begun = { ...whole, asOf, history: 'trades', purpose: 'current' } as const;
    const slow = ledger.beginWalk(begun);
    ledger.saveStep(slow.id, trades.map(recordJson), null);
    walk([trades[4] ?? assert.fail()], whole, 'unknown');
    ledger.endWalk(slow.id, { completeness: 'complete', reason: null });
    assert.deepEqual(unlisted(), []);
  });

  it('count in no sum, no export and no overlap', () => {
    walk(without(4));
    const [sum] = ledger.sums(aQuery('trades'), ['amount']);
    assert.equal(sum?.sum, '8');
    assert.equal(ledger.rows(aQuery('trades', { isListed: true }), 0, 100).total, 8);
    assert.equal(ledger.recordsIn('trades', whole, 100).length, 8);
  });
});

describe('the past of a record', () => {
  const folder = folderOfEachTest();

  it('has each earlier version, newest first, with when it was seen changed', () => {
    const ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    const amounts = ['1', '2', '3'];
    amounts.forEach((amount, index) => {
      const begun = { ...whole, asOf: 100 + index, history: 'trades', purpose: 'current' } as const;
      const { id } = ledger.beginWalk(begun);
      ledger.saveStep(id, [recordJson(aTrade({ amount }))], null);
      ledger.endWalk(id, { completeness: 'unknown', reason: null });
    });
    const past = ledger.past('trades', recordJson(aTrade({ amount: '3' })));
    assert.equal(past.unlistedSince, null);
    assert.deepEqual(
      past.versions.map(({ line, replacedAt }) => [
        (parseRecord(line) as Trade).amount,
        replacedAt,
      ]),
      [
        ['2', 102],
        ['1', 101],
      ],
    );
    assert.deepEqual(ledger.past('trades', recordJson(aTrade({ amount: '4' }))).versions, []);
    ledger.close();
  });
});

describe('the version of a history', () => {
  const folder = folderOfEachTest();

  it('is another one after its rows or its coverage changed, by any window', () => {
    const file = path.join(folder.path, 'ledger.sqlite');
    const [writer, other] = [ledgerInThisThread({ file }), ledgerInThisThread({ file })];
    const versions = new Set<string>();
    const isNew = (): boolean => {
      const version = other.versions().trades;
      const isOther = !versions.has(version);
      versions.add(version);
      return isOther;
    };
    isNew();
    const begun = { ...whole, asOf: 1, purpose: 'current' } as const;
    const { id } = writer.beginWalk({ ...begun, history: 'trades' });
    assert.equal(isNew(), false);
    writer.saveStep(id, [recordJson(aTrade())], null);
    assert.equal(isNew(), true);
    writer.saveStep(id, [recordJson(aTrade())], { page: 1 });
    assert.equal(isNew(), false, 'the same rows again');
    writer.endWalk(id, { completeness: 'complete', reason: null });
    assert.equal(isNew(), true);
    const orders = writer.beginWalk({ ...begun, history: 'orders' });
    writer.endWalk(orders.id, { completeness: 'complete', reason: null });
    assert.equal(isNew(), false, 'another history');
    for (const window of [writer, other]) window.close();
  });
});
