import type { Mutant } from './mutant.ts';

export const ledgerMutants: readonly Mutant[] = [];
