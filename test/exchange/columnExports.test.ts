import Big from 'big.js';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { exportFields } from '../../src/account/export/exportFields.ts';
import type { ColumnFormat } from '../../src/account/export/exportFormats.ts';
import { isJsonObject, JsonNumber, parseJson, type JsonObject } from '../../src/base/exactJson.ts';
import { historyNames, type HistoryName } from '../../src/api/operations.ts';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { awkwardRows } from '../readers/awkwardRows.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { folderOfEachTest } from '../support/project.ts';
import { readParquet } from '../support/readParquet.ts';
import { readXlsx } from '../support/readXlsx.ts';
import { metaOf, TestExporter } from '../support/testExporter.ts';

const formats: readonly ColumnFormat[] = ['parquet', 'xlsx'];
const trades: HistorySelection = { operation: 'trades', filters: {} };

describe('an export with typed columns', () => {
  const exchange = exchangesOfEachTest();
  const scratch = folderOfEachTest();
  let exporter: TestExporter;

  beforeEach(() => void (exporter = new TestExporter(scratch.path)));

  const selectionOf = (operation: HistoryName): HistorySelection =>
    operation === 'transactions'
      ? { operation, filters: { accountType: 'SPOT' } }
      : { operation, filters: {} };

  /** The file in a format, and the same records as JSON Lines have them. */
  async function exported(url: string, operation: HistoryName, format: ColumnFormat) {
    const [client, selection] = [clientFor({ url }), selectionOf(operation)];
    const file = await exporter.export(client, selection, { format });
    const lines = await exporter.export(client, selection, { format: 'jsonl' });
    return { file, meta: await metaOf(file), records: await recordsIn(lines) };
  }

  const histories = [
    ...historyNames.flatMap((operation) => [
      { operation, rows: awkwardRows(operation), kind: 'awkward' },
      { operation, rows: rowsOf(operation, 40, { fields: usualFields }), kind: 'usual' },
    ]),
    { operation: 'trades', rows: rowsOf('trades', 9, { fields: widestFields }), kind: 'widest' },
  ] as const;
  for (const { operation, rows, kind } of histories) {
    it(`has every digit of ${kind} ${operation} as DuckDB reads them`, async () => {
      const { url } = await exchange({ rows: { [operation]: rows } });
      const { file, meta, records } = await exported(url, operation, 'parquet');
      const { types, rows: read } = await readParquet(file);
      assert.equal(read.length, rows.length);
      const columns = meta.columns as Record<string, string>;
      assert.deepEqual(Object.keys(types), Object.keys(columns));
      records.forEach((record, index) => {
        for (const [name, type] of Object.entries(columns))
          assert.equal(read[index]?.[name] ?? null, parquetText(record, name, type), name);
      });
      for (const [name, type] of Object.entries(columns))
        assert.equal(types[name], duckTypes[type] ?? type.replace(', ', ','));
    });

    it(`has every digit of ${kind} ${operation} as a workbook`, async () => {
      const { url } = await exchange({ rows: { [operation]: rows } });
      const { file, meta, records } = await exported(url, operation, 'xlsx');
      const [sheet, ...others] = await readXlsx(file);
      const { name: sheetName, rows: read } = sheet ?? assert.fail('The workbook has no sheet.');
      assert.deepEqual([sheetName, others], [operation, []]);
      assert.equal(read.length, rows.length);
      const columns = meta.columns as Record<string, string>;
      records.forEach((record, index) => {
        for (const [name, type] of Object.entries(columns)) {
          const value = cellText(record, name, type);
          assert.deepEqual(read[index]?.[name], value === null ? null : { type, value }, name);
        }
      });
    });
  }

  it('has one type per column, and says it in the meta file', async () => {
    const { url } = await exchange({
      rows: { trades: rowsOf('trades', 9, { fields: widestFields }) },
    });
    const types = async (format: ColumnFormat) => {
      const { columns } = (await exported(url, 'trades', format)).meta;
      const { amount, price, fee, rpnl, maker, timeUtc } = columns as Record<string, string>;
      return [amount, price, fee, rpnl, maker, timeUtc];
    };
    assert.deepEqual(await types('parquet'), [
      ...['DECIMAL(38, 7)', 'DECIMAL(38, 0)', 'STRING', 'DECIMAL(38, 6)'],
      ...['BOOLEAN', 'TIMESTAMP_MILLIS'],
    ]);
    assert.deepEqual(await types('xlsx'), [
      ...['number', 'text', 'number', 'text', 'boolean', 'date'],
    ]);
  });

  for (const format of formats) {
    it(`as ${format} is valid without rows`, async () => {
      const { url } = await exchange();
      const { file, meta } = await exported(url, 'orders', format);
      const names = Object.keys(meta.columns as object);
      assert.deepEqual([meta.rows, meta.completeness], [0, 'complete']);
      assert.ok(names.includes(Object.keys(exportFields('orders'))[0] ?? ''));
      if (format === 'xlsx') assert.deepEqual((await readXlsx(file))[0]?.rows, []);
      else assert.deepEqual(Object.keys((await readParquet(file)).types), names);
    });
  }

  it('refuses a text that no cell can hold, and continues as Parquet', async () => {
    const fields = (index: number) =>
      index === 7 ? { note: JSON.stringify('x'.repeat(40_000)) } : {};
    const server = await exchange({ rows: { trades: rowsOf('trades', 20, { fields }) } });
    const client = clientFor(server);
    await assert.rejects(exporter.export(client, trades, { format: 'xlsx' }), {
      name: 'UserFacingError',
      message: /^A text of these rows is longer than a cell of a workbook can hold: 32,767/,
    });
    const asked = server.seen('trades').length;
    const file = await exporter.export(client, trades, { format: 'parquet' });
    assert.equal(server.seen('trades').length, asked, 'nothing is read again');
    const { rows } = await readParquet(file);
    assert.equal(rows.length, 20);
    assert.ok(rows.some(({ extra }) => (extra ?? '').length > 40_000));
    assert.deepEqual(await exporter.kept(), []);
    assert.equal(path.extname(file), '.parquet');
  });
});

