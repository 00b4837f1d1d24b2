import assert from 'node:assert/strict';
import Big from 'big.js';
import { dayMs, noon } from './movableClock.ts';
import { assertRefused, ServedVenue } from './servedVenue.ts';

type Item = Record<string, unknown>;

/** What the histories of sections 4.2 to 4.4 have in common, and how each of them differs. */
const histories = [
  {
    path: '/api/v1/trades/history',
    always: '',
    time: 'time',
    fields: 'amount fee feeAsset maker orderId price rpnl side symbol time tradeId type',
    atLeast: 5000,
    filters: [
      ['symbol', 'eth_usdt', 'btc_usdt'],
      ['side', 'SELL', 'BUY'],
    ],
    wrong: [
      ['side=LONG', 'side'],
      ['type=ORDER_BOOK', 'type'],
    ],
  },
  {
    path: '/api/v1/liquidationAuction/history',
    always: '',
    time: 'updatedAt',
    fields:
      'amount averageLiquidationPrice discount lotId marginCallPrice side symbol totalBids updatedAt',
    atLeast: 20,
    filters: [
      ['symbol', 'eth_usdt', 'btc_usdt'],
      ['side', 'SELL', 'BUY'],
    ],
    wrong: [
      ['side=buy', 'side'],
      ['asset=btc', 'asset'],
    ],
  },
  {
    path: '/api/v1/transactions/history',
    always: '&accountType=FUTURE',
    time: 'time',
    fields: 'amount asset link time transactionId transactionUuid type',
    atLeast: 3000,
    filters: [
      ['type', 'FUNDING_FEE', 'REWARD'],
      ['asset', 'eth', 'usdt'],
    ],
    wrong: [
      ['type=INTEREST', 'type'],
      ['symbol=btc_usdt', 'symbol'],
      ['accountType=SPOT', 'accountType'],
    ],
  },
] as const;

for (const { path, always, time, fields, atLeast, filters, wrong } of histories) {
  describe(`GET ${path}`, () => {
    let served: ServedVenue;
    before(async () => {
      served = await ServedVenue.start();
    });
    after(() => served.close());

    const page = (query: string) => served.page<Item>(path, `${query}${always}`);
    const timesOf = (items: readonly Item[]) => items.map((item) => Number(item[time]));

    it('pages from 0, twenty at a time, newest first', async () => {
      const [first, second] = [await page('page=0'), await page('page=1')];
      assert.deepEqual([first.content.length, first.size], [20, 20]);
      assert.ok(first.totalElements >= atLeast, String(first.totalElements));
      assert.equal(first.totalPages, Math.ceil(first.totalElements / 20));
      const times = timesOf([...first.content, ...second.content]);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      );
      assert.deepEqual((await page(`page=${first.totalPages}`)).content, []);
      const last = await page(`page=${first.totalPages - 1}`);
      assert.equal(last.content.length, first.totalElements - 20 * (first.totalPages - 1));
    });

    it('needs no page, which then is the first', async () => {
      assert.deepEqual(await page('size=5'), await page('page=0&size=5'));
    });

    it('takes a size, cut to 500', async () => {
      const whole = await page('size=14');
      assert.deepEqual([whole.size, whole.content.length], [14, 14]);
      const [one, two] = [await page('page=0&size=7'), await page('page=1&size=7')];
      assert.deepEqual([...one.content, ...two.content], whole.content);
      assert.equal((await page('size=123456789')).size, 500);
    });

    it('has the fields of the document', async () => {
      for (const item of (await page('size=50')).content)
        assert.equal(Object.keys(item).sort().join(' '), fields);
    });

    for (const [name, value, other] of filters) {
      it(`is narrowed by ${name}`, async () => {
        const all = (await page('page=0')).totalElements;
        const one = await page(`size=500&${name}=${value}`);
        const rest = await page(`size=500&${name}=${other}`);
        assert.ok(one.content.every((item) => item[name] === value));
        assert.ok(rest.content.every((item) => item[name] === other));
        assert.ok(one.totalElements > 0 && rest.totalElements > 0);
        assert.ok(one.totalElements + rest.totalElements <= all);
      });
    }

    it('is narrowed by a period whose ends belong to it, in ms or ISO 8601', async () => {
      const times = timesOf((await page('size=500&page=0')).content);
      const [to = 0, from = 0] = [times[10], times[40]];
      const expected = times.filter((one) => one >= from && one <= to);
      for (const written of [String, (one: number) => new Date(one).toISOString()]) {
        const found = await page(`size=500&dateFrom=${written(from)}&dateTo=${written(to)}`);
        assert.deepEqual(timesOf(found.content), expected);
      }
      assert.equal((await page(`dateTo=${noon - 200 * dayMs}`)).totalElements, 0);
    });

    it('is narrowed to whole UTC days by dates without a time', async () => {
      const [day, next] = ['2026-11-18', '2026-11-19'];
      const found = await page(`size=500&dateFrom=${day}&dateTo=${day}`);
      assert.ok(found.totalElements > 0);
      const [from, to] = [Date.parse(day), Date.parse(next) - 1];
      assert.ok(timesOf(found.content).every((one) => one >= from && one <= to));
      const same = await page(`dateFrom=${from}&dateTo=${to}`);
      const both = await page(`dateFrom=${day}&dateTo=${next}`);
      const second = await page(`dateFrom=${next}&dateTo=${next}`);
      assert.equal(same.totalElements, found.totalElements);
      assert.equal(both.totalElements, found.totalElements + second.totalElements);
    });

    it('refuses by name what it cannot read', async () => {
      const all: (readonly [string, string])[] = [
        ['page=first', 'page'],
        ['page=-1', 'page'],
        ['size=0', 'size'],
        ['size=ten', 'size'],
        ['dateFrom=today', 'dateFrom'],
        ['dateTo=2026-02-30', 'dateTo'],
        ['status=EXECUTED', 'status'],
        ...wrong,
      ];
      for (const [query, name] of all) {
        const answer = served.sendSigned(path, `${query}${always}`);
        await assertRefused(answer, 400, new RegExp(`\\b${name}\\b`));
      }
    });

    it('writes ids with every digit and no number with an exponent', async () => {
      const { text } = await served.sendSigned(path, `size=500${always}`);
      assert.match(text, /"(?:trade|lot|transaction)Id":\d{19}[,}]/);
      assert.doesNotMatch(text, /:-?[\d.]+[eE]/);
    });
  }).timeout(10_000);
}

