import assert from 'node:assert/strict';
import { coolDownMs } from '../../../../src/account/alerts/alertCondition.ts';
import { hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import { AlertWindow, watchedAccountOfEachTest } from '../../../support/watchedAccount.ts';

describe('alerts about the connection', () => {
  const account = watchedAccountOfEachTest();
  const { pass } = account;

  const outages = () => account.window.alerts.filter(({ kind }) => kind === 'connection');
  const fail = () => account.window.store.fail(new Error('gone'));

  it('come once, a minute after the last success, without another read', async () => {
    account.window.sees({});
    const since = account.world.clock.now();
    await pass(15 * secondMs);
    fail();
    await pass(45 * secondMs - 1);
    fail();
    assert.deepEqual(outages(), []);
    await pass(1);
    assert.deepEqual(outages(), [{ kind: 'connection', since, failure: new Error('gone') }]);
    for (let fails = 0; fails < 100; fails += 1) {
      await pass(minuteMs);
      fail();
    }
    assert.equal(outages().length, 1);
  });

  it('do not come for failures that end within the minute, also repeated ones', async () => {
    for (let times = 0; times < 50; times += 1) {
      account.window.sees({});
      await pass(15 * secondMs);
      fail();
      await pass(40 * secondMs);
    }
    assert.deepEqual(outages(), []);
    account.window.sees({});
  });

  it('come for a second outage within ten minutes, a minute after it began', async () => {
    for (const alerts of [1, 2, 3]) {
      account.window.sees({});
      await pass(secondMs);
      fail();
      await pass(minuteMs - secondMs - 1);
      assert.equal(outages().length, alerts - 1);
      await pass(1);
      assert.equal(outages().length, alerts);
      await pass(2 * minuteMs);
      fail();
      assert.equal(outages().length, alerts);
    }
  });

  it('of a first and a second outage come in one of many windows', async () => {
    const other = new AlertWindow(account.world);
    for (const alerts of [1, 2]) {
      for (const one of [account.window, other]) one.sees({});
      await pass(secondMs);
      fail();
      other.store.fail(new Error('gone'));
      await pass(coolDownMs * 2);
      other.store.fail(new Error('gone'));
      assert.equal(outages().length + other.alerts.length, alerts);
    }
  });

  it('do not come from a window that closed the account before the minute ended', async () => {
    account.window.sees({});
    fail();
    account.window.monitor.dispose();
    await pass(2 * minuteMs);
    assert.deepEqual(outages(), []);
  });

  it('count from the first failure if nothing was requested before, such as after sleep', async () => {
    account.window.sees({});
    account.world.clock.sleep(8 * hourMs);
    fail();
    await pass(minuteMs - 1);
    assert.deepEqual(outages(), []);
    await pass(1);
    assert.equal(outages().length, 1);
  });

  it('come for an account that could never be read', async () => {
    fail();
    await pass(minuteMs);
    assert.equal(outages().length, 1);
  });
});
