import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dayMs, hourMs } from '../../../src/base/time.ts';
import { LedgerError } from '../../../src/ledger/ledgerError.ts';
import type { LedgerCalls } from '../../../src/ledger/storedLedger.ts';
import { LongTasks } from '../../../src/ledger/longTasks.ts';
import {
  ledgerInThisThread,
  ledgersOfEachTest,
  ledgerWorkerFile,
} from '../../support/ledgerUnderTest.ts';

describe('the check of a ledger file', () => {
  const under = ledgersOfEachTest();
  const fileIn = (): string => path.join(under.folder, 'one.sqlite');
  let now: number;
  let checks: number;
  let canCheck: boolean;
  beforeEach(() => {
    [now, checks, canCheck] = [1_763_632_800_000, 0, true];
  });

  /** A window that has the lease. */
  const open = (): LedgerCalls => {
    const isUndamaged = (): Promise<boolean> => {
      checks += 1;
      return canCheck ? Promise.resolve(true) : Promise.reject(new LedgerError('busy'));
    };
    const ledger = ledgerInThisThread({ file: fileIn(), now: () => now, isUndamaged });
    ledger.claimWriting();
    return ledger;
  };

  const checked = async (): Promise<number> => {
    await Promise.resolve();
    await Promise.resolve();
    return checks;
  };

  describe('when a window opens it', () => {
    const checksOfNextWindow = async (): Promise<number> => {
      checks = 0;
      const ledger = open();
      await checked();
      ledger.close();
      return checks;
    };
    const closeUncleanly = (): void => {
      const database = new DatabaseSync(fileIn());
      database.exec("UPDATE state SET value = 1 WHERE name = 'isWriting'");
      database.close();
    };

    it('is made once a week, and after a window did not close it', async () => {
      assert.equal(await checksOfNextWindow(), 0);
      now += 7 * dayMs;
      assert.equal(await checksOfNextWindow(), 1);
      assert.equal(await checksOfNextWindow(), 0);
      closeUncleanly();
      assert.equal(await checksOfNextWindow(), 1);
    });

    it('is made again by the next window if it could not be made', async () => {
      open().close();
      closeUncleanly();
      canCheck = false;
      assert.equal(await checksOfNextWindow(), 1);
      canCheck = true;
      assert.equal(await checksOfNextWindow(), 1);
      assert.equal(await checksOfNextWindow(), 0);
    });
  });

  describe('while a window has it open for weeks', () => {
    let ledger: LedgerCalls;
    beforeEach(() => {
      ledger = open();
      ledger.beginWalk({ history: 'trades', from: 0, to: 4e12, asOf: 4e12, purpose: 'download' });
    });
    afterEach(() => ledger.close());

    /** How many checks there were after a write that comes so much later. */
    const writeAfter = (delayMs: number): Promise<number> => {
      now += delayMs;
      ledger.pauseWalk(1, false);
      return checked();
    };

    it('is made once a week', async () => {
      assert.equal(await writeAfter(6 * dayMs), 0);
      assert.equal(await writeAfter(dayMs), 1);
      assert.equal(await writeAfter(6 * dayMs), 1);
      assert.equal(await writeAfter(dayMs), 2);
    });

    it('is made again an hour after it could not be made', async () => {
      canCheck = false;
      assert.equal(await writeAfter(7 * dayMs), 1);
      assert.equal(await writeAfter(0), 1);
      assert.equal(await writeAfter(hourMs), 2);
      canCheck = true;
      assert.equal(await writeAfter(hourMs), 3);
      assert.equal(await writeAfter(hourMs), 3);
    });

    it('is made also after the clock was set back', async () => {
      assert.equal(await writeAfter(-30 * dayMs), 1);
      assert.equal(await writeAfter(dayMs), 1);
    });
  });

  it('does not call a file undamaged that it could not read', async () => {
    const check = new LongTasks(ledgerWorkerFile).run('isUndamaged', fileIn());
    await assert.rejects(check, { problem: 'missing' });
  });
});
