import assert from 'node:assert/strict';
import { folderOfEachTest } from '../support/project.ts';
import { checkLedgerRuns } from '../support/ledgerRuns.ts';

describe('ledgers that are kept current, over thousands of days', () => {
  const folder = folderOfEachTest();

  it('have the same rows and coverage in their files, in 100,000 checks', async () => {
    const options = { seed: 7000, areIdsPerSymbol: true, folder: folder.path };
    const { wrong } = await checkLedgerRuns(options, 100_000);
    assert.equal(wrong, undefined);
  }).timeout(3_600_000);

  for (const areIdsPerSymbol of [false, true])
    it(`lose and double no row in a million checks, with ids ${areIdsPerSymbol ? 'of each symbol' : 'of all symbols'}`, async () => {
      const found = await checkLedgerRuns({ seed: 1000, areIdsPerSymbol }, 1_000_000);
      assert.equal(found.wrong, undefined, JSON.stringify(found));
    }).timeout(3_600_000);
});
