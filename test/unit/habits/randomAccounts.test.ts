import { RandomAccount } from '../../support/randomAccounts.ts';
import { isSoakRun } from '../../support/soakRun.ts';
import { watchedAccountOfEachTest } from '../../support/watchedAccount.ts';

/** With 50 answers each. */
const accounts = isSoakRun ? 4000 : 100;

describe('alerts about random accounts', () => {
  const watched = watchedAccountOfEachTest();

  it('are those of a reading by hand, whichever figures cannot be read', async () => {
    for (let seed = 0; seed < accounts; seed += 1) {
      watched.begin();
      const account = new RandomAccount(seed, watched);
      for (let answer = 0; answer < 50; answer += 1) await account.answer();
      watched.window.monitor.dispose();
    }
  }).timeout(120_000);
});
