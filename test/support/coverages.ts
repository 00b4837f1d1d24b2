import fc from 'fast-check';
import type { Interval } from '../../src/base/interval.ts';
import type { Coverage } from '../../src/ledger/ledger.ts';

const last = 20;

/** Every moment that an interval of a property may have. */
export const moments = Array.from({ length: last + 1 }, (_none, moment) => moment);

/** Some are empty. */
export const anInterval: fc.Arbitrary<Interval> = fc
  .tuple(fc.nat(last), fc.nat(last))
  .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));

export const aRead: fc.Arbitrary<Coverage> = fc
  .record({
    interval: anInterval,
    completeness: fc.constantFrom('complete', 'drifted', 'unknown'),
    asOf: fc.nat(6),
  })
  .map(({ interval, completeness, asOf }) => ({
    ...interval,
    completeness,
    asOf,
    reason: completeness === 'unknown' ? 'endUnproven' : null,
  }));
