import assert from 'node:assert/strict';
import { clientKey } from '../../src/exchange/client.ts';
import { readBoundedPage, type BoundedPage } from '../../src/account/history/boundedPeriod.ts';
import { autoConventions, type ApiConventions } from '../../src/exchange/history/apiConventions.ts';
import type { Trade } from '../../src/exchange/records.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import type { Reading } from '../support/hostileExchange/reading.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';
import type { SeenOperation } from '../support/hostileExchange/seen.ts';
import { type HistoryParameters, historyRequest, readHistory } from '../support/historyRequest.ts';

const hourMs = 3_600_000;
const newestAt = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const dayMs = 24 * hourMs;
const dateTo = newestAt + 1;

describe('the longest period of a request', () => {
  const serve = exchangesOfEachTest();

  /** Reads a page of an exchange with a trade every four hours. */
  async function read(
    query: HistoryParameters<'trades'>,
    reading: Partial<Reading>,
    faultOf: (request: SeenOperation) => number | undefined = () => undefined,
  ) {
    const exchange = await serve({
      reading,
      rows: { trades: rowsOf('trades', 300, { newestAt, spacingMs: 4 * hourMs }) },
      faultOf: (request) => {
        const status = request.operation === 'trades' ? faultOf(request) : undefined;
        return status === undefined ? undefined : { kind: 'status', status };
      },
    });
    const client = clientFor(exchange, { dialect: autoConventions });
    const page = await readHistory(client, 'trades', query).catch((error: unknown) => {
      assert.ok(error instanceof Error && error.name === 'ExchangeError');
      return undefined;
    });
    const { maxRangeDays: finding } = client.conventions.learned.findings;
    return { page, days: finding?.concluded, weight: exchange.weightOf('trades') };
  }
  const ninePastDays = { page: 0, size: 50, dateFrom: newestAt - 9 * dayMs, dateTo };
  const fortyPastDays = { ...ninePastDays, dateFrom: newestAt - 40 * dayMs };

  const others: readonly [string, HistoryParameters<'trades'>, Partial<Reading>][] = [
    ['the smallest page size', fortyPastDays, { maxPageSize: 10, largerPages: 'refused' }],
    ['the page number', { ...ninePastDays, page: 9 }, { firstPage: 'zero404PastEnd' }],
    ['the date format', fortyPastDays, { dates: ['isoLocal'] }],
  ];
  for (const [name, query, reading] of others)
    it(`is not concluded from a refusal of ${name}`, async () => {
      const { page, days, weight } = await read(query, reading);
      assert.deepEqual([page, days], [undefined, undefined]);
      assert.ok(weight <= 30);
    });

  const faults: readonly [string, number, (request: SeenOperation) => number | undefined][] = [
    ['a refusal that has passed', 40, ({ nth }) => (nth === 1 ? 400 : undefined)],
    [
      'a refusal of what is long ago',
      30,
      ({ query }) => (Number(query.get('dateFrom')) < newestAt - 30 * dayMs ? 400 : undefined),
    ],
    [
      'a failure while it is looked for, which is not retried',
      30,
      ({ nth }) => [400, undefined, 503][nth - 1],
    ],
  ];
  for (const [name, cost, faultOf] of faults)
    it(`is not concluded from ${name}`, async () => {
      const { page, days, weight } = await read(fortyPastDays, {}, faultOf);
      assert.deepEqual([page, days, weight], [undefined, undefined, cost]);
    });

  it('is not concluded from a refusal of dates that lie ahead', async () => {
    const ahead = { ...fortyPastDays, dateTo: Date.UTC(2200, 0, 1) };
    const isAhead = ({ query }: SeenOperation) =>
      Number(query.get('dateTo')) > Date.UTC(2150, 0, 1) ? 400 : undefined;
    const { page, days, weight } = await read(ahead, {}, isAhead);
    assert.deepEqual([page, days, weight], [undefined, undefined, 40]);
  });

  it('is not concluded when the start of a period is required', async () => {
    const isOpen = ({ query }: SeenOperation) => (query.has('dateFrom') ? undefined : 400);
    const { page, days, weight } = await read({ page: 0, size: 50, dateTo }, {}, isOpen);
    assert.deepEqual([page, days, weight], [undefined, undefined, 40]);
  });
});

const idsOf = (page: BoundedPage): readonly string[] =>
  page.records.map((trade) => (trade as Trade).tradeId);

