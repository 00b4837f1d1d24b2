import Big from 'big.js';
import assert from 'node:assert/strict';
import { noon } from '../movableClock.ts';
import { ServerUnderTest, assertRejected, historyPath, type Row } from '../serverUnderTest.ts';

describe('the operations of the practice exchange', () => {
  let served: ServerUnderTest;

  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  describe('order history', () => {
    it('filters by statuses, repeated or separated by commas', async () => {
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
      const sum = counts.reduce((total, count) => total + count);
      assert.equal((await served.rows('page=0')).totalElements, sum);
    });

    it('is empty for an unknown symbol', async () => {
      const empty = { content: [], size: 20, totalPages: 0, totalElements: 0 };
      assert.deepEqual(await served.rows('page=0&symbol=abc_usdt'), empty);
    });

    it('requires a page', async () => {
      await assertRejected(served.sendSigned(historyPath), 400, /\bpage\b/);
    });

    it('has amounts with all digits', async () => {
      const { text } = await served.sendSigned(historyPath, 'page=0&size=500&symbol=eth_usdt');
      assert.match(text, /"amount":\d+\.\d{18}[,}]/);
    });
  });

  describe('account and cancel-all', () => {
    it('have the fields of the API document', async () => {
      const { body } = await served.sendSigned('/api/v1/accounts');
      const account = body as Record<string, Record<string, unknown>[]>;
      const fields = (of = {}) => Object.keys(of).sort().join(' ');
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

    it('cancel every open order once', async () => {
      await using own = await ServerUnderTest.start();
      const first = await own.sendSigned('/api/v1/orders/all', '', 'DELETE');
      const canceled = first.body as (Row & { updatedAt: number })[];
      assert.equal(first.status, 200);
      assert.ok(canceled.length >= 8);
      for (const order of canceled) {
        assert.deepEqual([order.status, order.updatedAt], ['CANCELED', noon]);
        assert.ok(!('time' in order));
      }
      const account = (await own.sendSigned('/api/v1/accounts')).body as { orders: unknown[] };
      assert.deepEqual(account.orders, []);
      assert.equal((await own.rows(`page=0&dateFrom=${noon}`)).totalElements, canceled.length);
      assert.deepEqual((await own.sendSigned('/api/v1/orders/all', '', 'DELETE')).body, []);
    });

    it('have no parameters', async () => {
      await assertRejected(served.sendSigned('/api/v1/accounts', 'symbol=btc_usdt'), 400, /symbol/);
    });
  });

  it('returns limits, time and symbols without authentication', async () => {
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

  const listAt = async (path: string) => (await served.send(path)).body as Record<string, number>[];

  it('has leverage rules with the fields of the API document', async () => {
    const rules = await listAt('/api/v1/tradingRules/leverage');
    assert.equal(rules.length, 10);
    assert.deepEqual(rules[3], {
      leverage: 4,
      positionNotional: 1_000_000,
      maintenanceMargin: 12.5,
      initialMargin: 25,
    });
  });

  it('has fee tiers with the fields of the API document, and the tier of the account', async () => {
    const tiers = await listAt('/api/v1/feeTiers/structure');
    assert.deepEqual(tiers[0], { tier: 0, maker: 0.0002, volume30D: 0, taker: 0.0008 });
    const { body } = await served.sendSigned('/api/v1/accounts');
    const { feeTierStructure } = body as { feeTierStructure: number };
    const own = tiers.find(({ tier }) => tier === feeTierStructure);
    assert.ok(own);
    const trades = await served.page<Record<string, number>>('/api/v1/trades/history', 'size=50');
    for (const { amount, price, fee, maker } of trades.content) {
      const rate = maker ? own.maker : own.taker;
      assert.ok(rate !== undefined && amount !== undefined && price !== undefined);
      const expected = new Big(amount).times(price).times(rate);
      const difference = expected.minus(fee ?? 0).abs();
      assert.ok(difference.lt('0.0000001'));
    }
  });

  it('has no parameters for reference data', async () => {
    for (const path of ['/api/v1/tradingRules/leverage', '/api/v1/feeTiers/structure'])
      await assertRejected(served.send(`${path}?tier=1`), 400, /\btier\b/);
  });
});
