import assert from 'node:assert/strict';
import { checkLedgerRuns } from '../support/ledgerRuns.ts';

describe('ledgers that are kept current, over thousands of days', () => {
  for (const areIdsPerSymbol of [false, true])
    it(`lose and double no row in a million checks, with ids ${areIdsPerSymbol ? 'of each symbol' : 'of all symbols'}`, async () => {
      const found = await checkLedgerRuns({ seed: 1000, areIdsPerSymbol }, 1_000_000);
      assert.equal(found.wrong, undefined, JSON.stringify(found));
    }).timeout(3_600_000);
});
