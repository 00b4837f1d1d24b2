import type { Mutant } from './mutant.ts';

export const hostMutants: readonly Mutant[] = [];
