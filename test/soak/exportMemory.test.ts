import assert from 'node:assert/strict';
import { exportFormats } from '../../src/account/export/exportFormats.ts';
import { exportCost } from '../support/exportCost.ts';

describe('an export of 100,000 rows', () => {
  for (const format of exportFormats)
    it(`as ${format} needs no memory that grows with its rows`, async () => {
      const { rows, growthBytes } = await exportCost(100_000, format);
      assert.equal(rows, 100_000);
      // The rows alone would need more.
      assert.ok(growthBytes < 25e6, `${growthBytes} bytes`);
    }).timeout(60_000);
});
