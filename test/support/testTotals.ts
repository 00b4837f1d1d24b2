import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What one step came to: a suite counts its tests, any other step only its failure. */
export type Outcome = {
  readonly passed: number;
  readonly failed: number;
  /** What failed, each with its reason. */
  readonly failures: readonly string[];
  /** Names of the test files in which it failed, where a suite knows them. */
  readonly failedFiles: readonly string[];
};

/** The counts of a suite, as Mocha names them, and what failed. */
export type Stats = {
  readonly tests: number;
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
  readonly failed: readonly string[];
  readonly failedFiles?: readonly string[];
};

/** A suite leaves its stats in the file that `MARGIN_DESK_TEST_STATS` names, if it does. */
export function writeStats(stats: Stats): void {
  const file = process.env.MARGIN_DESK_TEST_STATS;
  if (!file) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(stats));
}

/** The stats of a suite that counted for itself what passed, and has the reason of each failure. */
export function statsOf(passes: number, failed: readonly string[]): Stats {
  return { tests: passes + failed.length, passes, failures: failed.length, pending: 0, failed };
}

/** A type check, a lint: nothing passed when it went well, one failure when it did not. */
export function stepOutcome(exitCode: number): Outcome {
  return exitCode === 0 ? nothingFailed(0) : oneFailure('it failed');
}

/**
 * A suite's tests by its stats. Skipped tests are failures. A suite that left no stats, ran no test, or
 * ended badly although every test passed, is one failure more.
 */
export function suiteOutcome(exitCode: number, statsText: string | undefined): Outcome {
  const stats = parseStats(statsText);
  if (!stats) return oneFailure('it ended before its last test');
  const { passes: passed, failures, pending, tests, failed, failedFiles = [] } = stats;
  if (tests === 0) return oneFailure('it ran no test');
  if (failures + pending > 0)
    return { passed, failed: failures + pending, failures: failed, failedFiles };
  return exitCode === 0
    ? nothingFailed(passed)
    : { ...oneFailure('it ended badly after its last test'), passed };
}

export function total(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failed: outcomes.reduce((sum, outcome) => sum + outcome.failed, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    failedFiles: outcomes.flatMap((outcome) => outcome.failedFiles),
  };
}

/** The line that a run ends with. */
export function totalsLine({ passed, failed }: Outcome): string {
  return `${passed} passed, ${failed} failed`;
}

function nothingFailed(passed: number): Outcome {
  return { passed, failed: 0, failures: [], failedFiles: [] };
}

function oneFailure(reason: string): Outcome {
  return { passed: 0, failed: 1, failures: [reason], failedFiles: [] };
}

function parseStats(text: string | undefined): Stats | undefined {
  try {
    const stats = JSON.parse(text ?? '') as Partial<Stats>;
    const { tests, passes, failures, pending, failed } = stats;
    const counts = [tests, passes, failures, pending];
    const isWhole = counts.every((count) => Number.isInteger(count)) && Array.isArray(failed);
    return isWhole ? (stats as Stats) : undefined;
  } catch {
    return undefined;
  }
}
