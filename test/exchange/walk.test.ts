import assert from 'node:assert/strict';
import { openStart, type Interval } from '../../src/base/interval.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import { historySource } from '../../src/exchange/history/source.ts';
import type { WalkCursor } from '../../src/exchange/history/walk/cursor.ts';
import { walk } from '../../src/exchange/history/walk/walk.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { exchangesOfEachTest, type HostileExchange } from '../support/hostileExchange.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';
import { idOf } from '../support/recordIds.ts';
import { walked, type Walked } from '../support/walked.ts';

const newestAt = 1_700_000_000_000;
const range: Interval = { from: openStart, to: newestAt + 1 };
const size = 50;
const trades = { operation: 'trades', filters: {} } as const;
/** How many trades there are, and how many of them share a moment. */
const countsAndTies = ([[0], [1], [size], [size + 1], [size, size], [180, 120]] as const).map(
  ([count, tied = 1]) => [count, tied] as const,
);
/** So that the exchange can apply a half-open range exactly. */
const dateTo = 'exclusive';

describe('a walk over HTTP', () => {
  const start = exchangesOfEachTest({ rateLimits: minuteLimit(1_000_000_000) });

  for (const firstPage of [0, 1, 'oneClampsZero', 'zero404PastEnd'] as const)
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      it(`returns every trade once, ${sort}, first page ${firstPage}`, async () => {
        for (const count of [0, 1, size, 180]) {
          const exchange = await start({
            reading: { dateTo, firstPage, sort, ties: sort === 'none' ? 'unstable' : 'stable' },
            rows: { trades: count },
          });
          const client = clientFor(exchange, {
            dialect: { firstPage: firstPage === 1 || firstPage === 'oneClampsZero' ? 1 : 0 },
          });
          await assertWhole(exchange, client);
        }
      });

  const answering = [0, 'oneClampsZero', 'oneLeavesZeroEmpty', 'zero404PastEnd'] as const;
  for (const firstPage of answering)
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      it(`returns no trade twice and reports every loss while the first page is unknown, ${sort}, first page ${firstPage}`, async () => {
        for (const [count, tied] of countsAndTies) {
          const exchange = await start({
            reading: { dateTo, firstPage, sort, ties: sort === 'none' ? 'unstable' : 'stable' },
            rows: { trades: rowsOf('trades', count, { newestAt, tied }) },
          });
          const client = clientFor(exchange, { dialect: { firstPage: 'auto' } });
          const { ids, end } = await tradesOf(client);
          assert.equal(new Set(ids).size, ids.length);
          if (end.completeness === 'complete')
            assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
          if (firstPage === 0 && tied <= size) assert.equal(end.completeness, 'complete');
        }
      });

  it('fails when the first page is unknown and page 0 is refused', async () => {
    const exchange = await start({ reading: { dateTo, firstPage: 1 }, rows: { trades: 180 } });
    const client = clientFor(exchange, { dialect: { firstPage: 'auto' } });
    const { kind, status } = await failureOf(tradesOf(client));
    assert.deepEqual([kind, status], ['refused', 400]);
  });

  for (const end of ['inclusive', 'exclusive'] as const)
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      for (const coarse of [{ cutsToSeconds: true }, { times: 's' }] as const)
        it(`returns every trade of many per second, ${sort}, dateTo ${end}, when ${Object.keys(coarse).join()} is coarse`, async () => {
          const rows = rowsOf('trades', 400, { newestAt: newestAt + 777, spacingMs: 130 });
          const exchange = await start({
            reading: { dateTo: end, sort, ...coarse },
            rows: { trades: rows },
          });
          const whole = { from: openStart, to: newestAt + 778 };
          await assertWhole(exchange, clientFor(exchange), whole);
        });

  it('returns every trade once despite failures that pass', async () => {
    const fault = { kind: 'resetMidBody' } as const;
    const exchange = await start({
      reading: { dateTo },
      rows: { trades: 180 },
      faults: [{ on: 'trades', from: 2, times: 2, fault }],
    });
    await assertWhole(exchange, clientFor(exchange));
  });

  it('resumes from its cursor after an error in the shape of an empty page', async () => {
    const text = '{"code":-1,"msg":"internal","content":[],"totalElements":0}';
    const fault = { kind: 'body', text } as const;
    const exchange = await start({
      reading: { dateTo },
      rows: { trades: 180 },
      faults: [{ on: 'trades', from: 5, times: 1, fault }],
    });
    const history = historySource(clientFor(exchange), trades, 'bulk');
    const ids: string[] = [];
    let cursor: WalkCursor | undefined;
    const goOn = async (): Promise<void> => {
      const options = { range, size, maxReads: 500, ...(cursor && { cursor }) };
      for await (const step of walk(history, options)) {
        ids.push(...step.items.map((item) => idOf(item)));
        cursor = step.cursor;
      }
    };
    await assert.rejects(goOn(), { name: 'ExchangeError' });
    assert.ok(ids.length > 0 && ids.length < 180);
    await goOn();
    assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
  });

  it('reads as few pages by local days as by days in UTC', async () => {
    for (const timezone of ['UTC', 'America/New_York', 'Pacific/Kiritimati'])
      for (const end of ['inclusive', 'exclusive'] as const) {
        const rows = rowsOf('trades', 600, { newestAt, spacingMs: 3_600_000 });
        const exchange = await start({
          reading: { dates: ['isoDate'], timezone, dateTo: end, maxPageSize: 30 },
          rows: { trades: rows },
        });
        const client = clientFor(exchange, { dialect: { dates: 'isoDate', dateTo: end } });
        await client.exchangeInfo();
        const found = await assertWhole(exchange, client);
        assert.ok(found.reads <= 31, `${timezone}, ${end}: ${found.reads} reads`);
      }
  });
});

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => String(id));

/** Walks over all trades: each is returned once, and the walk knows that these are all. */
async function assertWhole(exchange: HostileExchange, client: ExchangeClient, whole = range) {
  const { ids, end } = await tradesOf(client, whole);
  assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
  assert.equal(end.completeness, 'complete');
  return end;
}

async function tradesOf(client: ExchangeClient, whole: Interval = range): Promise<Walked> {
  const found = await walked(historySource(client, trades, 'bulk'), {
    range: whole,
    size,
    maxReads: 500,
  });
  return { ...found, ids: found.items.map(idOf) };
}
