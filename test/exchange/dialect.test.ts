import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Histories } from '../../src/account/histories.ts';
import { autoDialect, type Dialect } from '../../src/exchange/dialect/dialect.ts';
import { factsSchema, type Findings } from '../../src/exchange/dialect/facts.ts';
import type { HistoryName, Row } from '../support/hostileExchange/rows.ts';
import { rowsOf, rowText } from '../support/hostileExchange/rows.ts';
import type { Fault } from '../support/hostileExchange/faults.ts';
import type { SeenOperation } from '../support/hostileExchange/seen.ts';
import type { TradeQuery } from '../../src/exchange/queries.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { ExchangeError } from '../../src/exchange/errors.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { ampleLedger, clientFor, markedCredentials } from '../support/exchangeClient.ts';

const hourMs = 3_600_000;
const newestAt = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

/** Weight that arrived for a history. */
function weightOf(exchange: HostileExchange, history: HistoryName): number {
  return exchange.seen(history).reduce((sum, { weight }) => sum + weight, 0);
}

const concluded = (findings: Findings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(findings).map(([entry, finding]) => [entry, finding.concluded]),
  );

describe('the dialect is detected on the lot history', () => {
  const serve = exchangesOfEachTest();

  async function detect(
    reading: Partial<Reading>,
    rows: readonly Row[] = rowsOf('lots', 230, {
      newestAt,
      spacingMs: 7 * hourMs,
    }),
  ): Promise<{ findings: Record<string, unknown>; exchange: HostileExchange }> {
    const exchange = await serve({ reading, rows: { lots: rows } });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.exchangeInfo();
    await client.probeDialect();
    assert.ok(weightOf(exchange, 'lots') <= 70, `${weightOf(exchange, 'lots')} weight`);
    assert.equal(client.book.facts.probe?.weight, weightOf(exchange, 'lots'));
    return { findings: concluded(client.book.facts.findings), exchange };
  }

  const bases: readonly [Reading['firstPage'], Dialect['firstPage']][] = [
    [0, 0],
    [1, 1],
    ['oneClampsZero', 1],
    ['oneLeavesZeroEmpty', 1],
    ['zero404PastEnd', 0],
  ];
  const forms = ['epochMs', 'isoInstant', 'isoLocal', 'isoDate', 'epochS'] as const;
  for (const [firstPage, base] of bases)
    for (const dates of forms)
      for (const dateTo of ['inclusive', 'exclusive'] as const)
        for (const otherDates of ['refused', 'ignored'] as const)
          it(`pages ${firstPage}, dates ${dates}, ${dateTo}, other dates ${otherDates}`, async () => {
            const sort = dateTo === 'inclusive' ? 'newestFirst' : 'oldestFirst';
            const timezone = firstPage === 0 ? 'Europe/Berlin' : 'UTC';
            const reading = {
              firstPage,
              dates: [dates],
              dateTo,
              otherDates,
              sort,
              timezone,
            } as const;
            const { findings } = await detect(reading);
            assert.deepEqual(findings, {
              firstPage: base,
              dates,
              dateTo: dates === 'epochS' ? 'undecided' : dateTo,
              sort,
              maxPageSize: 'undecided',
            });
          });

  for (const timezone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kolkata'])
    for (const dates of ['isoLocal', 'isoDate'] as const)
      it(`local dates ${dates} in ${timezone}`, async () => {
        const { findings } = await detect({ dates: [dates], timezone });
        assert.equal(findings.dates, dates);
        assert.equal(findings.dateTo, 'inclusive');
      });

  for (const largerPages of ['capped', 'refused'] as const)
    for (const firstPage of [0, 1, 'oneClampsZero'] as const)
      it(`a cap of pages, ${largerPages}, pages ${firstPage}`, async () => {
        const { findings } = await detect({ maxPageSize: 100, largerPages, firstPage });
        assert.equal(findings.maxPageSize, 100);
        assert.equal(findings.firstPage, firstPage === 0 ? 0 : 1);
        assert.equal(findings.dates, 'epochMs');
      });

  for (const totals of [
    'minusOne',
    'shrinking',
    'null',
    'missing',
    'string',
    { always: 1_000_000 },
    { atMost: 5 },
  ] as const)
    it(`totals ${JSON.stringify(totals)} are not believed`, async () => {
      const { findings } = await detect({ totals });
      assert.deepEqual([findings.firstPage, findings.dates], [0, 'epochMs']);
      assert.equal(findings.maxPageSize, 'undecided');
    });

  it('a cap that no total tells is seen from the next page', async () => {
    const { findings } = await detect({ totals: 'minusOne', maxPageSize: 50 });
    assert.equal(findings.maxPageSize, 50);
  });

  it('rows without an order', async () => {
    const { findings } = await detect({ sort: 'none' });
    assert.deepEqual([findings.sort, findings.firstPage, findings.dates], ['none', 0, 'epochMs']);
  });

  it('dates that are ignored are undecided, and so is their end', async () => {
    const { findings } = await detect({ ignores: ['dateFrom', 'dateTo'] });
    assert.deepEqual([findings.dates, findings.dateTo], ['undecided', 'undecided']);
    assert.equal(findings.firstPage, 0);
  });

  it('one end that is ignored leaves dates undecided', async () => {
    for (const ignored of ['dateFrom', 'dateTo']) {
      const { findings } = await detect({ ignores: [ignored] });
      assert.equal(findings.dates, 'undecided', ignored);
    }
  });

  for (const count of [1, 2, 3, 4, 5])
    for (const [firstPage, base] of bases)
      it(`a history of ${count} rows, pages ${firstPage}`, async () => {
        const rows = rowsOf('lots', count, { newestAt, spacingMs: 30 * hourMs });
        const { findings } = await detect({ firstPage }, rows);
        assert.equal(findings.firstPage, base);
        assert.equal(findings.dates, count > 1 ? 'epochMs' : 'undecided');
        assert.equal(findings.dateTo, count > 2 ? 'inclusive' : 'undecided');
        assert.equal(findings.sort, count > 1 ? 'newestFirst' : 'undecided');
      });

  for (const [firstPage, base] of bases)
    for (const count of [2, 3, 9, 14, 15])
      for (const change of ['comes', 'leaves'] as const)
        it(`pages ${firstPage}, while one of ${count} rows ${change}`, async () => {
          const rows = rowsOf('lots', count, { newestAt, spacingMs: 30 * hourMs, firstId: 10n });
          const exchange = await serve({
            reading: { firstPage },
            rows: { lots: rows },
            onRequest: ({ operation, query }) => {
              if (operation !== 'lots' || query.get('page') === '0') return;
              if (change === 'leaves') exchange.remove('lots', ({ id }) => id === rows[0]?.id);
              else if (exchange.rows('lots').length === count)
                exchange.insert(
                  'lots',
                  rowsOf('lots', 1, { newestAt: newestAt + 1, firstId: 99n }),
                );
            },
          });
          const client = clientFor(exchange, { dialect: autoDialect });
          await client.probeDialect();
          const found = client.book.facts.findings.firstPage?.concluded;
          assert.ok(found === base || found === 'undecided' || found === undefined, String(found));
        });

  for (const [firstPage] of bases)
    it(`an empty history tells nothing, pages ${firstPage}`, async () => {
      const { findings, exchange } = await detect({ firstPage }, []);
      assert.deepEqual([...new Set(Object.values(findings))], ['undecided']);
      assert.equal(exchange.seen('lots').length, 2);
    });
});

describe('a detection that meets failures', () => {
  const serve = exchangesOfEachTest();

  for (let nth = 1; nth <= 7; nth += 1)
    it(`ends at the one of request ${nth}, keeps what was found, and sends nothing again`, async () => {
      const rows = rowsOf('lots', 60, { newestAt, spacingMs: 7 * hourMs });
      const exchange = await serve({
        reading: { dates: ['epochS'] },
        rows: { lots: rows },
        faults: [{ on: 'lots', from: nth, times: 1, fault: { kind: 'status', status: 503 } }],
      });
      const client = clientFor(exchange, { dialect: autoDialect });
      await client.probeDialect();
      const { findings } = client.book.facts;
      assert.equal(exchange.seen('lots').length, nth);
      assert.equal(findings.dates?.reason, 'unreadable');
      assert.equal(findings.firstPage?.concluded, nth > 2 ? 0 : 'undecided');
    });

  it('costs what was sent: nothing where the limit is too low for one request', async () => {
    const exchange = await serve({ rows: { lots: 60 } });
    const ledger = ampleLedger({ limits: [{ weight: 5, windowMs: 60_000 }] });
    const client = clientFor(exchange, { dialect: autoDialect, ledger });
    await client.probeDialect();
    assert.equal(client.book.facts.findings.dates?.reason, 'unreadable');
    assert.equal(client.book.facts.probe?.weight, 0);
    assert.equal(exchange.seen('lots').length, 0);
  });

  it('costs what was sent where the limit ends it in the midst', async () => {
    const exchange = await serve({
      rows: { lots: 60 },
      faults: [{ on: 'lots', from: 3, fault: { kind: 'status', status: 429 } }],
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.probeDialect();
    const { findings, probe } = client.book.facts;
    assert.deepEqual([probe?.weight, weightOf(exchange, 'lots')], [30, 30]);
    assert.deepEqual([findings.firstPage?.concluded, findings.dates?.reason], [0, 'rateLimited']);
  });

  it('says so where the rate limit ends it', async () => {
    const exchange = await serve({
      rows: { lots: 60 },
      faults: [{ on: 'lots', fault: { kind: 'status', status: 429 } }],
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.probeDialect();
    const { findings, probe } = client.book.facts;
    assert.deepEqual([findings.dates?.reason, probe?.weight], ['rateLimited', 10]);
  });

  it('and is called off by its signal', async () => {
    const exchange = await serve({ rows: { lots: 60 } });
    const client = clientFor(exchange, { dialect: autoDialect });
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(client.probeDialect(controller.signal), { name: 'AbortError' });
    assert.equal(exchange.seen('lots').length, 0);
    assert.equal(client.book.facts.probe, null);
  });
});

describe('lists are detected when they are first asked', () => {
  const serve = exchangesOfEachTest();
  const statuses = ['EXECUTED', 'CANCELED'];
  const mixed = (kinds: readonly string[], count = 40) =>
    rowsOf('orders', count, {
      newestAt,
      fields: (index) => ({ status: JSON.stringify(kinds[index % kinds.length]) }),
    });
  const all = mixed(['EXECUTED', 'CANCELED', 'LIQUIDATED']);
  const isTooEarly = (query: URLSearchParams) =>
    Date.now() + hourMs - Number(query.get('timestamp')) > 5000;
  const refusedForTime = (status: number): Fault => ({
    kind: 'status',
    status,
    body: '{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow."}',
  });

  for (const lists of ['repeat', 'comma', 'brackets'] as const)
    for (const otherLists of ['refused', 'ignored', 'lastValueOnly'] as const)
      it(`as ${lists}, others ${otherLists}`, async () => {
        const exchange = await serve({
          reading: { lists: [lists], otherLists },
          rows: { orders: all },
        });
        const client = clientFor(exchange, { dialect: autoDialect });
        const { value, unmatched } = await client.orders({ page: 0, size: 20, statuses });
        assert.equal(client.dialect.lists, lists);
        assert.equal(client.book.sourceOf('lists'), 'seen');
        assert.deepEqual(new Set(value.content.map(({ status }) => status)), new Set(statuses));
        assert.deepEqual(unmatched, []);
        assert.ok(weightOf(exchange, 'orders') <= 30);
        const before = weightOf(exchange, 'orders');
        await client.orders({ page: 1, size: 20, statuses });
        assert.equal(weightOf(exchange, 'orders') - before, 10);
      });

  it('and stay undecided where rows do not tell, until they do, without being asked again', async () => {
    const exchange = await serve({ rows: { orders: mixed(['EXECUTED']) } });
    const client = clientFor(exchange, { dialect: autoDialect });
    const ask = () => client.orders({ page: 0, size: 20, statuses });
    assert.equal((await ask()).value.content.length, 20);
    assert.equal(client.book.sourceOf('lists'), 'assumed');
    assert.equal(weightOf(exchange, 'orders'), 30);
    exchange.insert(
      'orders',
      rowsOf('orders', 5, {
        newestAt: newestAt + hourMs,
        firstId: 900n,
        fields: () => ({ status: '"CANCELED"' }),
      }),
    );
    await ask();
    assert.equal(weightOf(exchange, 'orders'), 40);
    assert.equal(client.book.sourceOf('lists'), 'seen');
    assert.equal(client.dialect.lists, 'repeat');
  });

  const newerExecuted = () => [
    ...mixed(['EXECUTED'], 30).map((row) => ({ ...row, id: row.id + 1000n })),
    ...rowsOf('orders', 10, {
      newestAt: newestAt - 24 * hourMs,
      fields: () => ({ status: '"CANCELED"' }),
    }),
  ];

  it('and until then are written so that no value is dropped, page after page', async () => {
    const exchange = await serve({
      reading: { lists: ['comma'], otherLists: 'lastValueOnly' },
      rows: { orders: newerExecuted() },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    const { value, undecided } = await client.orders({ page: 0, size: 20, statuses });
    assert.equal(value.totalElements, '40');
    assert.deepEqual(client.book.sourceOf('lists'), 'assumed');
    assert.deepEqual(undecided, ['listsUndecided']);
    const next = await client.orders({ page: 1, size: 20, statuses });
    assert.deepEqual(new Set(next.value.content.map(({ status }) => status)), new Set(statuses));
    assert.deepEqual([client.book.sourceOf('lists'), client.dialect.lists], ['seen', 'comma']);
    assert.deepEqual(next.undecided, []);
  });

  it('and are tried anew for other values', async () => {
    const exchange = await serve({
      reading: { lists: ['comma'], otherLists: 'lastValueOnly' },
      rows: { orders: newerExecuted() },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.orders({ page: 0, size: 20, statuses: ['PENDING', 'EXECUTED'] });
    const { value } = await client.orders({ page: 0, size: 20, statuses });
    assert.equal(value.totalElements, '40');
  });

  it('and nothing is learned from refusals alone, nor is one sent again', async () => {
    let isDown = true;
    const exchange = await serve({
      reading: { lists: ['brackets'] },
      rows: { orders: all },
      faultOf: ({ operation }) =>
        isDown && operation === 'orders' ? { kind: 'status', status: 400 } : undefined,
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    const ask = () => client.orders({ page: 0, size: 20, statuses });
    await assert.rejects(ask(), { name: 'ExchangeError' });
    assert.equal(client.book.facts.findings.lists, undefined);
    assert.equal(weightOf(exchange, 'orders'), 30);
    isDown = false;
    assert.equal((await ask()).value.content.length, 20);
    assert.deepEqual([client.book.sourceOf('lists'), client.dialect.lists], ['seen', 'brackets']);
  });

  for (const status of [400, 401])
    for (const lists of ['repeat', 'brackets'] as const)
      it(`as ${lists} by a clock that is wrong, which is told by ${status}: signed anew, once`, async () => {
        const exchange = await serve({
          reading: { lists: [lists] },
          rows: { orders: all },
          aheadMs: hourMs,
          faultOf: ({ operation, query }) =>
            operation === 'orders' && isTooEarly(query) ? refusedForTime(status) : undefined,
        });
        const client = clientFor(exchange, { dialect: autoDialect });
        const { value } = await client.orders({ page: 0, size: 20, statuses });
        assert.deepEqual(new Set(value.content.map(({ status: kind }) => kind)), new Set(statuses));
        assert.deepEqual([client.book.sourceOf('lists'), client.dialect.lists], ['seen', lists]);
        const { answer } = client.book.facts.findings.lists?.evidence[0] ?? {};
        assert.equal(answer?.kind, 'rows');
        assert.equal(exchange.seen('exchangeInfo').length, 1);
        assert.equal(weightOf(exchange, 'orders'), lists === 'repeat' ? 20 : 40);
      });

  it('and a time that is refused again ends the trial: it says nothing of the form', async () => {
    for (const status of [400, 401]) {
      const exchange = await serve({
        rows: { orders: all },
        hasDate: false,
        faultOf: ({ operation }) => (operation === 'orders' ? refusedForTime(status) : undefined),
      });
      const client = clientFor(exchange, { dialect: autoDialect });
      await assert.rejects(client.orders({ page: 0, size: 20, statuses }), (error: unknown) => {
        assert.ok(error instanceof ExchangeError);
        return error.failure.status === status;
      });
      assert.equal(client.book.facts.findings.lists, undefined);
      assert.equal(weightOf(exchange, 'orders'), 20);
    }
  });

  it('and are not where one is set', async () => {
    const exchange = await serve({ reading: { lists: ['comma'] }, rows: { orders: all } });
    const client = clientFor(exchange, { dialect: { ...autoDialect, lists: 'repeat' } });
    await assert.rejects(client.orders({ page: 0, size: 20, statuses }), { name: 'ExchangeError' });
    assert.equal(weightOf(exchange, 'orders'), 10);
  });

  it('and a filter that is ignored is told by the rows', async () => {
    const exchange = await serve({
      reading: { ignores: ['statuses', 'symbol', 'side', 'dateFrom'] },
      rows: { orders: all },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    const page = await client.orders({
      ...{ page: 0, size: 6, statuses, symbol: 'eth_usdt', side: 'BUY' },
      dateFrom: newestAt + 1,
    });
    assert.equal(client.book.sourceOf('lists'), 'assumed');
    assert.deepEqual(page.unmatched, [
      { parameter: 'symbol', rows: 6 },
      { parameter: 'statuses', rows: 2 },
      { parameter: 'dateFrom', rows: 6 },
    ]);
    assert.equal(page.outside, 6);
    assert.deepEqual(page.value.content, []);
  });
});

describe('long periods are asked in slices', () => {
  const serve = exchangesOfEachTest();
  const never = new AbortController().signal;
  const dayMs = 24 * hourMs;
  const dateTo = newestAt + 1;

  async function panel(reading: Partial<Reading>, spacingMs = dayMs, count = 100) {
    const rows = rowsOf('trades', count, { newestAt, spacingMs });
    const exchange = await serve({ reading, rows: { trades: rows } });
    const client = clientFor(exchange, { dialect: autoDialect });
    return { exchange, client, histories: new Histories(client, ampleLedger()), rows };
  }

  for (const maxRangeDays of [200, 90, 45, 30, 7, 1])
    it(`of at most ${maxRangeDays} days, once one was refused`, async () => {
      const { client, histories, exchange } = await panel({ maxRangeDays }, 4 * hourMs, 60);
      const query = { page: 0, size: 50, dateFrom: newestAt - 9 * dayMs, dateTo };
      const page = await histories.trades(query, never);
      const isShort = maxRangeDays < 9;
      assert.equal(client.book.sourceOf('maxRangeDays'), isShort ? 'seen' : 'assumed');
      assert.equal(client.dialect.maxRangeDays, isShort ? maxRangeDays : null);
      assert.equal(page.slices, isShort ? Math.ceil((9 * dayMs + 1) / (maxRangeDays * dayMs)) : 1);
      assert.equal(page.value.totalElements, '55');
      assert.ok(weightOf(exchange, 'trades') <= page.weight + 60);
    });

  for (const sort of ['newestFirst', 'oldestFirst'] as const)
    it(`page by page, ${sort}, empty slices between, each row once`, async () => {
      const near = rowsOf('trades', 25, { newestAt, spacingMs: hourMs });
      const far = rowsOf('trades', 13, {
        newestAt: newestAt - 40 * dayMs,
        spacingMs: hourMs,
        firstId: 5000n,
      });
      const exchange = await serve({
        reading: { maxRangeDays: 10, sort },
        rows: { trades: [...near, ...far] },
      });
      const client = clientFor(exchange, {
        dialect: { ...autoDialect, maxRangeDays: 10, sort },
      });
      const histories = new Histories(client, ampleLedger());
      const seen: string[] = [];
      const before: unknown[] = [];
      const query = { size: 10, dateFrom: newestAt - 45 * dayMs, dateTo };
      for (let page = 0; page < 5; page += 1) {
        const { value, rowsBefore, slices, weight } = await histories.trades(
          { ...query, page },
          never,
        );
        assert.equal(value.totalElements, '38');
        assert.equal(value.totalPages, '5');
        assert.equal(slices, 5);
        assert.equal(weight, page === 0 ? 50 : 10);
        seen.push(...value.content.map(({ tradeId }) => tradeId));
        before.push(rowsBefore);
      }
      const ids = [...near, ...far]
        .toSorted((a, b) => (sort === 'oldestFirst' ? a.at - b.at : b.at - a.at))
        .map(({ id }) => String(id));
      assert.deepEqual(seen, ids);
      assert.deepEqual(before, sort === 'newestFirst' ? [0, 10, 20, 25, 35] : [0, 10, 13, 23, 33]);
      const past = await histories.trades({ ...query, page: 5 }, never);
      assert.deepEqual(past.value.content, []);
    });

  const coarse = ['epochS', 'isoLocal', 'isoDate'] as const;
  /** Twenty days at an exchange that takes seven at once, and reads such dates only. */
  async function coarsePanel(dates: (typeof coarse)[number], sort: Dialect['sort']) {
    const whole = dates === 'isoDate' ? 'inclusive' : 'exclusive';
    const timezone = 'Europe/Berlin';
    const to = dates === 'isoLocal' ? Date.UTC(2026, 10, 1, 0, 30) : dateTo;
    const from = to - 20 * dayMs;
    const rows = rowsOf('trades', 300, { newestAt, spacingMs: 4 * hourMs });
    const exchange = await serve({
      reading: { dates: [dates], maxRangeDays: 7, timezone, dateTo: whole, sort },
      rows: { trades: rows },
    });
    const client = clientFor(exchange, {
      dialect: { ...autoDialect, dates, maxRangeDays: 7, sort },
    });
    const inside = rows
      .filter(({ at }) => at >= from && at < to)
      .toSorted((a, b) => (sort === 'oldestFirst' ? a.at - b.at : b.at - a.at));
    const histories = new Histories(client, ampleLedger());
    const read = (page: number, size: number) =>
      histories.trades({ page, size, dateFrom: from, dateTo: to }, never);
    return { exchange, read, ids: inside.map(({ id }) => String(id)) };
  }

  for (const dates of coarse)
    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      it(`and none is too long as it is written, and each row counted once: ${dates}, ${sort}`, async () => {
        const { read, ids } = await coarsePanel(dates, sort);
        assert.equal(ids.length, 120);
        const seen: string[] = [];
        for (let page = 0; page < 20; page += 1) {
          const { value, rowsBefore, slices, outside } = await read(page, 500);
          assert.ok(slices >= 3);
          assert.equal(value.totalElements, '120');
          assert.equal(value.totalPages, String(slices));
          assert.equal(outside, 0);
          assert.equal(rowsBefore, seen.length);
          seen.push(...value.content.map(({ tradeId }) => tradeId));
        }
        assert.deepEqual(seen, ids);
      });

  for (const dates of coarse)
    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      it(`page by page, and no row is counted that was not seen: ${dates}, ${sort}`, async () => {
        const { read, ids } = await coarsePanel(dates, sort);
        const seen: string[] = [];
        let pages = 1;
        for (let page = 0; page < pages; page += 1) {
          const { value, rowsBefore } = await read(page, 10);
          pages = Number(value.totalPages);
          assert.equal(rowsBefore, seen.length);
          seen.push(...value.content.map(({ tradeId }) => tradeId));
          const { totalElements } = value;
          if (page < pages - 1) assert.ok(totalElements === null || totalElements === '120');
          else assert.equal(totalElements, '120');
        }
        assert.deepEqual(seen, ids);
      });

  it('nor one before a page that was jumped to', async () => {
    const { read, ids } = await coarsePanel('isoDate', 'newestFirst');
    await read(0, 10);
    const { value, rowsBefore } = await read(7, 10);
    assert.deepEqual([rowsBefore, value.totalElements], ['unknown', null]);
    assert.ok(value.content.length > 0);
    for (const { tradeId } of value.content) assert.ok(ids.includes(tradeId));
  });

  it('in pages as large as the exchange gives, before a cap is known', async () => {
    const { client, histories, rows } = await panel(
      { maxRangeDays: 10, maxPageSize: 7 },
      6 * hourMs,
      60,
    );
    client.book.learn('maxRangeDays', {
      ...{ concluded: 10, reason: 'rangeRefused', evidence: [], seenAt: 0 },
    });
    const query = { size: 50, dateFrom: newestAt - 20 * dayMs, dateTo };
    const seen: string[] = [];
    for (let [page, pages] = [0, 1]; page < pages; page += 1) {
      const { value, rowsBefore } = await histories.trades({ ...query, page }, never);
      pages = Number(value.totalPages);
      assert.equal(rowsBefore, seen.length);
      seen.push(...value.content.map(({ tradeId }) => tradeId));
    }
    assert.deepEqual(
      seen,
      rows.map(({ id }) => String(id)),
    );
  });

  it('and a row where two slices meet is counted in one', async () => {
    const rows = rowsOf('trades', 100, { newestAt, spacingMs: 12 * hourMs });
    const exchange = await serve({ reading: { maxRangeDays: 10 }, rows: { trades: rows } });
    const client = clientFor(exchange, {
      dialect: { ...autoDialect, maxRangeDays: 10, sort: 'newestFirst' },
    });
    const histories = new Histories(client, ampleLedger());
    const period = { dateFrom: newestAt - 30 * dayMs, dateTo: newestAt };
    const { value } = await histories.trades({ ...period, page: 0, size: 10 }, never);
    assert.equal(value.totalElements, '60');
  });

  it('are refused in words where they would cost too much or have no beginning', async () => {
    const { histories, client, exchange } = await panel({});
    client.book.learn('maxRangeDays', {
      ...{ concluded: 1, reason: 'rangeRefused', evidence: [], seenAt: 0 },
    });
    const asked = (dateFrom: number | undefined) =>
      histories.trades({ page: 0, dateFrom, dateTo }, never);
    await assert.rejects(asked(newestAt - 50 * dayMs), /51 requests of weight 10 each/);
    await assert.rejects(asked(undefined), /say where it begins/);
    assert.equal(exchange.seen('trades').length, 0);
  });

  const unbounded: readonly [string, Partial<Reading>, TradeQuery][] = [
    [
      'the size of the page',
      { maxPageSize: 100, largerPages: 'refused' },
      { page: 0, size: 500, dateFrom: newestAt - 200 * dayMs, dateTo },
    ],
    [
      'its number',
      { firstPage: 'zero404PastEnd' },
      { page: 9, size: 20, dateFrom: newestAt - 10 * dayMs, dateTo },
    ],
  ];
  for (const [name, reading, query] of unbounded)
    it(`are not where ${name} was refused`, async () => {
      const { histories, client } = await panel(reading, 4 * hourMs, 300);
      await assert.rejects(histories.trades(query, never), { name: 'ExchangeError' });
      assert.equal(client.book.facts.findings.maxRangeDays, undefined);
    });

  const bad: Fault = { kind: 'status', status: 400 };
  const passing: readonly [string, number, (request: SeenOperation) => boolean][] = [
    ['a refusal was for something that has passed', 40, ({ nth }) => nth === 1],
    [
      'what is long ago is refused',
      20,
      ({ query }) => Number(query.get('dateFrom')) < newestAt - 100 * dayMs,
    ],
    ['the beginning of a period is required', 40, ({ query }) => !query.has('dateFrom')],
  ];
  for (const [name, weight, isRefused] of passing)
    it(`are not where ${name}`, async () => {
      const exchange = await serve({
        rows: { trades: rowsOf('trades', 300, { newestAt, spacingMs: dayMs }) },
        faultOf: (request) =>
          request.operation === 'trades' && isRefused(request) ? bad : undefined,
      });
      const client = clientFor(exchange, { dialect: autoDialect });
      const isOpen = name.includes('required');
      const asked = isOpen ? { dateTo } : { dateFrom: newestAt - 200 * dayMs, dateTo };
      const page = new Histories(client, ampleLedger()).trades(
        { page: 0, size: 50, ...asked },
        never,
      );
      await assert.rejects(page, { name: 'ExchangeError' });
      assert.equal(client.book.facts.findings.maxRangeDays, undefined);
      assert.equal(weightOf(exchange, 'trades'), weight);
    });

  it('cost what they weigh, and nothing is sent again, while they are found out', async () => {
    const exchange = await serve({
      rows: { trades: rowsOf('trades', 100, { newestAt, spacingMs: dayMs }) },
      faultOf: ({ operation, nth }) =>
        operation === 'trades' && nth !== 2
          ? { kind: 'status', status: nth === 1 ? 400 : 503 }
          : undefined,
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    const query = { page: 0, size: 50, dateFrom: newestAt - 50 * dayMs, dateTo };
    await assert.rejects(new Histories(client, ampleLedger()).trades(query, never), {
      name: 'ExchangeError',
    });
    assert.equal(client.book.facts.findings.maxRangeDays, undefined);
    assert.equal(weightOf(exchange, 'trades'), 30);
  });

  it('are not tried where a day is refused too', async () => {
    const { histories, client, exchange } = await panel({ dates: ['isoLocal'] });
    const query = { page: 0, dateFrom: newestAt - 50 * dayMs, dateTo };
    await assert.rejects(histories.trades(query, never), { name: 'ExchangeError' });
    assert.equal(client.book.sourceOf('maxRangeDays'), 'assumed');
    assert.equal(weightOf(exchange, 'trades'), 20);
  });
});

describe('an exchange is known from what it answers', () => {
  const serve = exchangesOfEachTest();

  it('its order and its cap, from ordinary pages', async () => {
    const exchange = await serve({
      reading: { maxPageSize: 10, sort: 'oldestFirst' },
      rows: { trades: 30 },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.trades({ page: 0, size: 20 });
    assert.deepEqual([client.dialect.sort, client.dialect.maxPageSize], ['oldestFirst', 10]);
    await client.trades({ page: 1, size: 20 });
    assert.equal(exchange.seen('trades').at(-1)?.query.get('size'), '10');
  });

  it('no cap by the totals of all rows, where a filter leaves few', async () => {
    const few = rowsOf('trades', 3, { newestAt, spacingMs: hourMs });
    const content = few.map((row) => rowText('trades', row, String(row.at))).join();
    const allRows = '"size":3,"totalPages":3000,"totalElements":9000';
    const exchange = await serve({
      rows: { lots: 60 },
      faultOf: ({ operation, query }) =>
        operation === 'trades'
          ? {
              kind: 'body',
              text: `{"content":[${query.get('page') === '0' ? content : ''}],${allRows}}`,
            }
          : undefined,
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    for (const page of [0, 1]) {
      await client.trades({ page, size: 20, symbol: 'btc_usdt' });
      assert.deepEqual(
        [client.dialect.maxPageSize, client.book.sourceOf('maxPageSize')],
        [null, 'assumed'],
      );
    }
    assert.equal((await client.lots({ page: 0, size: 20 })).value.content.length, 20);
  });

  const filters: readonly Partial<TradeQuery>[] = [
    { symbol: 'btc_usdt' },
    { dateFrom: newestAt - 90 * 24 * hourMs },
  ];
  for (const filter of filters)
    it(`a cap under a filter by ${Object.keys(filter).join()}, once the next page has as many rows`, async () => {
      const exchange = await serve({
        reading: { maxPageSize: 10 },
        rows: { trades: rowsOf('trades', 30, { newestAt, spacingMs: hourMs }) },
      });
      const client = clientFor(exchange, { dialect: autoDialect });
      await client.trades({ ...filter, page: 0, size: 20 });
      assert.equal(client.dialect.maxPageSize, null);
      await client.trades({ ...filter, page: 1, size: 20 });
      assert.equal(client.dialect.maxPageSize, 10);
      assert.equal(client.book.facts.findings.maxPageSize?.evidence.length, 2);
    });

  it('no order, once two histories differ', async () => {
    const trades = rowsOf('trades', 5, { newestAt, spacingMs: hourMs });
    const exchange = await serve({ rows: { trades } });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.trades({ page: 0, size: 20 });
    assert.equal(client.dialect.sort, 'newestFirst');
    const upward = trades.map((row, index) => ({ ...row, at: newestAt + index * hourMs }));
    exchange.remove('trades', () => true);
    exchange.insert(
      'trades',
      upward.map((row) => ({ ...row, json: { ...row.json, time: String(2 * newestAt - row.at) } })),
    );
    await client.trades({ page: 0, size: 20 });
    assert.equal(client.dialect.sort, 'none');
  });

  for (const dateTo of ['inclusive', 'exclusive'] as const)
    for (const dates of ['epochMs', 'epochS', 'isoInstant', 'isoLocal', 'isoDate'] as const)
      it(`its rows inside a period and no others: ${dates}, ${dateTo}`, async () => {
        const rows = rowsOf('lots', 200, { newestAt, spacingMs: 20 * 60_000 });
        const timezone = 'Europe/Berlin';
        const exchange = await serve({
          reading: { dates: [dates], dateTo, timezone },
          rows: { lots: rows },
        });
        const client = clientFor(exchange, { dialect: { ...autoDialect, dates } });
        const [from, to] = [rows[150]?.at ?? 0, rows[20]?.at ?? 0].sort((a, b) => a - b);
        assert.ok(from !== undefined && to !== undefined);
        const page = await client.lots({ page: 0, size: 500, dateFrom: from, dateTo: to });
        const times = page.value.content.map(({ updatedAt }) => Number(updatedAt));
        const inside = rows.filter(({ at }) => at >= from && at < to).map(({ at }) => at);
        assert.deepEqual(
          times,
          inside.toSorted((a, b) => b - a),
        );
        assert.deepEqual(page.unmatched, []);
      });

  it('no cap, from the last of whole pages whose size is said to be the number of their rows', async () => {
    const rows = rowsOf('lots', 217, { newestAt, spacingMs: 1000 });
    const exchange = await serve({ reading: { sizeOf: 'thisPage' }, rows: { lots: rows } });
    const client = clientFor(exchange, { dialect: autoDialect });
    for (const page of [0, 1, 2, 1]) {
      const { value } = await client.lots({ page, size: 100 });
      const begin = page * 100;
      assert.deepEqual(
        value.content.map(({ lotId }) => lotId),
        rows.slice(begin, begin + 100).map(({ id }) => String(id)),
      );
    }
    assert.equal(client.book.sourceOf('maxPageSize'), 'assumed');
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
    Dialect['dates'] | 'undecided',
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
    it(`no row of a period is lost, once detected, at a server ${name}`, async () => {
      const exchange = await serve({ reading, rows: { lots: lotsAt(times) } });
      const client = clientFor(exchange, { dialect: autoDialect });
      await client.exchangeInfo();
      await client.probeDialect();
      const asked = { page: 0, size: 100, dateFrom: from, dateTo: to };
      const { value, undecided } = await client.lots(asked);
      const inside = times.filter((at) => Math.floor(at) >= from && at < to);
      const { dates } = client.book.facts.findings;
      assert.ok(inside.length > 0);
      assert.equal(dates?.concluded, decided);
      if (decided === 'undecided')
        assert.deepEqual([dates.reason, undecided], ['budgetSpent', ['datesUndecided']]);
      else assert.equal(value.content.length, inside.length);
    });

  it('with no key of ours, whatever the exchange repeats, and dated by our clock', async () => {
    const { apiKey } = markedCredentials;
    const exchange = await serve({
      rows: { lots: 60 },
      answers: {
        exchangeInfo: `{"rateLimits":[{"rateLimitType":"${apiKey}","interval":"${apiKey}","intervalNum":1,"limit":5}],"timezone":"${apiKey}","serverTime":${Date.now() + 90 * 24 * hourMs},"symbols":[]}`,
      },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    await client.exchangeInfo();
    await client.probeDialect();
    const { facts } = client.book;
    assert.ok(!JSON.stringify(facts).includes(apiKey));
    const seenAt = [...Object.values(facts.findings), { seenAt: facts.probe?.at ?? 0 }];
    for (const finding of seenAt) assert.ok(Math.abs(finding.seenAt - Date.now()) < 24 * hourMs);
  });

  it('also of a request so long that not all of it can be kept', async () => {
    const exchange = await serve({ rows: { orders: 30 }, reading: { otherLists: 'ignored' } });
    const client = clientFor(exchange, { dialect: autoDialect });
    const statuses = Array.from({ length: 60 }, (_, index) => `STATUS_${index}`);
    await client.orders({ page: 0, size: 10, statuses });
    const { facts } = client.book;
    assert.ok(facts.findings.lists);
    assert.ok(v.is(factsSchema, JSON.parse(JSON.stringify(facts))));
  });

  it('an empty period tells that it is undecided how dates are read', async () => {
    const exchange = await serve({ reading: { dates: ['epochS'] }, rows: { lots: 30 } });
    const client = clientFor(exchange, { dialect: autoDialect });
    const page = await client.lots({ page: 0, dateFrom: 1_600_000_000_000 });
    assert.deepEqual([page.value.content, page.undecided], [[], ['datesUndecided']]);
    const all = await client.lots({ page: 0, dateTo: 1_800_000_000_000 });
    assert.deepEqual([all.value.content.length, all.undecided], [20, []]);
  });

  it('a zone that nobody knows leaves local dates in UTC, and is told', async () => {
    const exchange = await serve({
      reading: { dates: ['isoLocal'] },
      rows: { lots: rowsOf('lots', 30, { newestAt, spacingMs: hourMs }) },
      answers: {
        exchangeInfo:
          '{"rateLimits":[],"timezone":"Mars/Olympus","serverTime":1795217400005,"symbols":[]}',
      },
    });
    const client = clientFor(exchange, { dialect: { ...autoDialect, dates: 'isoLocal' } });
    const { undecided } = await client.lots({ page: 0, dateFrom: newestAt });
    assert.deepEqual(undecided, ['zoneUnknown']);
    assert.deepEqual((await client.lots({ page: 0 })).undecided, []);
    assert.equal(exchange.seen('lots')[0]?.query.get('dateFrom'), '2026-11-20T12:34:56.789');
    assert.deepEqual([client.book.timezone, client.book.knowsZone], ['Mars/Olympus', false]);
  });

  it('a zone that is not named leaves local dates in UTC, and is asked for once', async () => {
    const exchange = await serve({
      reading: { dates: ['isoLocal'] },
      rows: { lots: rowsOf('lots', 30, { newestAt, spacingMs: hourMs }) },
      answers: { exchangeInfo: '{"rateLimits":[],"timezone":null,"symbols":[]}' },
    });
    const client = clientFor(exchange, { dialect: { ...autoDialect, dates: 'isoLocal' } });
    for (const page of [0, 1])
      assert.deepEqual((await client.lots({ page, dateFrom: newestAt })).undecided, [
        'zoneUnknown',
      ]);
    assert.equal(exchange.seen('exchangeInfo').length, 1);
    assert.equal(exchange.seen('lots')[0]?.query.get('dateFrom'), '2026-11-20T12:34:56.789');
  });
});

describe('where pages begin, in ordinary use', () => {
  const serve = exchangesOfEachTest();

  it('shows by a page 0 without rows and a page 1 with some', async () => {
    const exchange = await serve({
      reading: { firstPage: 'oneLeavesZeroEmpty' },
      rows: { lots: 30 },
    });
    const client = clientFor(exchange, { dialect: autoDialect });
    assert.equal((await client.lots({ page: 0, size: 20 })).value.content.length, 20);
    assert.equal((await client.lots({ page: 1, size: 20 })).value.content.length, 10);
    assert.equal(client.book.facts.findings.firstPage?.reason, 'zeroEmpty');
    const pages = exchange.seen('lots').map(({ query }) => query.get('page'));
    assert.deepEqual(pages, ['0', '1', '2']);
  });

  it('is not asked for by page 1 again once a page 0 had rows', async () => {
    const exchange = await serve({ rows: { lots: 30 } });
    const client = clientFor(exchange, { dialect: autoDialect });
    const none = { page: 0, size: 20, symbol: 'eth_usdt' };
    for (const query of [none, { page: 0, size: 20 }, none]) await client.lots(query);
    const pages = exchange.seen('lots').map(({ query }) => query.get('page'));
    assert.deepEqual(pages, ['0', '1', '0', '0']);
    assert.equal(client.book.facts.findings.firstPage, undefined);
  });
});
