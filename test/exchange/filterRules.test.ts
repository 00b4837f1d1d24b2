import assert from 'node:assert/strict';
import { historyNames, operations, type Parameter } from '../../src/api/operations.ts';
import type { HistoryFilters, HistorySelection } from '../../src/exchange/history/records.ts';
import { clientFor } from '../support/exchangeClient.ts';
import { TestExporter, metaOf } from '../support/testExporter.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { rowsOf } from '../support/hostileExchange/rows.ts';
import { folderOfEachTest } from '../support/project.ts';

const fieldFilters = historyNames.flatMap((operation) =>
  Object.entries<Parameter>(operations[operation].parameters).flatMap(([parameter, description]) =>
    'field' in description && description.field !== null
      ? [{ operation, parameter, field: description.field }]
      : [],
  ),
);

describe('an export when the exchange ignores one filter', () => {
  const serve = exchangesOfEachTest();
  const folder = folderOfEachTest();

  for (const { operation, parameter, field } of fieldFilters)
    it(`is not complete and names it: ${parameter} of ${operation}`, async () => {
      const fields = (index: number) => ({ [field]: index % 4 === 0 ? '"1"' : '"2"' });
      const { url } = await serve({
        rows: { [operation]: rowsOf(operation, 120, { fields }) },
        reading: { maxPageSize: 50, ignores: [parameter] },
      });
      const value = parameter === 'statuses' ? ['1'] : '1';
      const account = operation === 'transactions' ? { accountType: 'SPOT' } : {};
      const filters = { ...account, [parameter]: value } as HistoryFilters;
      const selection = { operation, filters } as HistorySelection;
      const file = await new TestExporter(folder.path).export(clientFor({ url }), selection);
      const { rows, completeness, reason, unmatched } = await metaOf(file);
      assert.deepEqual([rows, completeness, reason], [120, 'unknown', 'filterIgnored']);
      assert.deepEqual(unmatched, { [parameter]: 90 });
    });
});
