import assert from 'node:assert/strict';
import { statsOf, stepOutcome, suiteOutcome, total, totalsLine } from '../../support/testTotals.ts';

const stats = (counts: object): string =>
  JSON.stringify({ tests: 5, passes: 5, failures: 0, pending: 0, failed: [], ...counts });

const nothingFailed = { failed: 0, failures: [], failedFiles: [] };

describe('totals of npm test', () => {
  it('counts a suite by its stats', () => {
    assert.deepEqual(suiteOutcome(0, stats({})), { passed: 5, ...nothingFailed });
    const failed = ['one: why', 'two: why'];
    assert.deepEqual(
      suiteOutcome(2, stats({ passes: 3, failures: 2, failed, failedFiles: ['trades'] })),
      {
        passed: 3,
        failed: 2,
        failures: failed,
        failedFiles: ['trades'],
      },
    );
  });

  it('counts what a suite counted for itself', () => {
    const counted = suiteOutcome(1, JSON.stringify(statsOf(3, ['why'])));
    assert.deepEqual(counted, { passed: 3, failed: 1, failures: ['why'], failedFiles: [] });
  });

  it('counts a skipped test as failed', () => {
    const { passed, failed } = suiteOutcome(0, stats({ passes: 4, pending: 1 }));
    assert.deepEqual([passed, failed], [4, 1]);
  });

  it('counts a suite that died without readable stats as one failure', () => {
    for (const text of [undefined, '', '{"passes":3', '{}', 'null', '{"tests":"5"}']) {
      const { passed, failed, failures } = suiteOutcome(0, text);
      assert.deepEqual([passed, failed, failures.length], [0, 1, 1], String(text));
    }
  });

  it('fails a suite that ran no tests', () => {
    const { passed, failed } = suiteOutcome(0, stats({ tests: 0, passes: 0 }));
    assert.deepEqual([passed, failed], [0, 1]);
  });

  it('fails a suite that exited with an error after its last test', () => {
    const { passed, failed } = suiteOutcome(1, stats({}));
    assert.deepEqual([passed, failed], [5, 1]);
  });

  it('counts another step only when it failed', () => {
    assert.deepEqual(stepOutcome(0), { passed: 0, ...nothingFailed });
    assert.deepEqual(stepOutcome(2).failed, 1);
  });

  it('sums up in one line', () => {
    const all = total([suiteOutcome(0, stats({})), stepOutcome(1), stepOutcome(0)]);
    assert.equal(totalsLine(all), '5 passed, 1 failed');
    assert.deepEqual(all.failures, ['it failed']);
    assert.equal(totalsLine(total([])), '0 passed, 0 failed');
  });
});
