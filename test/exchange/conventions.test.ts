import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import {
  autoConventions,
  type ApiConventions,
  type ConventionSettings,
} from '../../src/exchange/history/apiConventions.ts';
import { learnedConventionsSchema } from '../../src/exchange/history/learnedConventions.ts';
import { clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { readHistory } from '../support/historyRequest.ts';

const hourMs = 3_600_000;

/** A client that knows only these conventions. */
const autoClient = (exchange: HostileExchange, known: Partial<ConventionSettings> = {}) =>
  clientFor(exchange, { dialect: { ...autoConventions, ...known } });
const newestAt = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

describe('a filter of several statuses', () => {
  const serve = exchangesOfEachTest();
  const statuses = ['EXECUTED', 'CANCELED'];
  const mixed = rowsOf('orders', 60, {
    newestAt,
    fields: (index) => ({
      status: JSON.stringify(['EXECUTED', 'CANCELED', 'LIQUIDATED'][index % 3]),
    }),
  });
  const readPage = (client: ExchangeClient, page = 0) =>
    readHistory(client, 'orders', { statuses, page, size: 20 });
  const sentLists = (exchange: HostileExchange) =>
    exchange.seen('orders').map(({ query }) => query.toString().match(/statuses[^&]*/g)?.length);

  for (const lists of ['repeat', 'comma', 'brackets'] as const)
    for (const otherLists of ['refused', 'ignored', 'lastValueOnly'] as const)
      it(`is not sent until a list form is known: ${lists}, others ${otherLists}`, async () => {
        const reading = { lists: [lists], otherLists };
        const exchange = await serve({ reading, rows: { orders: mixed } });
        const client = autoClient(exchange);
        const { value, ignoredFilters, unproven, filtered } = await readPage(client);
        assert.deepEqual(sentLists(exchange), [undefined]);
        const wanted = mixed.slice(0, 20).filter(({ json }) => json.status !== '"LIQUIDATED"');
        assert.deepEqual(
          value.content.map(({ orderId }) => orderId),
          wanted.map(({ id }) => String(id)),
        );
        assert.deepEqual([ignoredFilters, unproven, filtered], [[], [], 6]);
        assert.equal(value.totalElements, '60');
      });

  it('is sent in the form that is set', async () => {
    for (const [lists, sent] of [
      ['repeat', 2],
      ['comma', 1],
      ['brackets', 2],
    ] as const) {
      const reading = { lists: [lists] };
      const exchange = await serve({ reading, rows: { orders: mixed } });
      const client = autoClient(exchange, { lists });
      const { value, filteredHere } = await readPage(client);
      assert.deepEqual(sentLists(exchange), [sent]);
      assert.deepEqual([value.totalElements, filteredHere], ['40', []]);
    }
    const exchange = await serve({ reading: { lists: ['comma'] }, rows: { orders: mixed } });
    const client = autoClient(exchange, { lists: 'repeat' });
    await assert.rejects(readPage(client), { name: 'ExchangeError' });
    assert.equal(exchange.weightOf('orders'), 10);
  });

  it('is named with every other filter that rows contradict', async () => {
    const exchange = await serve({
      reading: { ignores: ['statuses', 'symbol', 'side', 'dateFrom'] },
      rows: { orders: mixed },
    });
    const client = autoClient(exchange, { lists: 'repeat' });
    const query = { page: 0, size: 6, statuses, symbol: 'eth_usdt', side: 'BUY' };
    const page = await readHistory(client, 'orders', { ...query, dateFrom: newestAt + 1 });
    assert.deepEqual(page.ignoredFilters, [
      { parameter: 'symbol', rows: 6 },
      { parameter: 'statuses', rows: 2 },
      { parameter: 'dateFrom', rows: 6 },
    ]);
    assert.equal(page.outside, 6);
    assert.deepEqual(page.value.content, []);
  });
});

describe('ordinary answers', () => {
  const serve = exchangesOfEachTest();

  it('show the order of rows and the page cap', async () => {
    const exchange = await serve({
      reading: { maxPageSize: 10, sort: 'oldestFirst' },
      rows: { trades: 30 },
    });
    const client = autoClient(exchange);
    await readHistory(client, 'trades', { size: 20 });
    assert.deepEqual(
      [client.conventions.current.sort, client.conventions.maxPageSize('trades')],
      ['oldestFirst', 10],
    );
    await readHistory(client, 'trades', { page: 1, size: 20 });
    assert.equal(exchange.seen('trades').at(-1)?.query.get('size'), '10');
  });

  it('show no order once two histories differ', async () => {
    const trades = rowsOf('trades', 5, { newestAt, spacingMs: hourMs });
    const exchange = await serve({ rows: { trades } });
    const client = autoClient(exchange);
    await readHistory(client, 'trades', { size: 20 });
    assert.equal(client.conventions.current.sort, 'newestFirst');
    const upward = trades.map((row, index) => ({ ...row, at: newestAt + index * hourMs }));
    exchange.remove('trades', () => true);
    exchange.insert(
      'trades',
      upward.map((row) => ({ ...row, json: { ...row.json, time: String(2 * newestAt - row.at) } })),
    );
    await readHistory(client, 'trades', { size: 20 });
    assert.equal(client.conventions.current.sort, 'none');
  });

  for (const dateTo of ['inclusive', 'exclusive'] as const)
    for (const dates of ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'] as const)
      it(`lose their rows outside a period, and no others: ${dates}, ${dateTo}`, async () => {
        const rows = rowsOf('lots', 200, { newestAt, spacingMs: 20 * 60_000 });
        const timezone = 'Europe/Berlin';
        const exchange = await serve({
          reading: { dates: [dates], dateTo, timezone },
          rows: { lots: rows },
        });
        const client = autoClient(exchange, { dates });
        const [from, to] = [rows[150]?.at ?? 0, rows[20]?.at ?? 0].sort((a, b) => a - b);
        assert.ok(from !== undefined && to !== undefined);
        const page = await readHistory(client, 'lots', { dateFrom: from, dateTo: to, size: 500 });
        const times = page.value.content.map(({ updatedAt }) => Number(updatedAt));
        const inside = rows.filter(({ at }) => at >= from && at < to).map(({ at }) => at);
        assert.deepEqual(
          times,
          inside.toSorted((a, b) => b - a),
        );
        assert.deepEqual(page.ignoredFilters, []);
      });

  const finest = (index: number) => newestAt - index * 7 * hourMs + (index % 2 === 0 ? 0.5 : 0);
  const lotsAt = (times: readonly number[]) =>
    times.flatMap((at, index) =>
      rowsOf('lots', 1, { newestAt: at, firstId: BigInt(9000 - index) }),
    );

  const servers: readonly [
    string,
    Partial<Reading>,
    readonly number[],
    number,
    number,
    ApiConventions['dates'] | 'undecided',
  ][] = [
    [
      'that cuts moments to seconds',
      { dates: ['epochMs'], cutsToSeconds: true },
      Array.from({ length: 60 }, (_, index) => newestAt - index * 7 * hourMs),
      newestAt - 5000,
      newestAt + 1,
      'undecided',
    ],
    ...(['us', 'ms'] as const).map((times): (typeof servers)[number] => [
      `with rows between milliseconds, written in ${times}`,
      { dates: ['epochMs'], times },
      Array.from({ length: 60 }, (_, index) => finest(index)),
      Math.floor(finest(2)) - 5,
      Math.floor(finest(2)) + 1,
      'epochMs',
    ]),
    [
      'that reads a day as its midnight',
      { dates: ['isoDate'], days: 'midnight' },
      Array.from({ length: 30 }, (_, day) =>
        (day === 27 ? [17, 9, 0] : [17, 9]).map((hour) => Date.UTC(2026, 10, 20 - day, hour)),
      ).flat(),
      Date.UTC(2026, 10, 10),
      Date.UTC(2026, 10, 12),
      'isoDate',
    ],
    [
      'that has all its rows at midnight, and reads a day as that',
      { dates: ['isoDate'], days: 'midnight' },
      Array.from({ length: 30 }, (_, day) => Date.UTC(2026, 10, 20 - day)),
      Date.UTC(2026, 10, 10),
      Date.UTC(2026, 10, 12) + 1,
      'isoDate',
    ],
  ];
  for (const [name, reading, times, from, to, decided] of servers)
    it(`lose no row of a period after a probe, at a server ${name}`, async () => {
      const exchange = await serve({ reading, rows: { lots: lotsAt(times) } });
      const client = autoClient(exchange);
      await client.exchangeInfo();
      await client.probeConventions();
      const asked = { page: 0, size: 100, dateFrom: from, dateTo: to };
      const { value, unproven } = await readHistory(client, 'lots', asked);
      const inside = times.filter((at) => Math.floor(at) >= from && at < to);
      const { dates } = client.conventions.learned.findings;
      assert.ok(inside.length > 0);
      assert.equal(dates?.concluded, decided);
      if (decided === 'undecided')
        assert.deepEqual([dates.reason, unproven], ['dateFiltersIgnored', ['datesUndecided']]);
      else assert.equal(value.content.length, inside.length);
    });

  it('leave no API key in what is stored, and local times', async () => {
    const { apiKey } = markedCredentials;
    const exchange = await serve({
      rows: { lots: 60 },
      answers: {
        exchangeInfo: `{"rateLimits":[{"rateLimitType":"${apiKey}","interval":"${apiKey}","intervalNum":1,"limit":5}],"timezone":"${apiKey}","serverTime":${Date.now() + 90 * 24 * hourMs},"symbols":[]}`,
      },
    });
    const client = autoClient(exchange);
    await client.exchangeInfo();
    await client.probeConventions();
    const { learned } = client.conventions;
    assert.ok(!JSON.stringify(learned).includes(apiKey));
    const seenAt = [...Object.values(learned.findings), { seenAt: learned.probe?.at ?? 0 }];
    for (const finding of seenAt) assert.ok(Math.abs(finding.seenAt - Date.now()) < 24 * hourMs);
  });

  it('are stored in part for a very long request', async () => {
    const exchange = await serve({ rows: { orders: 30 }, reading: { otherLists: 'ignored' } });
    const client = autoClient(exchange, { lists: 'repeat' });
    const statuses = ['EXECUTED', ...Array.from({ length: 60 }, (_, index) => `STATUS_${index}`)];
    await readHistory(client, 'orders', { statuses, size: 10 });
    const { learned } = client.conventions;
    assert.ok(learned.findings.sort);
    assert.ok(v.is(learnedConventionsSchema, JSON.parse(JSON.stringify(learned))));
  });

  it('without rows are reported as unproven when the date format is assumed', async () => {
    const exchange = await serve({ reading: { dates: ['epochS'] }, rows: { lots: 30 } });
    const client = autoClient(exchange);
    const page = await readHistory(client, 'lots', { dateFrom: 1_600_000_000_000 });
    assert.deepEqual([page.value.content, page.unproven], [[], ['datesUndecided']]);
    const all = await readHistory(client, 'lots', { dateTo: 1_800_000_000_000 });
    assert.deepEqual([all.value.content.length, all.unproven], [20, []]);
  });

  for (const [timezone, name] of [
    ['"Mars/Olympus"', 'Mars/Olympus'],
    ['null', undefined],
  ] as const)
    it(`are reported as unproven with time zone ${timezone}, and dates are in UTC`, async () => {
      const exchange = await serve({
        reading: { dates: ['isoLocal'] },
        rows: { lots: rowsOf('lots', 30, { newestAt, spacingMs: hourMs }) },
        answers: { exchangeInfo: `{"rateLimits":[],"timezone":${timezone},"symbols":[]}` },
      });
      const client = autoClient(exchange, { dates: 'isoLocal' });
      for (const page of [0, 1]) {
        const { unproven } = await readHistory(client, 'lots', { dateFrom: newestAt, page });
        assert.deepEqual(unproven, ['zoneUnknown']);
      }
      assert.deepEqual((await readHistory(client, 'lots')).unproven, []);
      assert.equal(exchange.seen('exchangeInfo').length, 1);
      assert.equal(exchange.seen('lots')[0]?.query.get('dateFrom'), '2026-11-20T12:34:56.789');
      assert.equal(client.conventions.isZoneKnown, false);
      if (name) assert.equal(client.conventions.timezone, name);
    });
});

describe('the first page', () => {
  const serve = exchangesOfEachTest();

  it('is page 1 when page 0 is empty and page 1 is not', async () => {
    const exchange = await serve({
      reading: { firstPage: 'oneLeavesZeroEmpty' },
      rows: { lots: 30 },
    });
    const client = autoClient(exchange);
    assert.equal((await readHistory(client, 'lots', { size: 20 })).value.content.length, 20);
    assert.equal(
      (await readHistory(client, 'lots', { page: 1, size: 20 })).value.content.length,
      10,
    );
    assert.equal(client.conventions.learned.findings.firstPage?.reason, 'zeroEmpty');
    const pages = exchange.seen('lots').map(({ query }) => query.get('page'));
    assert.deepEqual(pages, ['0', '1', '2']);
  });

  it('is page 0 after a page 0 had rows', async () => {
    const exchange = await serve({ rows: { lots: 30 } });
    const client = autoClient(exchange);
    const none = { page: 0, size: 20, symbol: 'eth_usdt' };
    for (const query of [none, { page: 0, size: 20 }, none])
      await readHistory(client, 'lots', query);
    const pages = exchange.seen('lots').map(({ query }) => query.get('page'));
    assert.deepEqual(pages, ['0', '1', '0', '0']);
    assert.equal(client.conventions.learned.findings.firstPage, undefined);
  });
});
