import assert from 'node:assert/strict';
import { AccountStore } from '../../src/account/accountStore.ts';
import { cancelAll, type CancelOutcome } from '../../src/account/cancelAll.ts';
import { Refresher } from '../../src/account/refresher.ts';
import { systemClock } from '../../src/base/clock.ts';
import { clientFor } from '../support/exchangeClient.ts';
import type { Fault } from '../support/hostileExchange/faults.ts';
import { canceledText, rowsOf } from '../support/hostileExchange/rows.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';

const openOrders = rowsOf('orders', 2);
const symbols = (outcome: CancelOutcome): readonly string[] =>
  'locked' in outcome ? (outcome.locked ?? []).map(({ symbol }) => symbol) : [];

async function cancelAllOf(exchange: HostileExchange): Promise<CancelOutcome> {
  const client = clientFor(exchange, { deadlineMs: 300 });
  const refresher = new Refresher({
    store: new AccountStore(),
    clock: systemClock,
    read: (signal, priority) => client.at(priority).accounts(signal),
  });
  try {
    return await cancelAll(client, refresher);
  } finally {
    refresher.dispose();
  }
}

const methods = ({ requests }: HostileExchange) => requests.map(({ method }) => method);

describe('a cancel-all', () => {
  const start = exchangesOfEachTest();
  const answeredBy = (fault: Fault, beforeActing = false) =>
    start({ openOrders, faults: [{ on: 'cancelAll', fault, beforeActing }] });

  const faults: Fault[] = [
    { kind: 'stallMidBody' },
    { kind: 'wrongLength', byBytes: 10 },
    { kind: 'cutJson' },
    { kind: 'emptyBody' },
  ];
  for (const fault of faults)
    it(`that acted and was answered by ${fault.kind} is unknown, sent once, and read back`, async () => {
      const exchange = await answeredBy(fault);
      const outcome = await cancelAllOf(exchange);
      assert.equal(outcome.kind, 'unknown');
      assert.deepEqual(symbols(outcome), []);
      assert.deepEqual(methods(exchange), ['DELETE', 'GET']);
    });

  it('whose answer is lost leaves an order alone that was placed meanwhile', async () => {
    const eth = { symbol: '"eth_usdt"' };
    const [placed] = rowsOf('orders', 1, { firstId: 9n, fields: () => eth });
    assert.ok(placed);
    const exchange = await start({
      openOrders,
      faults: [{ on: 'cancelAll', fault: { kind: 'resetBeforeHeaders' } }],
      onRequest: ({ operation }) => {
        if (operation === 'accounts') exchange.place(placed);
      },
    });
    const outcome = await cancelAllOf(exchange);
    assert.equal(outcome.kind, 'unknown');
    assert.deepEqual(symbols(outcome), ['eth_usdt']);
    assert.deepEqual(exchange.openOrders, [placed]);
    assert.deepEqual(methods(exchange), ['DELETE', 'GET']);
  });

  it('that is answered by an empty list while orders stay open is not done', async () => {
    const outcome = await cancelAllOf(await answeredBy({ kind: 'body', text: '[]' }, true));
    assert.equal(outcome.kind, 'partly');
    assert.deepEqual(symbols(outcome), ['btc_usdt']);
  });

  it('that fails for one of the orders says which record it could not read, and what is locked', async () => {
    const [first] = openOrders;
    const failed = '{"orderId":2,"error":"too late"}';
    const text = `[${first ? canceledText(first, '1763632800123') : ''},${failed}]`;
    const outcome = await cancelAllOf(await answeredBy({ kind: 'body', text }, true));
    assert.ok(outcome.kind === 'partly');
    assert.deepEqual(
      outcome.canceled.map(({ orderId }) => orderId),
      ['2'],
    );
    assert.deepEqual(
      outcome.badRecords.map(({ path }) => path),
      ['$[1]'],
    );
    assert.deepEqual(symbols(outcome), ['btc_usdt']);
  });

  it('that is done says what it cancelled, digit for digit', async () => {
    const json = { amount: '1E-7', price: '-0', filled: '1.10' };
    const rows = rowsOf('orders', 1, { firstId: 9007199254740993n, fields: () => json });
    const outcome = await cancelAllOf(await start({ openOrders: rows }));
    assert.ok(outcome.kind === 'done');
    const [{ orderId, amount, price, filled } = assert.fail('no order')] = outcome.canceled;
    assert.deepEqual([orderId, amount, price, filled], ['9007199254740993', '1E-7', '-0', '1.10']);
  });
});
