import assert from 'node:assert/strict';
import { filterRules } from '../../src/exchange/history/filterRules.ts';
import {
  historyNames,
  type HistoryFilters,
  type HistorySelection,
} from '../../src/exchange/history/historyRecords.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { TestExporter, metaOf } from '../support/testExporter.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { folderOfEachTest } from '../support/project.ts';

const fieldRules = historyNames.flatMap((operation) =>
  Object.entries<object | string>(filterRules[operation]).flatMap(([parameter, rule]) =>
    typeof rule === 'object' && 'field' in rule
      ? [{ operation, parameter, field: String(rule.field) }]
      : [],
  ),
);

describe('an export when the exchange ignores one filter', () => {
  const serve = exchangesOfEachTest();
  const folder = folderOfEachTest();

  for (const { operation, parameter, field } of fieldRules)
    it(`is not complete and names it: ${parameter} of ${operation}`, async () => {
      const fields = (index: number) => ({ [field]: index % 4 === 0 ? '"BUY"' : '"SELL"' });
      const { url } = await serve({
        rows: { [operation]: rowsOf(operation, 120, { fields }) },
        reading: { maxPageSize: 50, ignores: [parameter] },
      });
      const value = parameter === 'statuses' ? ['BUY'] : 'BUY';
      const account = operation === 'transactions' ? { accountType: 'SPOT' } : {};
      const filters = { ...account, [parameter]: value } as HistoryFilters;
      const selection = { operation, filters } as HistorySelection;
      const file = await new TestExporter(folder.path).export(clientFor({ url }), selection);
      const { rows, completeness, reason, unmatched } = await metaOf(file);
      assert.deepEqual([rows, completeness, reason], [120, 'unknown', 'filterIgnored']);
      assert.deepEqual(unmatched, { [parameter]: 90 });
    });

  it('names a filter that no record can prove', async () => {
    const { url } = await serve({ rows: { transactions: 5 } });
    const exporter = new TestExporter(folder.path);
    const unverified = async (selection: HistorySelection) =>
      (await metaOf(await exporter.export(clientFor({ url }), selection))).unverifiedFilters;
    const filters = { accountType: 'SPOT', asset: 'usdt' } as const;
    assert.deepEqual(await unverified({ operation: 'transactions', filters }), ['accountType']);
    assert.deepEqual(await unverified({ operation: 'lots', filters: { side: 'SELL' } }), []);
  });
});
