import { accountMutants } from './account.ts';
import { agentMutants } from './agents.ts';
import { baseMutants } from './base.ts';
import { exchangeMutants } from './exchange.ts';
import { hostMutants } from './host.ts';
import { ledgerMutants } from './ledger.ts';
import type { Mutant } from './mutant.ts';
import { pageMutants } from './pages.ts';
import { promises } from './promises.ts';

/** Over all layers: bounds, comparisons, swapped arguments, defaults, forgotten cases, signs, the order of two steps. */
export const mutants: readonly Mutant[] = [
  ...baseMutants,
  ...exchangeMutants,
  ...accountMutants,
  ...ledgerMutants,
  ...agentMutants,
  ...hostMutants,
  ...pageMutants,
  ...promises.map(({ mutant }) => mutant),
];
