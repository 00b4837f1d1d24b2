/** What one step of `npm test` came to: a suite counts its tests, any other step only its failure. */
export type Outcome = { readonly passed: number; readonly failed: number };

/** Of a run of Mocha, the numbers that `statsReporter.ts` writes. */
type Stats = {
  readonly tests: number;
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
};

/** A type check, a lint: nothing passed when it went well, one failure when it did not. */
export function stepOutcome(exitCode: number): Outcome {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1 };
}

/**
 * A suite's tests as counted by Mocha. Skipped tests are failures. A suite that left no stats, ran no
 * test, or ended badly although every test passed, is one failure more.
 */
export function suiteOutcome(exitCode: number, statsText: string | undefined): Outcome {
  const stats = parseStats(statsText);
  if (!stats) return { passed: 0, failed: 1 };
  const failed = stats.failures + stats.pending;
  const lied = failed === 0 && (exitCode !== 0 || stats.tests === 0);
  return { passed: stats.passes, failed: lied ? 1 : failed };
}

export function total(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failed: outcomes.reduce((sum, outcome) => sum + outcome.failed, 0),
  };
}

/** The line `npm test` ends with. */
export function totalsLine({ passed, failed }: Outcome): string {
  return `${passed} passed, ${failed} failed`;
}

function parseStats(text: string | undefined): Stats | undefined {
  try {
    const stats = JSON.parse(text ?? '') as Partial<Stats>;
    const { tests, passes, failures, pending } = stats;
    const counts = [tests, passes, failures, pending];
    return counts.every((count) => Number.isInteger(count)) ? (stats as Stats) : undefined;
  } catch {
    return undefined;
  }
}
