import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/**
 * Mocha's spec reporter, which also writes the run's counts and the titles of what failed as JSON to the
 * file named by `MARGIN_DESK_TEST_STATS`.
 */
export class StatsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env.MARGIN_DESK_TEST_STATS;
    if (file) runner.once('end', () => this.write(file));
  }

  private write(file: string): void {
    const failed = this.failures.map((test) => `${test.fullTitle()}: ${test.err?.message ?? ''}`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...this.stats, failed }));
  }
}

// Mocha loads a reporter by require and wants the class itself.
export { StatsReporter as 'module.exports' };
