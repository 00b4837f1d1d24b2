import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { receiptField, type Receipt } from '../../src/account/cancelAll/receipts.ts';
import { cancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { canceledText, rowsOf } from '../support/hostileExchange/rows.ts';

const openOrders = rowsOf('orders', 3);

type RequestOptions = {
  readonly deadlineMs?: number | undefined;
  /** Where the DELETE goes, if not where the account is. */
  readonly deleteUrl?: string;
};

/** A confirmed cancel-all over real HTTP; gives its first report. */
async function cancelAt(
  url: string,
  { deadlineMs = 20_000, deleteUrl = url }: RequestOptions = {},
): Promise<Receipt> {
  const client = clientFor({ url }, { fetcher });
  const deleter = clientFor({ url: deleteUrl }, { fetcher, deadlineMs });
  client.cancelAll = (room) => deleter.cancelAll(room);
  await client.exchangeInfo();
  const runner = cancelAllOverHttp({ client, url });
  await runner.cancelAll.run();
  runner.dispose();
  return runner.reports[0] ?? assert.fail('nothing was reported');
}

/** The symbols in which orders were locked when the account was read back last. */
const lockedAfter = ({ after }: Receipt) => after.at(-1)?.locked?.map(({ symbol }) => symbol);

const idsOf = (canceled: Receipt['canceled']) =>
  canceled.map((order) => receiptField(order, 'orderId'));

/** An order of another symbol than the others, placed when the account is read back. */
const [placed = assert.fail()] = rowsOf('orders', 1, {
  firstId: 9n,
  fields: () => ({ symbol: '"eth_usdt"' }),
});

const status = (code: number, body = '{"message":"no"}', headers = {}) =>
  ({ kind: 'status', status: code, body, headers }) as const;
/** Challenges that a client with a stored password would answer. */
const challenge = {
  'www-authenticate': 'Basic realm="x"',
  'proxy-authenticate': 'Basic realm="x"',
};

/** The default. A DELETE is sent in the same way by both. */
const fetcher = 'vscode';

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

  for (const [outcome, faults] of [
    ['partly', []],
    ['unknown', [{ on: 'cancelAll', fault: { kind: 'resetBeforeHeaders' } }]],
  ] as const)
    it(`is ${outcome} if an order is placed after it acted, and leaves that alone`, async () => {
      const exchange = await start({
        openOrders,
        faults,
        onRequest: ({ operation, nth }) => {
          if (operation === 'accounts' && nth === 2) exchange.place(placed);
        },
      });
      const receipt = await cancelAt(exchange.url);
      assert.deepEqual([receipt.outcome, lockedAfter(receipt)], [outcome, ['eth_usdt']]);
      assert.deepEqual(exchange.openOrders, [placed]);
      assert.equal(exchange.seen('cancelAll').length, 1);
    });

  for (const [code, words] of [
    ...[400, 401, 403, 404, 407, 422].map((one) => [one, 'not with this key'] as const),
    [401, 'Timestamp outside of recvWindow'],
  ] as const)
    it(`is refused by a ${code} in words, “${words}”; what was locked still is`, async () => {
      const fault = status(code, JSON.stringify({ message: words }), challenge);
      const exchange = await start({
        openOrders,
        faults: [{ on: 'cancelAll', beforeActing: true, fault }],
      });
      const receipt = await cancelAt(exchange.url);
      assert.deepEqual([receipt.outcome, receipt.failure?.serverWords], ['refused', words]);
      assert.deepEqual(lockedAfter(receipt), ['btc_usdt']);
      assert.equal(exchange.seen('cancelAll').length, 1);
    });

  it('is not sent if the server does not use TLS', async () => {
    const exchange = await start({ openOrders });
    const deleteUrl = exchange.url.replace('http:', 'https:');
    const { outcome, failure } = await cancelAt(exchange.url, { deleteUrl });
    assert.deepEqual(
      [outcome, failure?.sent, failure?.connection, failure?.detail],
      ['notSent', 'no', 'certificate', 'EPROTO'],
    );
    assert.equal(exchange.seen('cancelAll').length, 0);
  });

  it('is not sent if the port is closed or the host is unknown', async () => {
    const closed = await unreachable();
    const urls = [closed, closed.replace('127.0.0.1', 'localhost'), 'http://nobody.invalid'];
    for (const url of urls) {
      const exchange = await start({ openOrders });
      const { outcome, failure } = await cancelAt(exchange.url, { deleteUrl: url });
      assert.deepEqual([outcome, failure?.sent], ['notSent', 'no'], url);
      assert.equal(exchange.seen('cancelAll').length, 0);
    }
  });
});

/** An address that refuses connections. */
async function unreachable(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}
