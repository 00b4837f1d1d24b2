import assert from 'node:assert/strict';
import path from 'node:path';
import { always } from '../../../src/base/interval.ts';
import type { IdPlace } from '../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { anOrder, aTrade, aTransaction } from '../../support/builders.ts';
import { ledgerInThisThread, saveRecords } from '../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../support/project.ts';

const uuid = '0b7c1e64-9f2a-4b53-8d1e-7a6f5c4b3a29';
const orders: IdPlace = { history: 'orders', field: 'orderId' };
const clientOrders: IdPlace = { history: 'orders', field: 'clientOrderId' };
const trades: IdPlace = { history: 'trades', field: 'tradeId' };
const ordersOfTrades: IdPlace = { history: 'trades', field: 'orderId' };
const uuids: IdPlace = { history: 'spotTransactions', field: 'transactionUuid' };

describe('the search for ids in a ledger', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls;

  beforeEach(() => {
    ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
  });
  afterEach(() => ledger.close());

  const find = (places: readonly IdPlace[], ids: readonly string[]): number[] =>
    Array.from(ledger.findIds(places, ids));

  it('finds each id at the first place where it stands, and nothing in an empty ledger', () => {
    assert.deepEqual(find([orders, trades, clientOrders], ['1', uuid]), [-1, -1]);
    saveRecords(ledger, 'orders', [anOrder({ orderId: '1', clientOrderId: uuid })]);
    saveRecords(ledger, 'trades', [
      aTrade({ tradeId: '1', orderId: '1' }),
      aTrade({ tradeId: '3', orderId: '2' }),
    ]);
    const ids = ['1', '2', '3', '4', uuid];
    assert.deepEqual(find([orders, trades, ordersOfTrades, clientOrders], ids), [0, 2, 1, -1, 3]);
    assert.deepEqual(find([trades, orders], ids), [0, -1, 0, -1, -1]);
    assert.deepEqual(find([], ids), [-1, -1, -1, -1, -1]);
    assert.deepEqual(find([orders], []), []);
  });

  it('finds ids of any size, and only if every digit is the same', () => {
    const stored = ['0', '-7', '9007199254740993'].concat(
      [18, 19, 40, 200].map((digits) => '9'.repeat(digits)),
    );
    saveRecords(
      ledger,
      'trades',
      stored.map((tradeId) => aTrade({ tradeId })),
    );
    const positive = stored.filter((id) => id !== '-7');
    assert.deepEqual(
      find([trades], positive),
      positive.map(() => 0),
    );
    const others = ['00', '7', '9007199254740992', '9'.repeat(17), '9'.repeat(20), '9'.repeat(199)];
    assert.deepEqual(
      find([trades], [...others, '1e3', '', ' 0', '0x0', uuid]),
      [...others, 1, 2, 3, 4, 5].map(() => -1),
    );
  });

  it('finds long ids beside negative ones', () => {
    const stored = [`-${'9'.repeat(19)}`, '1'.repeat(19), '2'.repeat(20), `-${'1'.repeat(20)}`];
    saveRecords(
      ledger,
      'trades',
      stored.map((tradeId) => aTrade({ tradeId })),
    );
    const sought = ['1'.repeat(19), '2'.repeat(20), '5', '9'.repeat(21)];
    assert.deepEqual(find([trades], sought), [0, 0, -1, -1]);
  });

  it('compares texts as they are, whatever they contain', () => {
    const texts = [uuid, "' OR 1=1 --", '"]', '1', '\u0000'];
    saveRecords(
      ledger,
      'spotTransactions',
      texts.map((transactionUuid, index) =>
        aTransaction({ transactionId: String(index), transactionUuid }),
      ),
    );
    assert.deepEqual(find([uuids], [uuid, uuid.toUpperCase(), '1', '"]', texts[1] ?? '', '']), [
      ...[0, -1, 0, 0, 0, -1],
    ]);
  });

  it('finds an id that the exchange no longer lists', () => {
    saveRecords(ledger, 'orders', [1, 2, 3].map(orderAt));
    saveRecords(ledger, 'orders', [1, 3].map(orderAt));
    const { unlisted } = ledger.rows(
      { history: 'orders', period: always, filters: {}, search: '', sort: null },
      0,
      10,
    );
    assert.equal(unlisted.length, 1);
    assert.deepEqual(find([orders], ['2']), [0]);
  });
});

function orderAt(number: number) {
  return anOrder({ orderId: String(number), time: String(1_763_600_000_000 + number) });
}
