import path from 'node:path';
import { killLedgerWriters } from '../support/killedLedgers.ts';
import { folderOfEachTest } from '../support/project.ts';

describe('a ledger that two windows write to', () => {
  const folder = folderOfEachTest();

  it('loses and doubles no row in 200 kills', async () => {
    await killLedgerWriters(path.join(folder.path, 'killed.sqlite'), 200);
  });
});
