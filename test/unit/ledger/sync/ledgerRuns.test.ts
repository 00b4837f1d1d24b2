import assert from 'node:assert/strict';
import { checkLedgerRuns } from '../../../support/ledgerRuns.ts';

/** test/soak/ledgerRuns.test.ts checks a million. */
describe('a ledger that is kept current, over days', () => {
  for (const areIdsPerSymbol of [false, true])
    it(`loses and doubles no row, and is complete no later than the exchange’s time, with ids ${areIdsPerSymbol ? 'of each symbol' : 'of all symbols'}`, async () => {
      const found = await checkLedgerRuns({ seed: 1, areIdsPerSymbol }, 6000);
      assert.equal(found.wrong, undefined, JSON.stringify(found));
      // Else nothing would be wrong if nothing were ever complete.
      assert.ok(found.current > 0.1 * found.steps, JSON.stringify(found));
    });
});
