import assert from 'node:assert/strict';
import { stepOutcome, suiteOutcome, total, totalsLine } from '../../support/testTotals.ts';

const stats = (counts: object): string =>
  JSON.stringify({ tests: 5, passes: 5, failures: 0, pending: 0, ...counts });

describe('totals of npm test', () => {
  it('counts a suite by its stats', () => {
    assert.deepEqual(suiteOutcome(0, stats({})), { passed: 5, failed: 0 });
    assert.deepEqual(suiteOutcome(2, stats({ passes: 3, failures: 2 })), { passed: 3, failed: 2 });
  });

  it('counts a skipped test as failed', () => {
    assert.deepEqual(suiteOutcome(0, stats({ passes: 4, pending: 1 })), { passed: 4, failed: 1 });
  });

  it('counts a suite that died without readable stats as one failure', () => {
    for (const text of [undefined, '', '{"passes":3', '{}', 'null', '{"tests":"5"}']) {
      assert.deepEqual(suiteOutcome(0, text), { passed: 0, failed: 1 }, String(text));
    }
  });

  it('does not believe a suite that ran nothing', () => {
    assert.deepEqual(suiteOutcome(0, stats({ tests: 0, passes: 0 })), { passed: 0, failed: 1 });
  });

  it('does not believe a suite that ended badly after its last test', () => {
    assert.deepEqual(suiteOutcome(1, stats({})), { passed: 5, failed: 1 });
  });

  it('counts another step only when it failed', () => {
    assert.deepEqual(stepOutcome(0), { passed: 0, failed: 0 });
    assert.deepEqual(stepOutcome(2), { passed: 0, failed: 1 });
  });

  it('sums up in one line', () => {
    const all = total([
      { passed: 5, failed: 0 },
      { passed: 3, failed: 2 },
    ]);
    assert.equal(totalsLine(all), '8 passed, 2 failed');
    assert.equal(totalsLine(total([])), '0 passed, 0 failed');
  });
});
