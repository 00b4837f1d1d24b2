import assert from 'node:assert/strict';
import path from 'node:path';
import { idsInText, storedIds } from '../../../../src/host/ids/storedIds.ts';
import type { LedgerReader } from '../../../../src/ledger/ledger.ts';
import type { LedgerCalls } from '../../../../src/ledger/storedLedger.ts';
import { anOrder, aTrade, aTransaction } from '../../../support/builders.ts';
import { RandomTexts } from '../../../support/randomTexts.ts';
import { ledgerInThisThread, saveRecords } from '../../../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const uuid = '0b7c1e64-9f2a-4b53-8d1e-7a6f5c4b3a29';
const going = { isCancellationRequested: false };

describe('the ids of a text that the ledger has', () => {
  const folder = folderOfEachTest();
  let ledger: LedgerCalls;
  let reader: Pick<LedgerReader, 'findIds'>;

  beforeEach(() => {
    ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    reader = { findIds: (places, ids) => Promise.resolve(ledger.findIds(places, ids)) };
  });
  afterEach(() => ledger.close());

  const found = async (text: string): Promise<string[]> =>
    (await storedIds(idsInText(text), reader, going)).map(({ id, place, start, end }) => {
      assert.equal(text.slice(start, end).toLowerCase(), id);
      return `${place.history}.${place.field} ${id}`;
    });

  it('are those of an order, a trade or a transaction, as the word before them says', async () => {
    saveRecords(ledger, 'orders', [anOrder({ orderId: '5', clientOrderId: uuid })]);
    saveRecords(ledger, 'trades', [aTrade({ tradeId: '6', orderId: '7' })]);
    saveRecords(ledger, 'futureTransactions', [aTransaction({ transactionId: '8' })]);
    assert.deepEqual(await found('order 5, trade 6, order 7, transaction 8'), [
      ...['orders.orderId 5', 'trades.orderId 7', 'trades.tradeId 6'],
      'futureTransactions.transactionId 8',
    ]);
    assert.deepEqual(await found('trade 5, order 6, transaction 7, order 8, 5 6 7 8'), []);
    assert.deepEqual(await found(`${uuid.toUpperCase()} ${uuid}`), [
      ...[`orders.clientOrderId ${uuid}`, `orders.clientOrderId ${uuid}`],
    ]);
  });

  it('are no others in random text, and all of those that stand in it here and there', async () => {
    const random = new RandomTexts();
    saveRecords(ledger, 'orders', random.orders);
    assert.ok((await random.linksIn(2 ** 20, reader)) > 10);
  });

  it('are looked up no further once the request is cancelled', async () => {
    const token = { isCancellationRequested: false };
    let asked = 0;
    const findIds: LedgerReader['findIds'] = (_places, ids) => {
      asked += 1;
      token.isCancellationRequested = true;
      return Promise.resolve(ids.map(() => 0));
    };
    const text = Array.from({ length: 20_000 }, (_none, index) => 10 ** 12 + index).join(' ');
    assert.deepEqual(await storedIds(idsInText(text), { findIds }, token), []);
    assert.equal(asked, 1);
  });
});
