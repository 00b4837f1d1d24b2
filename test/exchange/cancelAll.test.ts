import assert from 'node:assert/strict';
import { receiptField, type Receipt } from '../../src/account/cancelAll/receipts.ts';
import { cancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { canceledText, rowsOf } from '../support/hostileExchange/rows.ts';

const openOrders = rowsOf('orders', 3);

/** A confirmed cancel-all over real HTTP; gives its first report. */
async function cancelAt(url: string): Promise<Receipt> {
  const client = clientFor({ url }, { fetcher: 'vscode' });
  await client.exchangeInfo();
  const runner = cancelAllOverHttp({ client, url });
  await runner.cancelAll.run();
  runner.dispose();
  return runner.reports[0] ?? assert.fail('nothing was reported');
}

const idsOf = (canceled: Receipt['canceled']) =>
  canceled.map((order) => receiptField(order, 'orderId'));

describe('a cancel-all', () => {
  const start = exchangesOfEachTest();

  it('is done when nothing is locked any more', async () => {
    const exchange = await start({ openOrders });
    const { outcome, canceled, before } = await cancelAt(exchange.url);
    assert.deepEqual([outcome, before.locked.length], ['done', 1]);
    assert.deepEqual(idsOf(canceled).toSorted(), ['1', '2', '3']);
    assert.equal(exchange.seen('cancelAll').length, 1);
    assert.deepEqual(
      exchange.requests.map(({ operation }) => operation).filter((one) => one !== 'exchangeInfo'),
      ['accounts', 'cancelAll', 'accounts'],
    );
  });

  it('says what it cancelled, digit for digit', async () => {
    const fields = () => ({ amount: '1E-7', price: '-0', filled: '1.10' });
    const rows = rowsOf('orders', 1, { firstId: 9007199254740993n, fields });
    const exchange = await start({ openOrders: rows });
    const { outcome, canceled } = await cancelAt(exchange.url);
    const [order = assert.fail('no order')] = canceled;
    assert.equal(outcome, 'done');
    assert.deepEqual(
      ['orderId', 'amount', 'price', 'filled'].map((name) => receiptField(order, name)),
      ['9007199254740993', '1E-7', '-0', '1.10'],
    );
  });

  it('keeps an order with an unreadable figure as received too', async () => {
    const [first = assert.fail(), second = assert.fail()] = openOrders;
    const whole = canceledText(first, '1763632800123');
    const broken = canceledText(second, '1763632800123').replace(
      /"amount":[^,]+/,
      '"amount":[1.10]',
    );
    const exchange = await start({ answers: { cancelAll: `[${whole},${broken}]` } });
    const { outcome, canceled, unread } = await cancelAt(exchange.url);
    assert.deepEqual([outcome, canceled.length, unread.length], ['done', 2, 1]);
    const record = new Map(unread[0]?.record);
    const found = ['orderId', 'status', 'amount', 'updatedAt'].map((name) => record.get(name));
    assert.deepEqual(found, ['2', 'CANCELED', '[1.10]', '1763632800123']);
  });
});
