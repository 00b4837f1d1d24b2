import assert from 'node:assert/strict';
import { coolDownMs } from '../../../../src/account/alerts/alertCondition.ts';
import { minuteMs, secondMs } from '../../../../src/base/time.ts';
import { anOrder } from '../../../support/builders.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';
import { AlertWindow, at, watchedAccountOfEachTest } from '../../../support/watchedAccount.ts';

for (const [name, aheadMs] of wallClockJumps)
  describe(`alerts while the wall clock is ${name}`, () => {
    const account = watchedAccountOfEachTest();
    const { pass } = account;

    const setWallClock = (): void => account.world.clock.setAhead(aheadMs);
    const outages = () => account.window.alerts.filter(({ kind }) => kind === 'connection');

    it('name an outage after its minute, by the time on the wall', async () => {
      account.window.sees({});
      await pass(15 * secondMs);
      account.window.store.fail(new Error('gone'));
      setWallClock();
      account.window.store.fail(new Error('gone'));
      await pass(45 * secondMs - 1);
      assert.deepEqual(outages(), []);
      await pass(1);
      const since = account.world.clock.now() - minuteMs;
      assert.deepEqual(outages(), [{ kind: 'connection', since, failure: new Error('gone') }]);
      await pass(minuteMs);
      account.window.store.fail(new Error('gone'));
      assert.equal(outages().length, 1);
    });

    it('come again after the cool-down, in one of two windows', async () => {
      const other = new AlertWindow(account.world);
      const windows = [account.window, other];
      const shown = () => windows.flatMap(({ positionAlerts }) => positionAlerts).length;
      const see = (distance: number) => windows.forEach((one) => one.seesPositions(at(distance)));
      for (const distance of [20, 8, 20, 8]) {
        see(distance);
        await pass(secondMs);
      }
      assert.equal(shown(), 1);
      setWallClock();
      see(20);
      await pass(secondMs);
      see(8);
      await pass(coolDownMs - 4 * secondMs - 1);
      see(8);
      assert.equal(shown(), 1);
      await pass(1);
      see(8);
      assert.equal(shown(), 2);
    });

    it('find the order of a position that vanished at that moment, and no older one', async () => {
      const { world, window } = account;
      const time = (ms: number) => String(world.clock.steadyNow() + ms);
      const order = { status: 'LIQUIDATED' };
      world.orders = [
        anOrder({ ...order, orderId: '2', time: time(16 * secondMs) }),
        anOrder({ ...order, orderId: '1', time: time(-31 * secondMs) }),
      ];
      window.seesPositions(at(20));
      await pass(15 * secondMs);
      setWallClock();
      Object.assign(world.orderHistory, { clockAheadMs: -aheadMs });
      window.seesPositions();
      await pass(0);
      const expected = [{ kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] }];
      assert.deepEqual(window.alerts, expected);
      assert.deepEqual([...world.memory.notifiedTimes().keys()].at(-1), 'order:btc_usdt:2');
    });
  });