describe('a period that is longer than that', () => {
  const serve = exchangesOfEachTest();
  type Options = Parameters<typeof serve>[0];
  type TradeParameters = HistoryParameters<'trades'>;

  /** An exchange, and a reader of its trades at a fixed time. */
  async function open(options: Options, dialect: Partial<ApiConventions> = {}) {
    const exchange = await serve(options);
    const client = clientFor(exchange, { dialect: { ...autoConventions, ...dialect } });
    const fixed: Pick<typeof client, 'history' | 'conventions' | 'serverNow'> = {
      history: (request, sending) => client.history(request, sending),
      conventions: client.conventions,
      serverNow: () => newestAt + hourMs,
    };
    const read = (parameters: TradeParameters, to?: number | null) =>
      readBoundedPage(
        { [clientKey]: fixed },
        historyRequest('trades', parameters),
        typeof to === 'number' ? { to, isLatest: false } : undefined,
        {},
      );
    return { exchange, conventions: client.conventions, read };
  }

  function openAt(reading: Partial<Reading>, spacingMs: number, count: number) {
    return open({ reading, rows: { trades: rowsOf('trades', count, { newestAt, spacingMs }) } });
  }

  /** All pages of all parts, from the latest part to the oldest. */
  async function readAll(
    read: (parameters: TradeParameters, to?: number | null) => Promise<BoundedPage>,
    parameters: Omit<TradeParameters, 'page'>,
  ) {
    const parts: { readonly ids: readonly string[]; readonly pages: readonly BoundedPage[] }[] = [];
    let to: number | null | undefined;
    do {
      const pages: BoundedPage[] = [];
      do pages.push(await read({ ...parameters, page: pages.length }, to));
      while (pages.length < Number(pages[0]?.totals.totalPages));
      to = pages[0]?.part?.older;
      parts.push({ ids: pages.flatMap(idsOf), pages });
    } while (typeof to === 'number');
    return parts;
  }

  for (const maxRangeDays of [200, 90, 45, 30, 7, 1])
    it(`is read in parts of at most ${maxRangeDays} days after it was refused`, async () => {
      const { conventions, exchange, read } = await openAt({ maxRangeDays }, 4 * hourMs, 60);
      const query = { page: 0, size: 50, dateFrom: newestAt - 9 * dayMs, dateTo };
      const { part, count } = await read(query);
      const isShort = maxRangeDays < 9;
      assert.equal(conventions.sourceOf('maxRangeDays'), isShort ? 'learned' : 'assumed');
      assert.equal(conventions.current.maxRangeDays, isShort ? maxRangeDays : null);
      assert.equal(part && part.to - part.from, isShort ? maxRangeDays * dayMs : null);
      assert.equal(count, isShort ? maxRangeDays * 6 : 55);
      assert.ok(exchange.weightOf('trades') <= 70);
    });

  for (const sort of ['newestFirst', 'oldestFirst'] as const)
    it(`has exact counts in each part, also in an empty one, ${sort}`, async () => {
      const near = rowsOf('trades', 25, { newestAt, spacingMs: hourMs });
      const farAt = newestAt - 40 * dayMs;
      const far = rowsOf('trades', 13, { newestAt: farAt, spacingMs: hourMs, firstId: 5000n });
      const trades = [...near, ...far];
      const { read } = await open(
        { reading: { maxRangeDays: 10, sort }, rows: { trades } },
        { maxRangeDays: 10, sort },
      );
      const parts = await readAll(read, { size: 10, dateFrom: newestAt - 45 * dayMs, dateTo });
      const counts = parts.map(({ pages: [first] }) => [first?.count, first?.totals.totalPages]);
      assert.deepEqual(counts, [
        [25, '3'],
        [0, '0'],
        [0, '0'],
        [0, '0'],
        [13, '2'],
      ]);
      const inOrder = (rows: readonly Row[]) =>
        rows
          .toSorted((a, b) => (sort === 'oldestFirst' ? a.at - b.at : b.at - a.at))
          .map(({ id }) => String(id));
      assert.deepEqual([parts[0]?.ids, parts[4]?.ids], [inOrder(near), inOrder(far)]);
    });

  for (const dates of ['epochS', 'isoLocal', 'isoDate'] as const)
    for (const sort of ['newestFirst', 'oldestFirst'] as const)
      it(`has each row in one part, and no part is too long as it is written: ${dates}, ${sort}`, async () => {
        // At the end of October, Berlin's clocks show an hour twice.
        const to = dates === 'isoLocal' ? Date.UTC(2026, 10, 1, 0, 30) : dateTo;
        const from = to - 20 * dayMs;
        const rows = rowsOf('trades', 300, { newestAt, spacingMs: 4 * hourMs });
        const bound = { maxRangeDays: 7, sort };
        const whole = dates === 'isoDate' ? 'inclusive' : 'exclusive';
        const reading = { dates: [dates], timezone: 'Europe/Berlin', dateTo: whole } as const;
        const { read } = await open(
          { reading: { ...reading, ...bound }, rows: { trades: rows } },
          { dates, ...bound },
        );
        for (const size of [10, 500]) {
          const parts = await readAll(read, { size, dateFrom: from, dateTo: to });
          assert.ok(parts.length >= 3);
          for (const { pages, ids } of parts)
            for (const { count } of pages) assert.ok(count === null || count === ids.length);
          const inside = rows.filter(({ at }) => at >= from && at < to);
          assert.equal(inside.length, 120);
          const seen = parts.flatMap(({ ids }) => ids);
          assert.deepEqual(seen.toSorted(), inside.map(({ id }) => String(id)).toSorted());
        }
      });

  it('needs no start: Older goes back as far as the user wants', async () => {
    const trades = rowsOf('trades', 30, { newestAt, spacingMs: dayMs });
    const reading = { maxRangeDays: 10 };
    const { exchange, read } = await open({ reading, rows: { trades } }, { maxRangeDays: 10 });
    const latest = await read({ page: 0, size: 20 });
    const older = await read({ page: 0, size: 20 }, latest.part?.older);
    assert.deepEqual([idsOf(latest).length, idsOf(older).length], [10, 10]);
    assert.equal(exchange.weightOf('trades'), 20);
  });
});
