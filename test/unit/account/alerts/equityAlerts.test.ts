import assert from 'node:assert/strict';
import { coolDownMs } from '../../../../src/account/alerts/alertCondition.ts';
import { hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import { AlertWindow, at, watchedAccountOfEachTest } from '../../../support/watchedAccount.ts';

describe('alerts about equity', () => {
  const account = watchedAccountOfEachTest();
  const { pass } = account;

  const sees = (equity: string) => account.window.sees({ equity, positions: [] });

  it('come once for a fall, measured from the first figure of the day', async () => {
    sees('1000.00');
    const seenAt = account.world.clock.now();
    for (let polls = 0; polls < 100; polls += 1) {
      await pass(15 * secondMs);
      sees(String(905 - polls));
    }
    const asOf = seenAt + 6 * 15 * secondMs;
    assert.deepEqual(account.window.alerts, [
      {
        kind: 'equity',
        first: { seenAt, equity: '1000.00' },
        equity: '900',
        asOf,
        fallPercent: '10',
      },
    ]);
  });

  it('measure from the same figure after a reload, and do not come again', async () => {
    sees('1000');
    await pass(hourMs);
    sees('890');
    assert.equal(account.window.alerts.length, 1);
    await pass(12 * hourMs);
    const reloaded = new AlertWindow(account.world);
    reloaded.sees({ equity: '880', positions: [] });
    assert.deepEqual(reloaded.alerts, []);
    assert.equal(account.world.memory.firstEquities[0]?.equity, '1000');
  });

  it('come again for another fall on the same day, and for one on the next', async () => {
    sees('1000');
    for (const equity of ['890', '905', '890', '920', '890']) {
      await pass(coolDownMs);
      sees(equity);
    }
    assert.equal(account.window.alerts.length, 2);
    await pass(24 * hourMs);
    sees('890');
    await pass(coolDownMs);
    sees('800');
    assert.equal(account.window.alerts.length, 3);
  });

  it('come again for a second fall by a small limit, once equity has recovered', async () => {
    account.world.equityFallPercent = 0.5;
    for (const equity of ['1000', '995', '997', '995', '1000', '995', '1001', '994']) {
      await pass(coolDownMs);
      sees(equity);
    }
    const equities = account.window.alerts.map((alert) => alert.kind === 'equity' && alert.equity);
    assert.deepEqual(equities, ['995', '995', '994']);
  });

  it('neither fire nor re-arm while equity is unknown', async () => {
    const unknown = () => account.window.sees({ equity: null, positions: [] });
    unknown();
    assert.deepEqual(account.world.memory.firstEquities, []);
    await pass(coolDownMs);
    for (const equity of ['1000', null, '890', null, '905', '890']) {
      if (equity === null) unknown();
      else sees(equity);
      await pass(coolDownMs);
    }
    const equities = account.window.alerts.map((alert) => alert.kind === 'equity' && alert.equity);
    assert.deepEqual(equities, ['890']);
  });

  it('do not hold back the alerts about positions while equity is unknown', () => {
    account.window.sees({ equity: null, positions: [at(4)] });
    assert.equal(account.window.positionAlerts.length, 1);
  });

  it('do not come for a rise, or when the first figure is not above 0', async () => {
    for (const [equity, waitMs] of [
      ['0', minuteMs],
      ['-5', 24 * hourMs],
      ['10', minuteMs],
      ['100000000000000000000000000000.1', 0],
    ] as const) {
      sees(equity);
      await pass(waitMs);
    }
    assert.deepEqual(account.window.alerts, []);
  });
});
