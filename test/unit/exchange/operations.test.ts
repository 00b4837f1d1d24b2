import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operations, type Operation } from '../../../src/exchange/operations.ts';

/** The rows and counts of the table in section 4 of the API document. */
const document: readonly (readonly [method: string, path: string, weight: number])[] = [
  ['GET', '/api/v1/orders/history', 10],
  ['GET', '/api/v1/trades/history', 10],
  ['GET', '/api/v1/liquidationAuction/history', 10],
  ['GET', '/api/v1/transactions/history', 10],
  ['GET', '/api/v1/accounts', 5],
  ['DELETE', '/api/v1/orders/all', 5],
  ['GET', '/api/v1/system/exchangeInfo', 1],
  ['GET', '/api/v1/tradingRules/leverage', 1],
  ['GET', '/api/v1/feeTiers/structure', 1],
];

describe('the table of operations', () => {
  const rows: readonly Operation[] = Object.values(operations);

  it('is the document’s: nine operations with method, path and weight', () => {
    const ours = rows.map(({ method, path, weight }) => `${method} ${path} ${weight}`);
    assert.deepEqual([...ours].sort(), document.map((row) => row.join(' ')).sort());
  });

  it('has its 27 parameters', () => {
    const count = rows.reduce((sum, { parameters }) => sum + Object.keys(parameters).length, 0);
    assert.equal(count, 27);
  });

  it('names the section of the document for each record type', () => {
    const records = readFileSync('src/exchange/records.ts', 'utf8');
    for (const section of ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9'])
      assert.ok(records.includes(`Section ${section}`), section);
  });
});
