import fc from 'fast-check';
import assert from 'node:assert/strict';
import { compactState, mergeStates } from '../../../../src/exchange/rateLimit/normalizeState.ts';
import {
  activeEntries,
  emptyState,
  totalWeight,
  type RateLimitState,
} from '../../../../src/exchange/rateLimit/rateLimitState.ts';

const windowsMs = [1000, 60_000, 86_400_000] as const;
const limits = windowsMs.map((windowMs) => ({ weight: 1000, windowMs }));

describe('a shorter state', () => {
  const now = 200_000_000;
  const entry = fc.record({
    weight: fc.integer({ min: 1, max: 9 }),
    agoMs: fc.oneof(...[-2000, 2000, 100_000, 90_000_000].map((most) => fc.integer(rangeTo(most)))),
    isForeign: fc.boolean(),
    shortestMs: fc.constantFrom(undefined, ...windowsMs),
  });
  const states = fc.array(entry, { maxLength: 12 }).map((entries): RateLimitState => {
    const whole = entries.map(({ agoMs, ...each }, index) => {
      return { ...each, id: String(index), endsAt: now - agoMs };
    });
    return { ...emptyState, limits, entries: whole };
  });

  it('counts as much in each window, and each weight until its window ends, or a little longer', () => {
    fc.assert(
      fc.property(
        states,
        fc.nat(90_000_000),
        fc.constantFrom(...windowsMs),
        (state, inMs, windowMs) => {
          const compact = compactState(state, now);
          const used = (of: RateLimitState, at: number): number =>
            totalWeight(activeEntries(of, windowMs, at));
          assert.equal(used(compact, now), used(state, now));
          assert.ok(used(compact, now + inMs) >= used(state, now + inMs));
          const stepMs = Math.max(...windowsMs) / 500;
          assert.ok(used(compact, now + inMs + stepMs) <= used(state, now + inMs));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is not shorter for being made again', () => {
    fc.assert(
      fc.property(states, (state) => {
        const once = compactState(state, now);
        assert.equal(compactState(once, now).entries.length, once.entries.length);
      }),
    );
  });
});

function rangeTo(most: number): { readonly min: number; readonly max: number } {
  return { min: Math.min(0, most), max: Math.max(0, most) };
}

describe('what a window counted alone', () => {
  it('counts for all windows once the file can be written again, and no less of theirs is kept', () => {
    const time = fc.integer({ min: 0, max: 5 });
    const entries = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('1', '2', 'ours-until-3'),
        weight: fc.integer({ min: 1, max: 9 }),
        endsAt: time,
        isForeign: fc.boolean(),
      }),
      { selector: ({ id }) => id },
    );
    const times = { pausedUntil: time, bulkSpentAt: time, lastSentAt: time };
    const states = fc
      .record({ entries, ...times })
      .map((fields): RateLimitState => ({ ...emptyState, ...fields }));
    fc.assert(
      fc.property(states, states, (shared, own) => {
        const both = mergeStates(shared, own);
        for (const each of [shared, own]) {
          for (const name of ['pausedUntil', 'bulkSpentAt', 'lastSentAt'] as const)
            assert.ok(both[name] >= each[name], name);
          for (const { id, weight } of each.entries)
            assert.ok(totalWeight(both.entries.filter((one) => one.id === id)) >= weight);
        }
      }),
    );
  });

  it('keeps limits that a refusal put in doubt when the file can be written again', () => {
    const limit = (weight: number) => [{ weight, windowMs: 60_000 }];
    const shared = { ...emptyState, limits: limit(1000), learnedAt: 5 };
    const limitsAfter = (own: Partial<RateLimitState>) =>
      mergeStates(shared, { ...emptyState, ...own }).limits;
    assert.deepEqual(limitsAfter({ limits: limit(50), learnedAt: 0 }), limit(50));
    assert.deepEqual(limitsAfter({ limits: limit(50), learnedAt: 4 }), limit(1000));
    assert.deepEqual(limitsAfter({}), limit(1000));
  });
});
