import assert from 'node:assert/strict';
import { noon } from '../movableClock.ts';
import { ServerUnderTest, assertRejected, historyPath } from '../serverUnderTest.ts';

describe('the operations of the practice exchange', () => {
  let served: ServerUnderTest;

  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  it('filters the order history by statuses, repeated or separated by commas', async () => {
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

  it('rejects a missing parameter, and one that it does not have', async () => {
    const transactions = '/api/v1/transactions/history';
    for (const [path, query, problem] of [
      [historyPath, '', /\bpage\b/],
      [transactions, '', /\baccountType\b.*required/],
      [transactions, 'accountType=MARGIN', /\baccountType\b/],
      ['/api/v1/accounts', 'symbol=btc_usdt', /\bsymbol\b/],
      ['/api/v1/tradingRules/leverage', 'tier=1', /\btier\b/],
      ['/api/v1/feeTiers/structure', 'tier=1', /\btier\b/],
    ] as const)
      await assertRejected(served.sendSigned(path, query), 400, problem);
  });
});
