import assert from 'node:assert/strict';
import { checkLedgerRuns } from '../../../support/ledgerRuns.ts';

describe('a ledger that is kept current, over days', () => {
  it('loses and doubles no row, and is complete no later than the exchange’s time', async () => {
    const found = await checkLedgerRuns({ seed: 1, areIdsPerSymbol: false }, 60_000);
    assert.equal(found.wrong, undefined, JSON.stringify(found));
    console.log(found);
  });
});
