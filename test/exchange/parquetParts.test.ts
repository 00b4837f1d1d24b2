import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf, type Row } from '../support/hostileExchange/rows.ts';
import { folderOfEachTest } from '../support/project.ts';
import { readParquet } from '../support/readParquet.ts';
import { metaOf, TestExporter, type Meta } from '../support/testExporter.ts';

const trades: HistorySelection = { operation: 'trades', filters: {} };
const format = 'parquetParts';

type Part = { readonly file: string; readonly rows: number; readonly sha256: string };

describe('an export as Parquet by month', () => {
  const exchange = exchangesOfEachTest();
  const scratch = folderOfEachTest();
  let exporter: TestExporter;

  beforeEach(() => void (exporter = new TestExporter(scratch.path)));

  /** Trades of January with two decimals, and of February with eight. */
  const twoMonths = (): Row[] => [
    ...monthOfTrades('2026-02-28T23:59:59.999Z', 500, (index) => `-${index}.1234567${index % 10}`),
    ...monthOfTrades('2026-01-31T23:59:59.999Z', 400, (index) => `9007199254740993.${index % 10}5`),
  ];

  const partsOf = (meta: Meta): readonly Part[] => meta.parts as readonly Part[];

  it('is one table for DuckDB, with one scale over all months, digit for digit', async () => {
    const rows = twoMonths();
    const { url } = await exchange({ rows: { trades: rows } });
    const folder = await exporter.export(clientFor({ url }), trades, { format });
    const table = await readParquet(
      `read_parquet('${folder}/**/*.parquet', hive_partitioning = true)`,
    );
    const { types } = table;
    assert.deepEqual([types.rpnl, types.amount], ['DECIMAL(38,8)', 'DECIMAL(38,1)']);
    const found = new Map(table.rows.map((row) => [row.tradeId, row]));
    assert.equal(found.size, rows.length);
    for (const { id, json, at } of rows) {
      const row = found.get(String(id)) ?? assert.fail(`no row ${id}`);
      const [whole = '', decimals = ''] = (json.rpnl ?? '').split('.');
      assert.equal(row.rpnl, `${whole}.${decimals.padEnd(8, '0')}`);
      const { account, operation, month, timeUtc } = row;
      const expected = ['Main', 'trades', new Date(at).toISOString().slice(0, 7), String(at)];
      assert.deepEqual([account, operation, month, timeUtc], expected);
    }
  });

  it('has a folder for each account, operation and month, which the meta file names', async () => {
    const { url } = await exchange({ rows: { trades: twoMonths() } });
    const profile = { name: 'Jo & Co. * ÄÖ' };
    const folder = await exporter.export(clientFor({ url }), trades, { format, profile });
    const meta = await metaOf(folder);
    const parent = 'account=Jo%20%26%20Co%2E%20%2A%20%C3%84%C3%96/operation=trades';
    assert.deepEqual(
      partsOf(meta).map(({ file, rows }) => [file, rows]),
      [
        [`${parent}/month=2026-01/rows.parquet`, 400],
        [`${parent}/month=2026-02/rows.parquet`, 500],
      ],
    );
    for (const { file, sha256 } of partsOf(meta)) {
      const bytes = await readFile(path.join(folder, file));
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    }
    const { rows, completeness, sha256, columns } = meta;
    assert.deepEqual([rows, completeness, sha256], [900, 'complete', undefined]);
    assert.equal((columns as Record<string, string>).rpnl, 'DECIMAL(38, 8)');
    const table = await readParquet(
      `read_parquet('${folder}/**/*.parquet', hive_partitioning = true)`,
    );
    assert.equal(table.rows[0]?.account, profile.name);
  });

  it('tells the two accounts of transactions apart', async () => {
    const { url } = await exchange({ rows: { transactions: 3 } });
    const selection: HistorySelection = {
      operation: 'transactions',
      filters: { accountType: 'SPOT' },
    };
    const folder = await exporter.export(clientFor({ url }), selection, { format });
    const [part = assert.fail('no part')] = partsOf(await metaOf(folder));
    assert.match(part.file, /^account=Main\/operation=spotTransactions\/month=/);
  });

  it('is valid without rows', async () => {
    const { url } = await exchange();
    const folder = await exporter.export(clientFor({ url }), trades, { format });
    const { rows, types } = await readParquet(`read_parquet('${folder}/**/*.parquet')`);
    assert.deepEqual([rows.length, types.maker], [0, 'BOOLEAN']);
  });

  it('writes hundreds of months', async () => {
    const every = 40 * 86_400_000;
    const rows = rowsOf('trades', 200, { newestAt: Date.UTC(2026, 0, 1), spacingMs: every });
    const { url } = await exchange({ rows: { trades: rows } });
    const folder = await exporter.export(clientFor({ url }), trades, { format });
    const meta = await metaOf(folder);
    assert.ok(partsOf(meta).length > 190);
    const table = await readParquet(`read_parquet('${folder}/**/*.parquet')`);
    assert.equal(new Set(table.rows.map(({ tradeId }) => tradeId)).size, 200);
  });

  it('never replaces a folder', async () => {
    const server = await exchange({ rows: { trades: 3 } });
    const existing = path.join(scratch.path, 'mine');
    await mkdir(existing);
    await writeFile(path.join(existing, 'note.txt'), 'keep');
    const exported = exporter.export(clientFor(server), trades, { format, name: 'mine' });
    await assert.rejects(exported, { name: 'ExportFileError', location: 'target' });
    assert.equal(await readFile(path.join(existing, 'note.txt'), 'utf8'), 'keep');
  });
});

function monthOfTrades(newest: string, count: number, rpnl: (index: number) => string): Row[] {
  const newestAt = Date.parse(newest);
  const firstId = BigInt(newestAt);
  return rowsOf('trades', count, { newestAt, firstId, fields: (at) => ({ rpnl: rpnl(at) }) });
}
