import type { Mutant } from './mutant.ts';

export const baseMutants: readonly Mutant[] = [
  {
    fault: 'An interval contains the moment where it ends.',
    file: 'base/interval.ts',
    from: 'return from <= moment && moment < to;',
    to: 'return from <= moment && moment <= to;',
    killedBy: 'unit/base/interval.test.ts',
  },
  {
    fault: 'Two intervals that touch stay two.',
    file: 'base/interval.ts',
    from: 'if (!last || last.to < from)',
    to: 'if (!last || last.to <= from)',
    killedBy: 'unit/base/interval.test.ts',
  },
];
