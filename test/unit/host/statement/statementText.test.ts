import assert from 'node:assert/strict';
import { monthAt } from '../../../../src/account/statement/statementMonth.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { coverageOfMonthText } from '../../../../src/host/statement/statementText.ts';
import { aDisplay } from '../../../support/display.ts';

const month = monthAt(Date.UTC(2026, 7, 1), new TimeZone('UTC'));
const known = { completeness: 'complete', reason: null, asOf: 0 } as const;
const at = (day: number, hour = 0, minute = 0): number => Date.UTC(2026, 7, day, hour, minute);
const textAt = (now: number, ...complete: readonly (readonly [number, number])[]): string =>
  coverageOfMonthText(
    [{ parts: complete.map(([from, to]) => ({ from, to, ...known })) }],
    month,
    aDisplay(),
    now,
  );

describe('how much of a month a statement has', () => {
  const later = Date.UTC(2026, 10, 20);

  it('is from when to when it is complete', () => {
    assert.equal(textAt(later, [at(1), month.to]), 'complete');
    assert.equal(
      textAt(later, [at(28, 14, 25), month.to]),
      'complete from 2026-08-28 14:25:00 UTC',
    );
    assert.equal(textAt(later, [0, at(9)]), 'complete to 2026-08-09 00:00:00 UTC');
    assert.equal(
      textAt(later, [at(2), at(9)]),
      'complete from 2026-08-02 00:00:00 UTC to 2026-08-09 00:00:00 UTC',
    );
  });

  it('is counted if there are several parts, and said if there is none', () => {
    assert.equal(textAt(later, [at(1), at(5)], [at(9), month.to]), '27 of 31 days complete');
    assert.equal(textAt(later), 'nothing is complete');
    assert.equal(textAt(later, [later, later + 1]), 'nothing is complete');
  });

  it('is never all of a month that is not over yet', () => {
    const now = at(20, 10);
    assert.equal(
      textAt(now, [at(1), now]),
      'complete to 2026-08-20 10:00:00 UTC · month not over yet',
    );
    assert.equal(
      textAt(now, [at(3), at(20)]),
      'complete from 2026-08-03 00:00:00 UTC to 2026-08-20 00:00:00 UTC · month not over yet',
    );
    assert.equal(textAt(now), 'nothing is complete · month not over yet');
  });
});
