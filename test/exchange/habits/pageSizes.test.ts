import assert from 'node:assert/strict';
import * as v from 'valibot';
import { always } from '../../../src/base/interval.ts';
import { readBoundedPage } from '../../../src/account/history/boundedPeriod.ts';
import { dayMs, minuteMs, secondMs } from '../../../src/base/time.ts';
import { clientKey, type ExchangeClient } from '../../../src/exchange/client.ts';
import {
  autoConventions,
  type ConventionSettings,
} from '../../../src/exchange/history/apiConventions.ts';
import { learnedConventionsSchema } from '../../../src/exchange/history/learnedConventions.ts';
import { clientFor } from '../../support/exchangeClient.ts';
import { failureOf } from '../../support/failureOf.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { testHabits } from '../../support/habits.ts';
import { exchangesOfEachTest, type HostileExchange } from '../../support/hostileExchange.ts';
import type { Reading } from '../../support/hostileExchange/reading.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import type { SeenOperation } from '../../support/hostileExchange/seen.ts';
import { folderOfEachTest } from '../../support/project.ts';
import { metaOf, TestExporter } from '../../support/testExporter.ts';

/** On no whole second. */
const newestAt = Math.floor(Date.now() / secondMs) * secondMs - 10 * minuteMs + 123;
const trades = { operation: 'trades', filters: {} } as const;
type Sizes = { readonly lots: number; readonly trades: number };

describe('page sizes', () => {
  const serve = exchangesOfEachTest();
  const scratch = folderOfEachTest();

  /** An exchange that refuses larger pages of lots and trades. */
  function exchange(most: Sizes, reading: Partial<Reading> = {}) {
    const options = { newestAt, spacingMs: 7 * minuteMs };
    const faultOf = ({ operation, query }: SeenOperation) =>
      (operation === 'lots' || operation === 'trades') &&
      Number(query.get('size') ?? 20) > most[operation]
        ? ({ kind: 'status', status: 400 } as const)
        : undefined;
    const rows = { lots: rowsOf('lots', 630, options), trades: rowsOf('trades', 630, options) };
    return serve({ rows, reading, faultOf });
  }

  const clientOf = (to: HostileExchange, dialect: Partial<ConventionSettings> = {}) =>
    clientFor(to, { dialect: { ...autoConventions, ...dialect } });
  const panelOf = (client: ExchangeClient, size = 100, from = newestAt - dayMs) =>
    readBoundedPage(
      { [clientKey]: client },
      { ...trades, period: { ...always, from }, page: 0, size },
      undefined,
      {},
    );
  const exportOf = async (client: ExchangeClient) => {
    const period = { from: newestAt - 3 * dayMs };
    const exporter = new TestExporter(scratch.path, new FakeClock(Date.now()));
    const file = await exporter.export(client, trades, { period });
    const { rows, completeness } = await metaOf(file);
    return [rows, completeness];
  };
  const learnedOf = ({ conventions }: ExchangeClient) => [
    conventions.maxPageSize('lots'),
    conventions.maxPageSize('trades'),
  ];

  testHabits('page sizes', [
    {
      habit: 'a page size above the maximum is refused',
      source: 'ccxt#9904',
      sees: 'a connection test that learns its conventions, and panels and exports with all rows',
      check: async () => {
        for (const most of [100, 50, 20]) {
          const client = clientOf(await exchange({ lots: most, trades: most }));
          await client.probeConventions();
          const { conventions } = client;
          const sources = (['firstPage', 'dates', 'sort'] as const).map((name) =>
            conventions.sourceOf(name),
          );
          assert.deepEqual(sources, ['learned', 'learned', 'learned'], String(most));
          const page = await panelOf(client);
          assert.equal(page.records.length, most);
          assert.deepEqual(await exportOf(client), [618, 'complete']);
          assert.deepEqual(learnedOf(client), [most, most]);
        }
      },
    },
    {
      habit: 'each history has a maximum of its own',
      source: 'ccxt#9904: lots 500, trades 100',
      sees: 'the largest pages of each history',
      check: async () => {
        for (const most of [
          { lots: 500, trades: 100 },
          { lots: 100, trades: 500 },
        ]) {
          const client = clientOf(await exchange(most));
          await client.probeConventions();
          assert.deepEqual(await exportOf(client), [618, 'complete']);
          const expected = [most.lots, most.trades].map((size) => (size === 500 ? null : size));
          assert.deepEqual(learnedOf(client), expected);
        }
      },
    },
    {
      habit: 'a large page and a long period are both refused',
      source: 'a sibling of ccxt#9904',
      sees: 'a panel of one part of the period, and both limits learned',
      check: async () => {
        const server = await exchange({ lots: 50, trades: 50 }, { maxRangeDays: 7 });
        const client = clientOf(server);
        const { part, records } = await panelOf(client, 500, newestAt - 60 * dayMs);
        assert.deepEqual([records.length, part && part.to - part.from], [50, 7 * dayMs]);
        assert.deepEqual(learnedOf(client), [null, 50]);
      },
    },
    {
      habit: 'a page is refused for another reason, or once',
      source: 'a sibling of ccxt#9904',
      sees: 'the refusal, after two more requests at most, and nothing learned',
      check: async () => {
        const refused = { kind: 'status', status: 422 } as const;
        for (const [most, requests] of [
          [Infinity, 2],
          [1, 3],
        ] as const) {
          const rows = { trades: 200 };
          const server = await serve({
            rows,
            faultOf: ({ nth, operation }) =>
              operation === 'trades' && nth <= most ? refused : undefined,
          });
          const client = clientOf(server);
          const request = { ...trades, period: always, page: 0, size: 100 } as const;
          assert.equal((await failureOf(client.history(request))).status, 422);
          assert.deepEqual([server.seen('trades').length, learnedOf(client)[1]], [requests, null]);
        }
      },
    },
    {
      habit: 'a page size above the maximum is refused, and the user has set a size',
      source: 'a sibling of ccxt#9904',
      sees: 'the refusal of that size, which is never replaced',
      check: async () => {
        const server = await exchange({ lots: 50, trades: 50 });
        for (const maxPageSize of [200, null]) {
          const client = clientOf(server, { maxPageSize });
          const request = { ...trades, period: always, page: 0, size: 500 } as const;
          assert.equal((await failureOf(client.history(request))).status, 400);
          assert.deepEqual(learnedOf(client), [maxPageSize, maxPageSize]);
        }
        assert.equal(server.seen('trades').length, 2);
      },
    },
  ]);

  it('that were learned have evidence and are kept', async () => {
    const most = { lots: 20, trades: 100 };
    const client = clientOf(await exchange(most));
    await client.history({ ...trades, period: always, page: 0, size: 500 });
    const { learned, resolved } = client.conventions;
    const kept = v.parse(learnedConventionsSchema, JSON.parse(JSON.stringify(learned)));
    assert.deepEqual(kept.findings, learned.findings);
    const row = resolved.find(({ name }) => name === 'maxPageSize');
    const asked = row?.finding?.evidence.map((one) => [
      ...one.asked.map(([, value]) => value),
      one.answer.kind,
    ]);
    assert.deepEqual(asked, [
      ['0', '20', 'rows'],
      ['0', '500', 'refused'],
      ['0', '100', 'rows'],
    ]);
    assert.deepEqual([row?.source, row?.value], ['learned', 'trades 100']);
    await client.probeConventions();
    assert.deepEqual(learnedOf(client), [20, 100]);
  });
});
