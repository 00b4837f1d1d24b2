import assert from 'node:assert/strict';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { Trade } from '../../src/exchange/records.ts';
import { walk, type WalkEnd } from '../../src/exchange/walk.ts';
import type { History } from '../../src/exchange/walk/history.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';

const newestAt = 1_700_000_000_000;
const range = { from: undefined, to: newestAt + 1 };
const size = 50;
/** So that a half-open range can be said exactly. */
const dateTo = 'exclusive';

describe('a walk over HTTP', () => {
  const start = exchangesOfEachTest();

  for (const firstPage of [0, 1, 'oneClampsZero', 'zero404PastEnd'] as const)
    for (const sort of ['newestFirst', 'oldestFirst', 'none'] as const)
      it(`gives every trade once, ${sort}, first page ${firstPage} (§13.9)`, async () => {
        for (const count of [0, 1, size, 180]) {
          const exchange = await start({
            reading: { dateTo, firstPage, sort, ties: sort === 'none' ? 'unstable' : 'stable' },
            rows: { trades: count },
          });
          const client = clientFor(exchange, {
            dialect: { firstPage: firstPage === 1 || firstPage === 'oneClampsZero' ? 1 : 0 },
          });
          const { ids, end } = await walked(client);
          assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
          assert.equal(end.completeness, 'complete');
        }
      });

  it('keeps to that while trades come in, share a moment, change places and leave (§13.8)', async () => {
    const tied = rowsOf('trades', 200, { newestAt: newestAt - 60_000, tied: 200, firstId: 5000n });
    const rows = [...rowsOf('trades', 300, { newestAt }), ...tied];
    let nextId = 9000n;
    const exchange = await start({
      reading: { dateTo, ties: 'unstable' },
      rows: { trades: rows },
      onRequest: () => {
        const row = { ...(rows[0] ?? assert.fail()), at: newestAt + 1000, id: nextId++ };
        exchange.insert('trades', [row]);
        exchange.remove('trades', ({ id }) => id === 300n - (nextId - 9000n) * 9n);
      },
    });
    const { ids, end } = await walked(clientFor(exchange));
    const steady = idsOf(exchange.rows('trades')).filter((id) => BigInt(id) < 9000n);
    assert.deepEqual(
      steady.filter((id) => !ids.includes(id)),
      [],
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => BigInt(id) < 9000n));
    assert.notEqual(end.completeness, 'unknown', end.reason);
  });

  for (const totals of ['minusOne', 'shrinking', { always: 7 }] as const)
    it(`is not misled by a cap and by totals that are ${JSON.stringify(totals)} (§13.10)`, async () => {
      const exchange = await start({
        reading: { dateTo, maxPageSize: 20, totals },
        rows: { trades: 130 },
      });
      const { ids, end } = await walked(clientFor(exchange));
      assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
      assert.equal(end.completeness, 'complete');
    });

  it('says that it does not know where the exchange looks at no dates', async () => {
    const exchange = await start({
      reading: { ignores: ['dateFrom', 'dateTo'] },
      rows: { trades: 180 },
    });
    const { ids, end } = await walked(clientFor(exchange));
    assert.deepEqual(ids.toSorted(), idsOf(exchange.rows('trades')).toSorted());
    assert.deepEqual([end.completeness, end.reason], ['unknown', 'endsIgnored']);
  });
});

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => String(id));

async function walked(client: ExchangeClient): Promise<{ ids: string[]; end: WalkEnd }> {
  const ids: string[] = [];
  const steps = walk(tradesOf(client), { range, size, maxReads: 500 });
  for (;;) {
    const next = await steps.next();
    if (next.done) return { ids, end: next.value };
    ids.push(...next.value.items.map(({ tradeId }) => tradeId));
  }
}

/** The trades as a walk reads them. */
function tradesOf(client: ExchangeClient): History<Trade> {
  const isIn = ({ time }: Trade, from: number | undefined, to: number): boolean =>
    Number(time) < to && Number(time) >= (from ?? -Infinity);
  return {
    idOf: ({ tradeId }) => tradeId,
    timeOf: ({ time }) => Number(time),
    resolutionMs: 1,
    maxPageSize: null,
    maxRangeMs: null,
    read: async ({ from, to }, page, pageSize, signal) => {
      const query = { page, size: pageSize, dateFrom: from, dateTo: to };
      const { value, badRecords } = await client.trades(query, signal);
      const items = value.content.filter((trade) => isIn(trade, from, to));
      const outside = value.content.length - items.length;
      const totalElements = Number(value.totalElements);
      return { items, badRecords, outside, totalElements, totalPages: Number(value.totalPages) };
    },
  };
}