describe('GET /api/v1/transactions/history of an account', () => {
  let served: ServedVenue;
  before(async () => {
    served = await ServedVenue.start();
  });
  after(() => served.close());

  it('needs to be told which, and refuses any other', async () => {
    const path = '/api/v1/transactions/history';
    await assertRefused(served.sendSigned(path), 400, /\baccountType\b.*required/);
    await assertRefused(served.sendSigned(path, 'accountType=MARGIN'), 400, /\baccountType\b/);
  });

  it('is that of SPOT or of FUTURE', async () => {
    const path = '/api/v1/transactions/history';
    const spot = await served.page<Item>(path, 'accountType=SPOT&type=DEPOSIT');
    const future = await served.page<Item>(path, 'accountType=FUTURE&type=FEE');
    assert.ok(spot.totalElements > 0 && future.totalElements > 0);
    assert.equal((await served.page(path, 'accountType=FUTURE&type=DEPOSIT')).totalElements, 0);
    assert.equal((await served.page(path, 'accountType=SPOT&type=FEE')).totalElements, 0);
  });
}).timeout(10_000);

describe('the reference data of the practice exchange', () => {
  let served: ServedVenue;
  before(async () => {
    served = await ServedVenue.start();
  });
  after(() => served.close());

  const listAt = async (path: string) => (await served.send(path)).body as Record<string, number>[];

  it('has leverage rules with the fields of the document', async () => {
    const rules = await listAt('/api/v1/tradingRules/leverage');
    assert.equal(rules.length, 10);
    assert.deepEqual(rules[3], {
      leverage: 4,
      positionNotional: 1_000_000,
      maintenanceMargin: 12.5,
      initialMargin: 25,
    });
  });

  it('has fee tiers with the fields of the document, and the tier of the account', async () => {
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
      assert.ok(
        expected
          .minus(fee ?? 0)
          .abs()
          .lt('0.0000001'),
      );
    }
  });

  it('takes no parameters', async () => {
    for (const path of ['/api/v1/tradingRules/leverage', '/api/v1/feeTiers/structure'])
      await assertRefused(served.send(`${path}?tier=1`), 400, /\btier\b/);
  });
}).timeout(10_000);
