import assert from 'node:assert/strict';
import type { Fault } from '../../support/hostileExchange/faults.ts';
import { asDate, inSeconds } from '../../support/hostileExchange/limit.ts';
import { minuteLimit } from '../../support/hostileExchange/options.ts';
import type { Reading } from '../../support/hostileExchange/reading.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangesOfEachTest, type HostileExchange } from '../../support/hostileExchange.ts';

const lots = '/api/v1/liquidationAuction/history';
const orders = '/api/v1/orders/history';
const newestAt = 1_700_000_000_000;

type PageText = { content?: { lotId: number }[]; totalElements?: unknown };

async function ask({ url }: HostileExchange, target: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${target}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function ids(exchange: HostileExchange, query: string): Promise<number[]> {
  const { status, text } = await ask(exchange, `${lots}?${query}`);
  if (status !== 200) return [-status];
  return (JSON.parse(text) as Required<PageText>).content.map(({ lotId }) => lotId);
}

describe('the hostile exchange', () => {
  const start = exchangesOfEachTest();
  const reading = (own: Partial<Reading>, rows = 5) =>
    start({ reading: own, rows: { lots: rows } });

  it('serves the nine operations, and nothing else', async () => {
    const exchange = await start({ rows: { orders: 1, trades: 1, lots: 1, transactions: 1 } });
    const histories = [`${orders}?page=0`, '/api/v1/trades/history', lots];
    for (const path of [...histories, '/api/v1/transactions/history?accountType=SPOT'])
      assert.match((await ask(exchange, path)).text, /"totalElements":1/);
    const reference = ['system/exchangeInfo', 'tradingRules/leverage', 'feeTiers/structure'];
    for (const path of ['accounts', ...reference])
      JSON.parse((await ask(exchange, `/api/v1/${path}`)).text);
    await ask(exchange, '/api/v1/orders/all', { method: 'DELETE' });
    assert.equal((await ask(exchange, '/api/v1/orders/all')).status, 404);
    assert.equal((await ask(exchange, '/api/v1/transactions/history')).status, 400);
    assert.deepEqual(
      exchange.requests.map(({ weight }) => weight),
      [10, 10, 10, 10, 5, 1, 1, 1, 5, 10],
    );
  });

  it('writes numbers digit for digit', async () => {
    const json = { amount: '1E-7', discount: '-0', totalBids: '"3"', marginCallPrice: '1.10' };
    const rows = rowsOf('lots', 1, { firstId: 9007199254740993n, fields: () => json });
    const { text } = await ask(await start({ rows: { lots: rows } }), lots);
    assert.match(text, /"lotId":9007199254740993,/);
    for (const [name, value] of Object.entries(json))
      assert.ok(text.includes(`"${name}":${value}`));
  });

  const bases: [Reading['firstPage'], ...number[][]][] = [
    [0, [5, 4], [3, 2], [1], []],
    [1, [-400], [5, 4], [3, 2], [1]],
    ['oneClampsZero', [5, 4], [5, 4], [3, 2], [1]],
    ['oneLeavesZeroEmpty', [], [5, 4], [3, 2], [1]],
    ['zero404PastEnd', [5, 4], [3, 2], [1], [-404]],
  ];
  for (const [firstPage, ...pages] of bases)
    it(`counts pages from ${firstPage}`, async () => {
      const exchange = await reading({ firstPage });
      for (const [page, found] of pages.entries())
        assert.deepEqual(await ids(exchange, `size=2&page=${page}`), found);
    });

  const day = new Date(newestAt).toISOString().slice(0, 10);
  const wordings: [Reading['dates'][number], string][] = [
    ['epochMs', String(newestAt - 2000)],
    ['epochS', String(newestAt / 1000 - 2)],
    ['isoInstant', new Date(newestAt - 2000).toISOString()],
    ['isoLocal', '2023-11-14T23:13:18'],
    ['isoDate', day],
  ];
  for (const [form, text] of wordings)
    it(`reads dates as ${form}, and refuses or ignores others`, async () => {
      const timezone = 'Europe/Berlin';
      const own = await reading({ dates: [form], timezone });
      assert.deepEqual(
        await ids(own, `dateFrom=${text}`),
        form === 'isoDate' ? [5, 4, 3, 2, 1] : [5, 4, 3],
      );
      const other = form === 'isoDate' ? 'soon' : 'yesterday';
      assert.deepEqual(await ids(own, `dateFrom=${other}`), [-400]);
      const ignoring = await reading({ dates: [form], timezone, otherDates: 'ignored' });
      assert.equal((await ids(ignoring, `dateFrom=${other}`)).length, 5);
    });

  it('reads any number as its one unit', async () => {
    const exchange = await reading({ dates: ['epochS'] });
    assert.deepEqual(await ids(exchange, `dateFrom=${newestAt}`), []);
  });

  it('includes or excludes dateTo; a date is a whole day', async () => {
    const to = `dateTo=${newestAt - 3000}`;
    assert.deepEqual(await ids(await reading({}), to), [2, 1]);
    assert.deepEqual(await ids(await reading({ dateTo: 'exclusive' }), to), [1]);
    assert.equal((await ids(await reading({}), `dateTo=${day}`)).length, 5);
    assert.deepEqual(await ids(await reading({ dateTo: 'exclusive' }), `dateTo=${day}`), []);
  });

  const statuses = ['EXECUTED', 'CANCELED', 'LIQUIDATED'];
  const twoOf = {
    repeat: 'statuses=EXECUTED&statuses=CANCELED',
    comma: 'statuses=EXECUTED,CANCELED',
    brackets: 'statuses[]=EXECUTED&statuses[]=CANCELED',
  };
  for (const form of ['repeat', 'comma', 'brackets'] as const)
    it(`reads lists as ${form}; refuses or ignores others, or takes their last value`, async () => {
      const fields = (index: number) => ({ status: JSON.stringify(statuses[index]) });
      const rows = { orders: rowsOf('orders', 3, { fields }) };
      const found = async (otherLists: Reading['otherLists'], query: string) => {
        const exchange = await start({ rows, reading: { lists: [form], otherLists } });
        const { status, text } = await ask(exchange, `${orders}?page=0&${query}`);
        return status === 200
          ? (JSON.parse(text) as { totalElements: number }).totalElements
          : status;
      };
      for (const [name, query] of Object.entries(twoOf)) {
        const answers = [];
        for (const other of ['refused', 'ignored', 'lastValueOnly'] as const)
          answers.push(await found(other, query));
        assert.deepEqual(answers, name === form ? [2, 2, 2] : [400, 3, 1]);
      }
    });

  it('caps a page, or refuses a larger one, or a longer range', async () => {
    assert.equal((await ids(await reading({ maxPageSize: 3 }), 'size=5')).length, 3);
    const own = await reading({ maxPageSize: 3, largerPages: 'refused', maxRangeDays: 1 });
    assert.deepEqual(await ids(own, 'size=5'), [-400]);
    const from = `dateFrom=${newestAt - 86_400_000}&dateTo=`;
    assert.equal((await ids(own, `${from}${newestAt}`)).length, 3);
    assert.deepEqual(await ids(own, `${from}${newestAt + 1}`), [-400]);
  });

  it('sorts in either order or none; equal times may change places', async () => {
    assert.deepEqual(await ids(await reading({ sort: 'oldestFirst' }), ''), [1, 2, 3, 4, 5]);
    const none = await reading({ sort: 'none' }, 9);
    assert.deepEqual(await ids(none, ''), await ids(none, ''));
    assert.notDeepEqual(await ids(none, ''), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const tied = rowsOf('lots', 9, { tied: 9 });
    const unstable = await start({ rows: { lots: tied }, reading: { ties: 'unstable' } });
    const [one, other] = [await ids(unstable, ''), await ids(unstable, '')];
    assert.notDeepEqual(one, other);
    assert.deepEqual(one.sort(), other.sort());
  });

  const totals: [Reading['totals'], unknown][] = [
    ['true', 5],
    ['minusOne', -1],
    ['string', '5'],
    ['null', null],
    ['missing', undefined],
    ['shrinking', 4],
    [{ atMost: 2 }, 2],
    [{ always: 77 }, 77],
  ];
  for (const [reported, expected] of totals)
    it(`reports totals of 5 rows as ${JSON.stringify(reported)}`, async () => {
      const { text } = await ask(await reading({ totals: reported }), lots);
      assert.equal((JSON.parse(text) as PageText).totalElements, expected);
    });

  it('writes times in its unit, and ignores filters', async () => {
    for (const [times, text] of [
      ['ms', '1700000000000'],
      ['s', '1700000000'],
      ['us', '1700000000000000'],
    ] as const) {
      const exchange = await reading({ times, ignores: ['side'] });
      const answer = await ask(exchange, `${lots}?side=BUY`);
      assert.match(answer.text, new RegExp(`"updatedAt":${text},`));
    }
  });

  it('changes its rows when a test does', async () => {
    const exchange = await start({
      rows: { lots: 3 },
      onRequest: ({ nth }) => {
        if (nth > 1) exchange.insert('lots', rowsOf('lots', 1, { firstId: BigInt(nth + 100) }));
        exchange.remove('lots', ({ id }) => id === BigInt(nth));
      },
    });
    assert.deepEqual(await ids(exchange, ''), [3, 2]);
    assert.deepEqual(await ids(exchange, ''), [102, 3]);
  });

  it('cancels open orders on DELETE, even if the answer is lost', async () => {
    const exchange = await start({
      openOrders: rowsOf('orders', 2),
      faults: [
        { on: 'cancelAll', times: 1, beforeActing: true, fault: { kind: 'status', status: 500 } },
        { on: 'cancelAll', from: 2, times: 1, fault: { kind: 'resetBeforeHeaders' } },
      ],
    });
    const cancel = () => ask(exchange, '/api/v1/orders/all', { method: 'DELETE' });
    assert.equal((await cancel()).status, 500);
    assert.equal(exchange.openOrders.length, 2);
    await assert.rejects(cancel());
    assert.equal(exchange.openOrders.length, 0);
    exchange.place(...(rowsOf('orders', 1) as [never]));
    assert.match((await ask(exchange, '/api/v1/accounts')).text, /"lockedBid":100/);
    assert.match(
      (await cancel()).text,
      /^\[\{"orderId":1,.*"status":"CANCELED","updatedAt":\d{13}\}\]$/,
    );
  });

  it('enforces a limit', async () => {
    const refusedOf = async (retryAfter?: typeof inSeconds) => {
      const limit = { weight: 20, windowMs: 60_000, ...(retryAfter && { retryAfter }) };
      const exchange = await start({ limit });
      for (const status of [200, 200]) assert.equal((await ask(exchange, lots)).status, status);
      const { status, headers } = await ask(exchange, lots);
      assert.equal(status, 429);
      return headers.get('retry-after');
    };
    assert.equal(await refusedOf(), null);
    assert.equal(await refusedOf(inSeconds), '60');
    assert.match((await refusedOf(asDate)) ?? '', / GMT$/);
  });

  it('gives limits and the time of its own clock', async () => {
    const exchange = await start({ aheadMs: 90_000, rateLimits: minuteLimit(7) });
    const { text, headers } = await ask(exchange, '/api/v1/system/exchangeInfo');
    assert.match(text, /"limit":7/);
    assert.ok(Date.parse(headers.get('date') ?? '') > Date.now() + 80_000);
  });

  const broken: Fault[] = [
    { kind: 'resetBeforeHeaders' },
    { kind: 'resetMidBody' },
    { kind: 'wrongLength', byBytes: 1 },
    { kind: 'stallBeforeHeaders' },
    { kind: 'stallMidBody' },
  ];
  for (const fault of broken)
    it(`fails twice by ${fault.kind}, then no more`, async () => {
      const exchange = await start({ faults: [{ on: 'lots', times: 2, fault }] });
      for (const times of [1, 2]) {
        const controller = new AbortController();
        const failing = assert.rejects(ask(exchange, lots, { signal: controller.signal }));
        await eventually('the request', () => exchange.requests.length === times);
        if (fault.kind.startsWith('stall')) controller.abort();
        await failing;
      }
      assert.equal((await ask(exchange, lots)).status, 200);
    });

  const wrong: [Fault, RegExp | number][] = [
    [{ kind: 'cutJson' }, /^\{"content":\[[^}]*$/],
    [{ kind: 'html' }, /^<!doctype/],
    [{ kind: 'emptyBody' }, /^$/],
    [{ kind: 'body', text: '[]' }, /^\[\]$/],
    [{ kind: 'deepNesting', depth: 3 }, /^\[{3}\]{3}$/],
    [{ kind: 'slowDrip', everyMs: 1, bytes: 20 }, /^\{"content":\[\],.*\}$/],
    [{ kind: 'status', status: 503, body: 'no' }, /^no$/],
    [{ kind: 'redirect', to: 'http://other.example' }, /^$/],
    [{ kind: 'gzipBomb', megabytes: 3 }, 3 * 1024 * 1024],
    [{ kind: 'hugeString', megabytes: 1 }, 1024 * 1024 + 2],
  ];
  for (const [fault, expected] of wrong)
    it(`answers with ${fault.kind}`, async () => {
      const { text } = await ask(await start({ faultOf: () => fault }), lots);
      if (typeof expected === 'number') assert.equal(text.length, expected);
      else assert.match(text, expected);
    });

  it('delays requests and answers, and counts open connections', async () => {
    const exchange = await start({ uplinkMs: () => 30, downlinkMs: () => 30 });
    const before = performance.now();
    const { headers } = await ask(exchange, lots, { headers: { connection: 'close' } });
    assert.ok(performance.now() - before >= 55);
    assert.equal(headers.get('content-type'), 'application/json');
    await eventually('no connection', () => exchange.openConnections === 0);
    const [arrival] = exchange.arrivals;
    assert.ok(arrival && arrival.at - before >= 25);
  });
});
