import assert from 'node:assert/strict';
import { bookedLedger } from '../support/bookedLedger.ts';
import {
  assertNamed,
  bookHabits,
  falseContradictions,
  faultKinds,
  tryFault,
  type Trial,
} from '../support/reconciliationTrials.ts';

const records = 100_000;
const mostMs = 2000;

describe('a reconciliation of large books', () => {
  it('names a wrong row among 100,000, 100 times of each kind', () => {
    const trials = faultKinds.map((): Trial[] => []);
    for (let seed = 1; seed <= 100; seed++) {
      const ledger = bookedLedger(seed, records);
      for (const [index, kind] of faultKinds.entries())
        trials[index]?.push(tryFault(ledger, kind, seed));
    }
    for (const [index, kind] of faultKinds.entries()) {
      const all = trials[index] ?? [];
      console.log(`${kind}: ${summary(all)}`);
      assertNamed(all);
    }
    // Other work on the machine makes single runs slow.
    assert.ok(medianMs(trials.flat()) < mostMs);
  }).timeout(7_200_000);

  it('contradicts nothing in 1,000 right books', () => {
    for (let seed = 1; seed <= 1000; seed++) assert.deepEqual(falseContradictions(seed, 3000), []);
  }).timeout(3_600_000);

  it('contradicts nothing in 300 right books with the habits of real exchanges', () => {
    for (let seed = 1; seed <= 300; seed++)
      assert.deepEqual(falseContradictions(seed, 3000, bookHabits(seed)), []);
  }).timeout(3_600_000);
});

function summary(trials: readonly Trial[]): string {
  const known = trials.filter(({ canBeKnown }) => canBeKnown);
  const intervals = trials.filter(({ isIntervalNamed }) => isIntervalNamed).length;
  const rows = known.filter(({ place }) => place <= 3).length;
  const median = Math.round(medianMs(trials));
  return `${intervals} of ${trials.length} intervals exactly, ${rows} of ${known.length} rows, median ${median} ms`;
}

function medianMs(trials: readonly Trial[]): number {
  const durations = trials.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  return durations[Math.floor(durations.length / 2)] ?? Infinity;
}