function usualFields(index: number) {
  return { amount: `${index}.5`, ...(index % 2 === 0 ? {} : { note: '"x"' }) };
}

/** Numbers of different scales, the most digits that a decimal has, and one digit more. */
function widestFields(index: number) {
  return {
    amount: ['1.10', '1E-7', '-12345', '-0', '-0.05'][index % 5] ?? '',
    price: index === 3 ? `-${'9'.repeat(38)}` : '9',
    fee: index === 3 ? '9e37' : '0.1',
    rpnl: index === 3 ? '-1234567890.123456' : '0',
  };
}

const duckTypes: Readonly<Record<string, string>> = {
  STRING: 'VARCHAR',
  TIMESTAMP_MILLIS: 'TIMESTAMP WITH TIME ZONE',
};

async function recordsIn(file: string): Promise<readonly JsonObject[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => {
    const record = parseJson(line);
    return isJsonObject(record) ? record : assert.fail(line);
  });
}

/** A field as its text: numbers as the exchange wrote them. */
function textOf(record: JsonObject, name: string): string | null {
  const value = record[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : JSON.stringify(value);
}

function parquetText(record: JsonObject, name: string, type: string): string | null {
  const text = textOf(record, name);
  if (text === null) return null;
  if (name.endsWith('Utc')) return String(Date.parse(text));
  const [, scale] = /^DECIMAL\(38, (\d+)\)$/.exec(type) ?? [];
  return scale === undefined
    ? text
    : new Big(text).toFixed(Number(scale)).replace(/^-(?=[0.]+$)/, '');
}

function cellText(record: JsonObject, name: string, type: string): string | null {
  const text = textOf(record, name);
  if (text === null) return null;
  if (type === 'boolean') return text === 'true' ? '1' : '0';
  return type === 'date' ? String(Date.parse(text) / 86_400_000 + 25_569) : text;
}
