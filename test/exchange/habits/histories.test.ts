import assert from 'node:assert/strict';
import { always } from '../../../src/base/interval.ts';
import { clientKey } from '../../../src/exchange/client.ts';
import { readBoundedPage } from '../../../src/account/history/boundedPeriod.ts';
import { historySource } from '../../../src/exchange/history/source.ts';
import type { HistorySelection } from '../../../src/exchange/history/records.ts';
import { english } from '../../support/english.ts';
import { clientFor } from '../../support/exchangeClient.ts';
import { failureOf } from '../../support/failureOf.ts';
import { testHabits } from '../../support/habits.ts';
import { readHistory } from '../../support/historyRequest.ts';
import { exchangesOfEachTest } from '../../support/hostileExchange.ts';
import type { Reading } from '../../support/hostileExchange/reading.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { serversOfEachTest } from '../../support/hostileServer.ts';
import { folderOfEachTest } from '../../support/project.ts';
import { metaOf, TestExporter } from '../../support/testExporter.ts';

const newestAt = Date.UTC(2026, 9, 1, 12, 0, 0, 123);
const trades: HistorySelection = { operation: 'trades', filters: {} };

describe('empty lists', () => {
  const exchange = exchangesOfEachTest();
  const serve = serversOfEachTest();
  const scratch = folderOfEachTest();

  async function exportOf(reading: Partial<Reading>, count: number) {
    const rows = { trades: rowsOf('trades', count, { newestAt, spacingMs: 60_000 }) };
    const { url } = await exchange({ rows, reading: { maxPageSize: 10, ...reading } });
    const client = clientFor({ url });
    const exporter = new TestExporter(scratch.path);
    const meta = await metaOf(await exporter.export(client, trades));
    const page = await readBoundedPage(
      { [clientKey]: client },
      { ...trades, period: always, page: 40, size: 10 },
      undefined,
      {},
    );
    assert.deepEqual([page.records, page.badRecords], [[], []]);
    return [meta.rows, meta.completeness, meta.reason];
  }

  /** What a walk reads of one answer. */
  async function readOf(answer: string, page = 0) {
    const client = clientFor(await serve((_request, response) => response.end(answer)));
    const history = historySource(client, trades, 'bulk');
    return history.read({ from: 0, to: 1e12 }, page, 10);
  }

  testHabits('empty lists', [
    {
      habit: 'an empty list is null, and the exchange counts the rows',
      source: 'ccxt#536',
      sees: 'an empty page, and exports that are complete',
      check: async () => {
        const reading = { emptyLists: 'null' } as const;
        assert.deepEqual(await exportOf(reading, 30), [30, 'complete', null]);
        assert.deepEqual(await exportOf(reading, 0), [0, 'complete', null]);
      },
    },
    {
      habit: 'an empty list is null, and there is no count',
      source: 'a sibling of ccxt#536',
      sees: 'an empty page, and every row in an export of which no end is proved',
      check: async () => {
        const reading = { emptyLists: 'null', totals: 'missing' } as const;
        assert.deepEqual(await exportOf(reading, 30), [30, 'unknown', 'endUnproven']);
        assert.deepEqual(await exportOf(reading, 0), [0, 'unknown', 'endUnproven']);
      },
    },
    {
      habit: 'an empty list is left out of its envelope',
      source: 'a sibling of ccxt#536: omitempty of Go',
      sees: 'an empty page, and exports that are complete',
      check: async () => {
        assert.deepEqual(await exportOf({ emptyLists: 'missing' }, 30), [30, 'complete', null]);
      },
    },
    {
      habit: 'a list is null although the exchange counts rows that are left',
      source: 'a sibling of ccxt#536',
      sees: 'an error, never an empty page',
      check: async () => {
        for (const [count, page] of [
          [1, 0],
          [15, 1],
        ] as const) {
          const answer = `{"content":null,"size":10,"totalElements":${count}}`;
          const failure = await failureOf(readOf(answer, page));
          assert.equal(english(failure.detail), '$.content should be a list and is null');
        }
      },
    },
    {
      habit: 'an error in the shape of an object without a list',
      source: 'a sibling of ccxt#536',
      sees: 'an error, never an empty page',
      check: async () => {
        for (const answer of ['{}', 'null', '{"status":"busy"}', '{"size":10}'])
          assert.equal((await failureOf(readOf(answer))).kind, 'malformed', answer);
      },
    },
  ]);

  it('are no page of rows for an exchange that counts pages from 1', async () => {
    const rows = { trades: rowsOf('trades', 3, { newestAt }) };
    const reading = { firstPage: 'oneLeavesZeroEmpty', emptyLists: 'null' } as const;
    const { url } = await exchange({ rows, reading: { ...reading, totals: 'missing' } });
    const client = clientFor({ url }, { dialect: { firstPage: 'auto' } });
    assert.equal((await readHistory(client, 'trades', { size: 10 })).value.content.length, 3);
  });
});
