import fc from 'fast-check';
import assert from 'node:assert/strict';
import { always, openEnd, type PeriodPart } from '../../../../src/base/interval.ts';
import { boundedPart, type PartPosition } from '../../../../src/account/history/boundedPeriod.ts';
import { dayMs } from '../../../../src/base/time.ts';

const now = 1000 * dayMs;
const minuteMs = 60_000;
const week = 7 * dayMs;

/** The part that *Older* or *Newer* opens. */
function beside(end: number | null): PartPosition {
  return { to: end ?? assert.fail('no such part'), isLatest: false };
}

describe('the parts of a period', () => {
  const period = { from: now - 20 * dayMs, to: now };
  const partAt = (position?: PartPosition): PeriodPart =>
    boundedPart(period, position, week, now) ?? assert.fail('one request');

  it('are not needed without a bound, or if the period is short enough', () => {
    assert.equal(boundedPart(period, undefined, null, now), null);
    assert.equal(boundedPart(period, undefined, 20 * dayMs, now), null);
    assert.equal(
      boundedPart({ ...always, from: now - week + minuteMs }, undefined, week, now),
      null,
    );
    assert.equal(boundedPart({ ...always, from: now + dayMs }, undefined, week, now), null);
  });

  it('start at the newest rows; Older and Newer lead through all of them', () => {
    const latest = partAt();
    assert.deepEqual(latest, { from: now - week, to: now, older: now - week, newer: null });
    const middle = partAt(beside(latest.older));
    assert.deepEqual([middle.from, middle.to], [now - 2 * week, now - week]);
    const oldest = partAt(beside(middle.older));
    assert.deepEqual([oldest.from, oldest.to, oldest.older], [period.from, now - 2 * week, null]);
    assert.deepEqual(partAt(beside(oldest.newer)), middle);
    assert.deepEqual(partAt(beside(middle.newer)), latest);
  });

  it('end a minute from now, even if the user chose a later end', () => {
    for (const to of [openEnd, now + 900 * dayMs])
      assert.equal(boundedPart({ ...always, to }, undefined, week, now)?.to, now + minuteMs);
    assert.equal(boundedPart(always, undefined, week, now + 0.5)?.to, now + minuteMs + 1);
  });

  it('do not move while the pages of the latest one are read', () => {
    const { to } = boundedPart(always, undefined, week, now) ?? assert.fail();
    const later = boundedPart(always, { to, isLatest: true }, week, now + dayMs);
    assert.deepEqual([later?.to, later?.newer], [to, null]);
    const soon = boundedPart(always, beside(to), week, now + minuteMs);
    assert.equal(soon?.newer, null);
    const restored = boundedPart(always, { to, isLatest: false }, week, now + dayMs);
    assert.deepEqual([restored?.to, restored?.newer], [to, now + dayMs + minuteMs]);
  });

  it('cover the whole period, none is too long, and none is skipped', () => {
    const lengths = fc.integer({ min: 1, max: 400 * dayMs });
    fc.assert(
      fc.property(lengths, fc.integer({ min: dayMs, max: 90 * dayMs }), (lengthMs, longestMs) => {
        const whole = { from: now - lengthMs, to: now };
        let part = boundedPart(whole, undefined, longestMs, now);
        assert.equal(part === null, lengthMs <= longestMs);
        if (!part) return;
        assert.equal(part.to, whole.to);
        while (part.older !== null) {
          assert.equal(part.to - part.from, longestMs);
          const older: PeriodPart =
            boundedPart(whole, beside(part.older), longestMs, now) ?? assert.fail();
          assert.equal(older.to, part.from);
          part = older;
        }
        assert.equal(part.from, whole.from);
      }),
    );
  });
});
