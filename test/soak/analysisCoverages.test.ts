import assert from 'node:assert/strict';
import { CoverageTrials } from '../support/coverageTrials.ts';
import { folderOfEachTest } from '../support/project.ts';

describe('an analysis of a part of a ledger', () => {
  const folder = folderOfEachTest();

  for (let seed = 0; seed < 10; seed += 1)
    it(`shows no figure without a mark that the whole contradicts, at 100 random coverages of ledger ${seed}`, () => {
      const trials = new CoverageTrials(folder.path, seed);
      trials.run(100);
      assert.ok(Math.min(trials.compared.unmarked, trials.compared.marked) > 1000);
    });
});
