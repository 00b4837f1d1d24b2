import assert from 'node:assert/strict';
import { CoverageTrials } from '../../../support/coverageTrials.ts';
import { folderOfEachTest } from '../../../support/project.ts';

describe('an analysis of a part of a ledger', () => {
  const folder = folderOfEachTest();

  it('shows no figure without a mark that the whole contradicts, at random coverages', function () {
    this.timeout(180_000);
    const trials = new CoverageTrials(folder.path, 1);
    trials.run(60);
    assert.ok(Math.min(trials.compared.unmarked, trials.compared.marked) > 200);
  });
});
