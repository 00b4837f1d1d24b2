import assert from 'node:assert/strict';
import { LedgerError } from '../../../src/ledger/ledgerError.ts';
import { whileBusy } from '../../../src/ledger/whileBusy.ts';

describe('work on a ledger that is in use', () => {
  const never = () => false;

  /** Work that fails so often. */
  function failing(times: number, problem: 'busy' | 'full' = 'busy') {
    const work = () => {
      work.runs += 1;
      if (work.runs <= times) throw new LedgerError(problem);
      return 'done';
    };
    work.runs = 0;
    return work;
  }

  it('is repeated until the file is free', async () => {
    const work = failing(3);
    assert.equal(await whileBusy(work, never), 'done');
    assert.equal(work.runs, 4);
  });

  it('begins at once: calls keep their order', async () => {
    const work = failing(0);
    const done = whileBusy(work, never);
    assert.equal(work.runs, 1);
    await done;
  });

  it('is not repeated after another failure', async () => {
    const work = failing(1, 'full');
    await assert.rejects(whileBusy(work, never), { problem: 'full' });
    assert.equal(work.runs, 1);
  });

  it('is not repeated once the ledger is closed', async () => {
    const work = failing(Infinity);
    await assert.rejects(
      whileBusy(work, () => work.runs === 2),
      { problem: 'busy' },
    );
    assert.equal(work.runs, 2);
  });
});
