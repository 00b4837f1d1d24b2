import assert from 'node:assert/strict';
import { dayMs, noon } from '../movableClock.ts';
import { assertRejected, historyPath, ServerUnderTest } from '../serverUnderTest.ts';

type Item = Record<string, unknown>;

const symbolAndSide = [
  ['symbol', 'eth_usdt', 'btc_usdt'],
  ['side', 'SELL', 'BUY'],
] as const;

/** The histories (sections 4.1 to 4.4 of the API document). */
const histories = [
  {
    path: historyPath,
    required: '&page=0',
    time: 'time',
    atLeast: 2000,
    filters: [['type', 'MARKET', 'LIMIT'], ...symbolAndSide],
    wrong: 'side=LONG type=STOP statuses=OPEN status=EXECUTED',
  },
  {
    path: '/api/v1/trades/history',
    required: '',
    time: 'time',
    atLeast: 5000,
    filters: symbolAndSide,
    wrong: 'side=LONG type=ORDER_BOOK',
  },
  {
    path: '/api/v1/liquidationAuction/history',
    required: '',
    time: 'updatedAt',
    atLeast: 20,
    filters: symbolAndSide,
    wrong: 'side=buy asset=btc',
  },
  {
    path: '/api/v1/transactions/history',
    required: '&accountType=FUTURE',
    time: 'time',
    atLeast: 3000,
    filters: [
      ['type', 'FUNDING_FEE', 'REWARD'],
      ['asset', 'eth', 'usdt'],
    ],
    wrong: 'type=INTEREST symbol=btc_usdt accountType=SPOT',
  },
] as const;

describe('the histories of the practice exchange', () => {
  let served: ServerUnderTest;
  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  for (const { path, required, time, atLeast, filters, wrong } of histories) {
    describe(`GET ${path}`, () => {
      const withRequired = (query: string) =>
        query.includes('page=') ? query + required.replace('&page=0', '') : query + required;
      const page = (query: string) => served.page<Item>(path, withRequired(query));
      const timesOf = (items: readonly Item[]) => items.map((item) => Number(item[time]));

      it('has pages of twenty rows, counted from 0, newest first', async () => {
        const [first, second] = [await page('page=0'), await page('page=1')];
        assert.deepEqual([first.content.length, first.size], [20, 20]);
        assert.ok(first.totalElements >= atLeast, String(first.totalElements));
        assert.equal(first.totalPages, Math.ceil(first.totalElements / 20));
        const times = timesOf([...first.content, ...second.content]);
        const newestFirst = times.toSorted((one, other) => other - one);
        assert.deepEqual(times, newestFirst);
        assert.deepEqual((await page(`page=${first.totalPages}`)).content, []);
        const last = await page(`page=${first.totalPages - 1}`);
        assert.equal(last.content.length, first.totalElements - 20 * (first.totalPages - 1));
      });

      it('accepts a size of up to 500', async () => {
        const whole = await page('size=14');
        assert.deepEqual([whole.size, whole.content.length], [14, 14]);
        const [one, two] = [await page('page=0&size=7'), await page('page=1&size=7')];
        assert.deepEqual([...one.content, ...two.content], whole.content);
        assert.equal((await page('size=123456789')).size, 500);
      });

      for (const [name, value, other] of filters) {
        it(`filters by ${name}`, async () => {
          const all = (await page('page=0')).totalElements;
          const one = await page(`size=500&${name}=${value}`);
          const rest = await page(`size=500&${name}=${other}`);
          assert.ok(one.content.every((item) => item[name] === value));
          assert.ok(rest.content.every((item) => item[name] === other));
          assert.ok(one.totalElements > 0 && rest.totalElements > 0);
          assert.ok(one.totalElements + rest.totalElements <= all);
        });
      }

      it('filters by a period that includes both ends, in ms or ISO 8601', async () => {
        const times = timesOf((await page('size=500&page=0')).content);
        const [to = 0, from = 0] = [times[10], times[40]];
        const expected = times.filter((one) => one >= from && one <= to);
        for (const written of [String, (one: number) => new Date(one).toISOString()]) {
          const found = await page(`size=500&dateFrom=${written(from)}&dateTo=${written(to)}`);
          assert.deepEqual(timesOf(found.content), expected);
        }
        assert.equal((await page(`dateTo=${noon - 200 * dayMs}`)).totalElements, 0);
      });

      it('rejects an invalid parameter and names it', async () => {
        const common =
          'page=first page=-1 size=0 size=ten dateFrom=today dateTo=2026-02-30 status=CANCELED';
        for (const query of `${common} ${wrong}`.split(' ')) {
          const name = query.replace(/=.*/, '');
          const answer = served.sendSigned(path, withRequired(query));
          await assertRejected(answer, 400, new RegExp(`\\b${name}\\b`));
        }
      });

      it('has ids with all digits and no number with an exponent', async () => {
        const { text } = await served.sendSigned(path, withRequired('size=500'));
        assert.match(text, /"(?:order|trade|lot|transaction)Id":\d{19}[,}]/);
        assert.doesNotMatch(text, /:-?[\d.]+[eE]/);
      });
    });
  }
});
