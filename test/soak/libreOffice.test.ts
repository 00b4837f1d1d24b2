import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HistorySelection } from '../../src/exchange/history/records.ts';
import { awkwardRows } from '../readers/awkwardRows.ts';
import { runToEnd } from '../support/childProcess.ts';
import { ensureOnDebian } from '../support/debian.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { parseCsv } from '../support/parseCsv.ts';
import { folderOfEachTest } from '../support/project.ts';
import { TestExporter } from '../support/testExporter.ts';

/** CSV with commas and quotes in UTF-8, of all cells as they are shown, texts in quotes. */
const csvFilter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false';

const orders: HistorySelection = { operation: 'orders', filters: {} };
const trades: HistorySelection = { operation: 'trades', filters: {} };

describe('a workbook in LibreOffice', () => {
  const exchange = exchangesOfEachTest();
  const scratch = folderOfEachTest();

  before(async function () {
    this.timeout(600_000);
    await ensureOnDebian('soffice', 'libreoffice-calc-nogui');
  });

  /** The rows of a workbook as LibreOffice reads them, and of a CSV file with the same records. */
  async function read(url: string, selection: HistorySelection) {
    const [exporter, client] = [new TestExporter(scratch.path), clientFor({ url })];
    const csv = await exporter.export(client, selection, { format: 'csv', name: 'expected.csv' });
    const workbook = await exporter.export(client, selection, {
      format: 'xlsx',
      name: 'rows.xlsx',
    });
    const profile = pathToFileURL(path.join(scratch.path, 'profile')).href;
    const { code, output } = await runToEnd('soffice', [
      ...[`-env:UserInstallation=${profile}`, '--headless', '--convert-to', csvFilter],
      ...['--outdir', scratch.path, workbook],
    ]);
    assert.equal(code, 0, output);
    const shown = await readFile(path.join(scratch.path, 'rows.csv'), 'utf8');
    return {
      found: parseCsv(shown, '\n'),
      expected: parseCsv(await readFile(csv, 'utf8')),
    };
  }

  it('shows every text and number as the exchange wrote it, and runs none', async () => {
    const { url } = await exchange({ rows: { orders: awkwardRows('orders') } });
    const { found, expected } = await read(url, orders);
    assert.deepEqual(found.length, expected.length);
    const [names = []] = expected;
    expected.forEach((row, at) => {
      for (const [index, name] of names.entries())
        if (!/^(?:time|timeUtc|extra)$/.test(name))
          assert.equal(
            inLines(found[at]?.[index]),
            inLines(unguarded(row[index])),
            `${name} ${at}`,
          );
    });
  }).timeout(120_000);

  it('shows times in UTC, and numbers that it can calculate with', async () => {
    const fields = (index: number) => ({ amount: `${index}.25`, rpnl: '-0.000000000012345' });
    const { url } = await exchange({ rows: { trades: rowsOf('trades', 5, { fields }) } });
    const { found, expected } = await read(url, trades);
    const [names = [], ...rows] = expected;
    for (const [at, row] of rows.entries())
      for (const name of ['amount', 'rpnl', 'timeUtc', 'maker']) {
        const [cell = '', sent = ''] = [
          found[at + 1]?.[names.indexOf(name)],
          row[names.indexOf(name)],
        ];
        if (name === 'timeUtc') assert.equal(cell, sent.replace('T', ' ').replace('Z', ''));
        else if (name === 'maker') assert.equal(cell.toLowerCase(), sent);
        else assert.equal(Number(cell), Number(sent), name);
      }
  }).timeout(120_000);
});

/** How docs/exports.md says to read a text of CSV. */
function unguarded(read = ''): string {
  return read.replaceAll(/(^|[;\t\r\n])'/g, '$1');
}

/** LibreOffice has one line break only, whichever it reads. */
function inLines(text = ''): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
