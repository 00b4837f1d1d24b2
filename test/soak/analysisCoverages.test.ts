import assert from 'node:assert/strict';
import { CoverageTrials } from '../support/coverageTrials.ts';
import { folderOfEachTest } from '../support/project.ts';

describe('an analysis of a part of a ledger', () => {
  const folder = folderOfEachTest();

  it('shows no figure without a mark that the whole contradicts, at 1,000 random coverages', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const trials = new CoverageTrials(folder.path, seed);
      trials.run(50);
      assert.ok(Math.min(trials.compared.unmarked, trials.compared.marked) > 500);
    }
  });
});
