import type { Mutant } from './mutant.ts';

export const accountMutants: readonly Mutant[] = [];
