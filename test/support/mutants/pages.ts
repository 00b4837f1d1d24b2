import type { Mutant } from './mutant.ts';

export const pageMutants: readonly Mutant[] = [];
