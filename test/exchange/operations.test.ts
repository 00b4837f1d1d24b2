import assert from 'node:assert/strict';
import Big from 'big.js';
import { sum } from '../../src/base/decimal.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { OrderQuery } from '../../src/exchange/queries.ts';
import type { Order } from '../../src/exchange/records.ts';
import { serveExchange, type ServedExchange } from '../../src/practice/serve.ts';
import { clientFor } from '../support/exchangeClient.ts';

const seed = 7;

describe('the client and the practice exchange', () => {
  let exchange: ServedExchange;
  let client: ExchangeClient;

  before(async () => {
    exchange = await serveExchange({ seed, weightLimit: 1_000_000 });
    client = clientFor(exchange);
  });
  after(() => exchange.close());

  const orders = async (query: Partial<OrderQuery> = {}) =>
    (await client.orders({ page: 0, ...query })).value;
  const rows = async (query: Partial<OrderQuery> = {}): Promise<readonly Order[]> =>
    (await orders(query)).content;

  describe('GET /api/v1/accounts', () => {
    it('gives an account in which every record is readable and the sums agree', async () => {
      const { value: account, badRecords } = await client.accounts();
      assert.deepEqual(badRecords, []);
      assert.ok(account.positions.length >= 3);
      assert.ok(account.orders.length >= 1);
      const upls = account.positions.map(({ upl }) => upl);
      assert.ok(new Big(sum(upls)).eq(account.upl), `${sum(upls)} and ${account.upl}`);
      assert.ok(account.assets.some(({ isMargin }) => isMargin));
      assert.deepEqual(account.extra, {});
    });
  });

  describe('GET /api/v1/system/exchangeInfo', () => {
    it('gives symbols and the limit, and needs no key', async () => {
      const { value: information } = await clientFor({ url: exchange.url }).exchangeInfo();
      assert.equal(information.rateLimits[0]?.limit, '1000000');
      assert.equal(information.rateLimits[0].rateLimitType, 'HARD_LIMIT');
      assert.equal(information.timezone, 'UTC');
      const symbols = information.symbols.map(({ symbol }) => symbol);
      const traded = (await rows({ size: 100 })).map(({ symbol }) => symbol);
      for (const symbol of traded) assert.ok(symbols.includes(symbol), symbol);
    });
  });

  describe('GET /api/v1/orders/history', () => {
    it('gives the newest 20 of at least 2,000 orders when asked for page 0', async () => {
      const page = await orders();
      assert.equal(page.content.length, 20);
      assert.equal(page.size, '20');
      assert.ok(Number(page.totalElements) >= 2000);
      assert.equal(Number(page.totalPages), Math.ceil(Number(page.totalElements) / 20));
      const times = page.content.map(({ time }) => time);
      assert.deepEqual(times, [...times].sort().reverse());
    });

    it('keeps ids beyond 2^53 apart', async () => {
      const ids = (await rows({ size: 100 })).map(({ orderId }) => orderId);
      assert.ok(ids.every((id) => BigInt(id) > 2n ** 53n && !Number.isSafeInteger(Number(id))));
      assert.equal(new Set(ids).size, ids.length);
    });

    it('pages: page and size', async () => {
      const ids = (list: readonly Order[]) => list.map(({ orderId }) => orderId);
      // A moment that is over, so that no new order moves the pages between the calls.
      const dateTo = Date.now() - 86_400_000;
      const both = ids(await rows({ dateTo, size: 20 }));
      assert.deepEqual(ids(await rows({ dateTo, size: 10, page: 0 })), both.slice(0, 10));
      assert.deepEqual(ids(await rows({ dateTo, size: 10, page: 1 })), both.slice(10));
    });

    it('filters by symbol', async () => {
      const [first] = await rows();
      const symbol = first?.symbol ?? '';
      const filtered = await orders({ symbol, size: 100 });
      assert.deepEqual([...new Set(filtered.content.map((order) => order.symbol))], [symbol]);
      assert.ok(Number(filtered.totalElements) < Number((await orders()).totalElements));
      assert.deepEqual(await rows({ symbol: 'none_usdt' }), []);
    });

    for (const [parameter, values] of [
      ['type', ['LIMIT', 'MARKET']],
      ['side', ['BUY', 'SELL']],
    ] as const) {
      it(`filters by ${parameter}`, async () => {
        for (const value of values) {
          const found = await rows({ [parameter]: value, size: 100 });
          assert.deepEqual([...new Set(found.map((order) => order[parameter]))], [value]);
        }
      });
    }

    for (const lists of ['repeat', 'comma'] as const) {
      it(`filters by one and by several statuses, written by ${lists}`, async () => {
        const asking = clientFor(exchange, { dialect: { lists } });
        for (const statuses of [['LIQUIDATED'], ['CANCELED', 'PARTIALLY_EXECUTED']]) {
          const { content } = (await asking.orders({ page: 0, size: 500, statuses })).value;
          const seen = new Set(content.map(({ status }) => status));
          assert.deepEqual([...seen].sort(), [...statuses].sort());
        }
      });
    }

    for (const dates of ['epochMs', 'isoInstant'] as const) {
      it(`filters by dateFrom and dateTo, written as ${dates}`, async () => {
        const asking = clientFor(exchange, { dialect: { dates } });
        const dateTo = Date.now() - 7 * 86_400_000;
        const dateFrom = dateTo - 86_400_000;
        const { content, totalElements } = (
          await asking.orders({ page: 0, size: 500, dateFrom, dateTo })
        ).value;
        assert.ok(content.length > 0);
        assert.equal(totalElements, String(content.length));
        for (const { time } of content)
          assert.ok(Number(time) >= dateFrom && Number(time) <= dateTo, time);
        const until = (await orders({ dateTo })).totalElements;
        const after = (await orders({ dateFrom })).totalElements;
        assert.ok(Number(until) > content.length && Number(after) > content.length);
      });
    }

    it('finds every status, side and type of the document within 90 days', async () => {
      for (const status of ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'])
        assert.ok((await rows({ statuses: [status] })).length > 0, status);
    });
  });

  describe('DELETE /api/v1/orders/all', () => {
    it('cancels every open order, which then stands in the history and locks nothing', async () => {
      const before = (await client.accounts()).value.orders;
      const { value: canceled, badRecords } = await client.cancelAll();
      assert.deepEqual(badRecords, []);
      assert.ok(canceled.length > 0);
      assert.ok(canceled.every(({ status }) => status === 'CANCELED'));
      assert.deepEqual(
        [...new Set(canceled.map(({ symbol }) => symbol))].sort(),
        before.map(({ symbol }) => symbol).sort(),
      );
      assert.deepEqual((await client.accounts()).value.orders, []);
      const history = await rows({ statuses: ['CANCELED'], size: 100 });
      for (const { orderId, updatedAt } of canceled)
        assert.equal(history.find((order) => order.orderId === orderId)?.time, updatedAt);
      assert.deepEqual((await client.cancelAll()).value, []);
    });
  });
});
