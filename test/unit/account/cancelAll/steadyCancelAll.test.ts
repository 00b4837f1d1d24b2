import assert from 'node:assert/strict';
import { someLocked } from '../../../support/builders.ts';
import {
  cancelAllUnderTest,
  failed,
  usedUpRateLimiter,
} from '../../../support/cancelAllUnderTest.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';

for (const [name, aheadMs] of wallClockJumps)
  describe(`a cancel-all while the wall clock is ${name}`, () => {
    it('re-checks after 2, 5 and 15 s, and counts those seconds in its receipt', async () => {
      const locked = [[someLocked()]];
      const { cancelAll, clock, seen, receipts } = cancelAllUnderTest({
        canceled: failed({}),
        locked,
      });
      const start = clock.steadyNow();
      await cancelAll.run();
      clock.setAhead(aheadMs);
      await clock.advance(60_000);
      assert.deepEqual(
        seen.reads.map((at) => at - start),
        [0, 0, 2000, 5000, 15_000],
      );
      const { endedAt, after } = receipts.kept.at(-1) ?? assert.fail('no receipt');
      assert.deepEqual(
        after.map(({ at }) => at - Number(endedAt)),
        [0, 2000, 5000, 15_000],
      );
    });

    it('is sent as it was confirmed, without another read', async () => {
      const test = cancelAllUnderTest({
        says: [() => Promise.resolve(true).finally(() => test.clock.setAhead(aheadMs))],
      });
      await test.cancelAll.run();
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [1, 1]);
      assert.equal(test.seen.reads.length, 2);
    });

    it('waits for the limit no longer and no shorter, after an earlier one', async () => {
      const test = cancelAllUnderTest();
      await test.cancelAll.run();
      await test.clock.advance(600_000);
      const readyAt = test.clock.steadyNow() + 80_000;
      const rateLimiter = Object.defineProperty(usedUpRateLimiter(), 'cancelAllReadyAt', {
        get: () => test.clock.now() + readyAt - test.clock.steadyNow(),
      });
      test.world.account = test.openAccount({ rateLimiter });
      void test.cancelAll.run();
      await test.clock.advance(10_000);
      test.clock.setAhead(aheadMs);
      await test.clock.advance(69_999);
      assert.deepEqual([test.seen.deletes, test.seen.states.at(-1)], [1, 'waiting']);
      await test.clock.advance(1);
      assert.deepEqual([test.seen.deletes, test.seen.questions.length], [2, 2]);
    });
  });
