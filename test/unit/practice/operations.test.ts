import assert from 'node:assert/strict';
import { dayMs, noon } from './movableClock.ts';
import { assertRefused, historyPath, ServedVenue, type Row } from './servedVenue.ts';

describe('the operations of the practice exchange', () => {
  let served: ServedVenue;

  before(async () => {
    served = await ServedVenue.start();
  });
  after(() => served.close());

  describe('order history', () => {
    it('pages from 0, twenty at a time, newest first', async () => {
      const first = await served.rows('page=0');
      const second = await served.rows('page=1');
      assert.deepEqual([first.content.length, first.size], [20, 20]);
      assert.ok(first.totalElements >= 2000);
      assert.equal(first.totalPages, Math.ceil(first.totalElements / 20));
      const times = [...first.content, ...second.content].map(({ time }) => time);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      );
      assert.deepEqual((await served.rows(`page=${first.totalPages}`)).content, []);
      const last = await served.rows(`page=${first.totalPages - 1}`);
      assert.equal(last.content.length, first.totalElements - 20 * (first.totalPages - 1));
    });

    it('takes a size, cut to 500', async () => {
      assert.equal((await served.rows('page=0&size=7')).content.length, 7);
      const large = await served.rows('page=0&size=9999');
      assert.deepEqual([large.size, large.content.length], [500, 500]);
    });

    for (const [name, value, other] of [
      ['symbol', 'eth_usdt', 'btc_usdt'],
      ['type', 'MARKET', 'LIMIT'],
      ['side', 'SELL', 'BUY'],
    ] as const) {
      it(`is narrowed by ${name}`, async () => {
        const all = (await served.rows('page=0')).totalElements;
        const one = await served.rows(`page=0&size=500&${name}=${value}`);
        assert.ok(one.content.every((row) => row[name] === value));
        const rest = await served.rows(`page=0&${name}=${other}`);
        assert.ok(one.totalElements > 0 && rest.totalElements > 0);
        assert.ok(one.totalElements + rest.totalElements <= all);
      });
    }

    it('is narrowed by statuses, repeated or separated by commas', async () => {
      const names = ['PARTIALLY_EXECUTED', 'EXECUTED', 'CANCELED', 'LIQUIDATED'];
      const counts = [];
      for (const name of names) {
        const page = await served.rows(`page=0&size=500&statuses=${name}`);
        assert.ok(page.content.length > 0 && page.content.every(({ status }) => status === name));
        counts.push(page.totalElements);
      }
      const [partial = 0, , , liquidated = 0] = counts;
      for (const list of [
        'statuses=LIQUIDATED&statuses=PARTIALLY_EXECUTED',
        'statuses=LIQUIDATED,PARTIALLY_EXECUTED',
      ]) {
        assert.equal((await served.rows(`page=0&${list}`)).totalElements, partial + liquidated);
      }
      const all = (await served.rows('page=0')).totalElements;
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        all,
      );
    });

    it('is narrowed by a period whose ends belong to it, in ms or ISO 8601', async () => {
      const times = (await served.rows('page=0&size=50')).content.map(({ time }) => time);
      const [to = 0, from = 0] = [times[10], times[30]];
      for (const written of [String, (time: number) => new Date(time).toISOString()]) {
        const found = await served.rows(
          `page=0&size=50&dateFrom=${written(from)}&dateTo=${written(to)}`,
        );
        assert.deepEqual(
          found.content.map(({ time }) => time),
          times.slice(10, 31),
        );
      }
      assert.equal((await served.rows(`page=0&dateTo=${noon - 200 * dayMs}`)).totalElements, 0);
    });

    it('of a symbol that does not exist is empty', async () => {
      assert.deepEqual(await served.rows('page=0&symbol=abc_usdt'), {
        content: [],
        size: 20,
        totalPages: 0,
        totalElements: 0,
      });
    });

    it('refuses by name what it cannot read', async () => {
      for (const [query, name] of [
        ['', 'page'],
        ['page=first', 'page'],
        ['page=-1', 'page'],
        ['page=0&size=0', 'size'],
        ['page=0&side=LONG', 'side'],
        ['page=0&type=STOP', 'type'],
        ['page=0&statuses=OPEN', 'statuses'],
        ['page=0&dateFrom=today', 'dateFrom'],
        ['page=0&dateTo=2026-99-01T00:00:00Z', 'dateTo'],
        ['page=0&status=EXECUTED', 'status'],
      ] as const) {
        await assertRefused(
          served.sendSigned(historyPath, query),
          400,
          new RegExp(`\\b${name}\\b`),
        );
      }
    });

    it('writes ids and amounts with every digit', async () => {
      const { text } = await served.sendSigned(historyPath, 'page=0&size=500&symbol=eth_usdt');
      assert.match(text, /"orderId":\d{19}[,}]/);
      assert.match(text, /"amount":\d+\.\d{18}[,}]/);
      assert.doesNotMatch(text, /:-?[\d.]+[eE]/);
    });

    it('has the fields of the document', async () => {
      const [row] = (await served.rows('page=0')).content;
      const fields =
        'amount averageExecutionPrice clientOrderId filled orderId price side status symbol time type';
      assert.equal(
        Object.keys(row ?? {})
          .sort()
          .join(' '),
        fields,
      );
    });
  });

  describe('account and cancel-all', () => {
    it('has the fields of the document', async () => {
      const { body } = await served.sendSigned('/api/v1/accounts');
      const account = body as Record<string, Record<string, unknown>[]>;
      const fields = (of: object | undefined) =>
        Object.keys(of ?? {})
          .sort()
          .join(' ');
      assert.equal(
        fields(account),
        'assets equity feeTierDiscount feeTierStructure orders positions tradeFeeAsset upl',
      );
      assert.equal(fields(account.assets?.[0]), 'deposited isMargin locked margin name');
      assert.equal(fields(account.orders?.[0]), 'lockedAsk lockedBid sumSizeAsk sumSizeBid symbol');
      assert.equal(
        fields(account.positions?.[0]),
        'amount basePrice leverage liquidationPrice lockedBalance marginMode markPrice symbol upl uplPercentage',
      );
    });

    it('cancels every open order once', async () => {
      await using own = await ServedVenue.start();
      const first = await own.sendSigned('/api/v1/orders/all', '', 'DELETE');
      const canceled = first.body as (Row & { updatedAt: number })[];
      assert.equal(first.status, 200);
      assert.ok(canceled.length >= 8);
      for (const order of canceled) {
        assert.deepEqual(
          [order.status, order.updatedAt, 'time' in order],
          ['CANCELED', noon, false],
        );
      }
      const account = (await own.sendSigned('/api/v1/accounts')).body as { orders: unknown[] };
      assert.deepEqual(account.orders, []);
      assert.equal((await own.rows(`page=0&dateFrom=${noon}`)).totalElements, canceled.length);
      assert.deepEqual((await own.sendSigned('/api/v1/orders/all', '', 'DELETE')).body, []);
    });

    it('takes no parameters', async () => {
      await assertRefused(served.sendSigned('/api/v1/accounts', 'symbol=btc_usdt'), 400, /symbol/);
    });
  });

  it('tells its limits, time and symbols to anybody', async () => {
    const { status, body } = await served.send('/api/v1/system/exchangeInfo');
    const { symbols, ...rest } = body as { symbols: unknown[] };
    assert.equal(status, 200);
    assert.deepEqual(rest, {
      rateLimits: [
        { intervalNum: 1, limit: 100_000, interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
      ],
      timezone: 'UTC',
      serverTime: noon,
    });
    assert.equal(symbols.length, 6);
    assert.deepEqual(symbols[0], {
      symbol: 'btc_usdt',
      marginAsset: 'usdt',
      baseAsset: 'BTC',
      pair: 'BTC/USDT',
      quoteAsset: 'usdt',
      status: 'TRADING',
    });
  });
}).timeout(10_000);
