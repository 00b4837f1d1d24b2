import type { Mutant } from './mutant.ts';

export const exchangeMutants: readonly Mutant[] = [];
