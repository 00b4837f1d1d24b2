import assert from 'node:assert/strict';
import { MutatedProject } from '../support/mutants/mutatedProject.ts';
import { mutants } from '../support/mutants/mutants.ts';

describe('A fault in the sources', () => {
  let project: MutatedProject;
  before(async () => {
    project = await MutatedProject.create();
  });
  after(() => project.remove());

  for (const mutant of mutants) {
    it(`is found by ${mutant.killedBy}: ${mutant.fault}`, async () => {
      const { failures } = await project.withMutant(mutant);
      assert.notDeepEqual(failures, [], 'The test passes although the source has the fault.');
      assert.notDeepEqual(failures, ['it ended before its last test'], 'The test does not run.');
    }).timeout(600_000);
  }

  it('is what makes these tests fail', async () => {
    for (const testFile of new Set(mutants.map(({ killedBy }) => killedBy))) {
      const { failures } = await project.run(testFile);
      assert.deepEqual(failures, [], testFile);
    }
  }).timeout(3_600_000);
});
