import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { HistoryRecord } from '../../../src/exchange/history/records.ts';
import { clientFor } from '../../support/exchangeClient.ts';
import { testHabits } from '../../support/habits.ts';
import { readHistory } from '../../support/historyRequest.ts';
import { exchangesOfEachTest } from '../../support/hostileExchange.ts';
import { rowsOf } from '../../support/hostileExchange/rows.ts';
import { ledgersOfEachTest } from '../../support/ledgerUnderTest.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { readParquet } from '../../support/readParquet.ts';
import { readXlsx } from '../../support/readXlsx.ts';
import { metaOf, TestExporter } from '../../support/testExporter.ts';

const newestAt = Date.UTC(2026, 9, 1, 12, 0, 0, 123);
const spacingMs = 60_007;
const count = 20;
const mayLack = ['orderId', 'rpnl', 'feeAsset', 'side', 'maker', 'type'] as const;
const trades = { operation: 'trades', filters: {} } as const;

const withPoint = (text: string, digits: number): string =>
  `${text.slice(0, digits)}.${text.slice(digits)}`;

describe('rows of other exchanges', () => {
  const serve = exchangesOfEachTest();
  const ledgers = ledgersOfEachTest();

  async function exchangeWith(fields: (index: number) => Readonly<Record<string, string>>) {
    const rows = rowsOf('trades', count, { newestAt, spacingMs, fields });
    const client = clientFor(await serve({ rows: { trades: rows } }));
    const exporter = new TestExporter(ledgers.folder);
    const exportAs = async (format: 'csv' | 'jsonl' | 'parquet' | 'xlsx') => {
      const file = await exporter.export(client, trades, { format });
      const { rows: written, completeness, badRecords } = await metaOf(file);
      assert.deepEqual([written, completeness, badRecords.atMost], [count, 'complete', 0], format);
      return file;
    };
    return { client, exportAs };
  }

  /** What a ledger has of these records in a period. */
  async function storedIn(records: readonly HistoryRecord[], from: number, to: number) {
    const ledger = ledgers.open(ledgers.ledgers.create());
    const walk = { history: 'trades', from: 0, to: newestAt + 1, asOf: newestAt } as const;
    const { id } = await ledger.beginWalk({ ...walk, purpose: 'download' });
    await ledger.saveStep(id, records, null);
    return ledger.recordsIn('trades', { from, to }, 100);
  }

  /** Every way to the rows has all of them, with the text of the exchange, in the order of their moments. */
  async function checkTimes(write: (epochMs: string) => string, precisionMs = 1): Promise<void> {
    const times = Array.from({ length: count }, (_none, index) => newestAt - index * spacingMs);
    const written = times.map((time) => write(String(time)));
    const { client, exportAs } = await exchangeWith((index) => ({ time: written[index] ?? '' }));
    const expected = written.map((text) => text.replaceAll('"', ''));
    const period = { dateFrom: times[5], dateTo: newestAt + 1 };
    const { value, badRecords } = await readHistory(client, 'trades', { size: 50, ...period });
    const shown = value.content.map(({ time }) => time);
    assert.deepEqual([shown, badRecords], [expected.slice(0, shown.length), []]);
    assert.ok(shown.length >= 5);
    const all = await readHistory(client, 'trades', { size: 50 });
    const [from = 0, to] = [times[5], newestAt + 1];
    const stored = await storedIn(all.value.content, from - precisionMs + 1, to);
    assert.deepEqual(
      stored.map((record) => 'time' in record && record.time),
      expected.slice(0, 6),
    );
    const [head = [], ...cells] = parseCsv(await readFile(await exportAs('csv'), 'utf8'));
    const at = head.indexOf('time');
    assert.deepEqual(
      cells.map((row) => row[at]),
      expected,
    );
    const moments = times.map((time) => time - (time % precisionMs));
    const utcOf = (row: readonly string[]): number => Date.parse(row[at + 1] ?? '');
    assert.deepEqual(cells.map(utcOf), moments);
    const table = await readParquet(await exportAs('parquet'));
    assert.deepEqual(
      table.rows.map(({ timeUtc }) => Number(timeUtc)),
      moments,
    );
    const [sheet] = await readXlsx(await exportAs('xlsx'));
    assert.equal(sheet?.rows[0]?.timeUtc?.type, 'date');
    const lines = (await readFile(await exportAs('jsonl'), 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => /"time":([^,]+)/.exec(line)?.[1]),
      expected,
    );
  }

  const sees = 'every row, its time as it was sent, in order';
  testHabits('rows of other exchanges', [
    {
      habit: 'a time has a fraction of a millisecond',
      source: 'JavaScript and Lua exchanges: 1790000000000.5',
      sees,
      check: () => checkTimes((ms) => `${ms}.5`),
    },
    {
      habit: 'a time has an exponent',
      source: 'Lua and PHP exchanges: 1.79E12',
      sees,
      check: () => checkTimes((ms) => `${withPoint(ms, 1)}E12`),
    },
    {
      habit: 'a time is seconds with a fraction, in quotes',
      source: 'a sibling of 1790000000000.5: Python exchanges',
      sees,
      check: () => checkTimes((ms) => `"${withPoint(ms, 10)}"`),
    },
    {
      habit: 'a time is whole seconds, in quotes',
      source: 'a sibling of 1790000000000.5',
      sees,
      check: () => checkTimes((ms) => `"${ms.slice(0, 10)}"`, 1000),
    },
    {
      habit: `each trade lacks one of ${mayLack.join(', ')}`,
      source: 'ccxt safeTrade: orderId, rpnl or feeAsset; the others are siblings',
      sees: 'the row, with only that field unknown',
      check: async () => {
        const lackOf = (index: number): string => mayLack[index % mayLack.length] ?? '';
        const { client, exportAs } = await exchangeWith((index) => ({ [lackOf(index)]: 'null' }));
        const { value, badRecords } = await readHistory(client, 'trades', { size: 50 });
        assert.deepEqual([value.content.length, badRecords], [count, []]);
        const stored = await storedIn(value.content, 0, newestAt + 1);
        assert.deepEqual(stored, value.content);
        for (const format of ['csv', 'parquet', 'xlsx'] as const) await exportAs(format);
        for (const [index, trade] of stored.entries())
          assert.equal(new Map(Object.entries(trade)).get(lackOf(index)), null);
      },
    },
  ]);
});
