import { basename } from 'node:path';
import Mocha from 'mocha';
import { writeStats } from './testTotals.ts';

/** Mocha's spec reporter, which also writes the run's stats. */
export class StatsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const failed = this.failures.map((test) => `${test.fullTitle()}: ${test.err?.message ?? ''}`);
      const files = this.failures.flatMap(({ file }) => (file ? [basename(file, '.test.ts')] : []));
      writeStats({ ...this.stats, failed, failedFiles: [...new Set(files)] });
    });
  }
}

// Mocha loads a reporter by require and wants the class itself.
export { StatsReporter as 'module.exports' };
