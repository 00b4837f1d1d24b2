import type { Mutant } from './mutant.ts';

export const agentMutants: readonly Mutant[] = [
  {
    fault: 'In privacy mode, only fields of the API are hidden.',
    file: 'agents/shown.ts',
    from: 'if (isPrivate && hidesAmounts)',
    to: 'if (isPrivate && hidesAmounts && isDisplayField(name))',
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'A sum over a gap is a value.',
    file: 'agents/figureTools.ts',
    from: '!hasGaps;',
    to: 'true;',
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'A sum over two states of a ledger is a value.',
    file: 'agents/account.ts',
    from: 'before[history] !== after[history]',
    to: "history === 'lots' && before[history] !== after[history]",
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'What is revoked while it is read is answered.',
    file: 'agents/service.ts',
    from: 'if (JSON.stringify(this.grantOf(account)) !== JSON.stringify(grant))',
    to: "if (account === '')",
    killedBy: 'unit/agents/grants.test.ts',
  },
  {
    fault: 'A window that is gone still allows.',
    file: 'agents/grants.ts',
    from: "return grant?.lasts === 'always' || isOpen ? grant : undefined;",
    to: 'return isOpen || grant ? grant : undefined;',
    killedBy: 'unit/agents/grants.test.ts',
  },
  {
    fault: 'Cash after a gap is a value.',
    file: 'agents/figureTools.ts',
    from: "view === 'cash' ? { from: period.from, to: bucket.to } : bucket",
    to: 'bucket',
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'An order whose trades do not add up is complete.',
    file: 'agents/recordTools.ts',
    from: 'areWhole ? periodAround(stored.map(({ record }) => record)) : always',
    to: 'periodAround(stored.map(({ record }) => record))',
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'What was not read yet is complete.',
    file: 'agents/account.ts',
    from: 'covers([complete], { from, to: Math.min(to, now) })',
    to: 'true',
    killedBy: 'unit/agents/tools.test.ts',
  },
  {
    fault: 'A word that no record has finds nothing.',
    file: 'agents/recordTools.ts',
    from: 'if (rows.length === 0) await',
    to: 'if (rows.length < 0) await',
    killedBy: 'unit/agents/grants.test.ts',
  },
];
