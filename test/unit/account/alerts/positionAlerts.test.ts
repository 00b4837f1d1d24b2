import fc from 'fast-check';
import assert from 'node:assert/strict';
import { coolDownMs } from '../../../../src/account/alerts/alertCondition.ts';
import { hourMs, minuteMs, secondMs } from '../../../../src/base/time.ts';
import {
  AlertWindow,
  at,
  unlisted,
  unreadable,
  watchedAccountOfEachTest,
} from '../../../support/watchedAccount.ts';

describe('alerts about positions', () => {
  const account = watchedAccountOfEachTest();
  const { begin, pass } = account;

  /** Shows one distance after another, each for `eachMs`. */
  async function seesDistances(eachMs: number, ...distances: number[]): Promise<void> {
    for (const distance of distances) {
      account.window.seesPositions(at(distance));
      await pass(eachMs);
    }
  }

  const near = ['btc_usdt near'];
  const critical = ['btc_usdt critical'];

  const polls = Array.from({ length: 100 }, (_, poll) => 8 + (poll % 2));
  const edge = Array.from({ length: 20 }, (_, poll) => (poll % 2 === 0 ? 9.9 : 11));
  const soon = 15 * secondMs;
  for (const [title, eachMs, distances, ...expected] of [
    ['come once for a position that stays in a band', soon, [20, ...polls], near],
    ['come once for each band', soon, [20, 10, 7, 5, 4, 8, 20], near, critical],
    ['never name a band that was left', soon, [20, 4.5, 20, 4.5, 5.5], critical],
    ['do not say near after they said critical', coolDownMs, [20, 3, 8], critical],
    ['stay quiet up to one percentage point beyond the limit', coolDownMs, [20, ...edge], near],
    ['re-arm beyond it', coolDownMs, [20, ...edge, 11.1, 10], near, near],
    ['wait for the cool-down', coolDownMs / 2 - 1, [4, 20, 4], critical],
    ['come after it', coolDownMs / 2, [4, 20, 4], critical, critical],
    [
      'come after it, once',
      minuteMs,
      [20, 4, 20, ...Array<number>(30).fill(4)],
      critical,
      critical,
    ],
    [
      'do not come after it outside of the band',
      minuteMs,
      [8, 12, 8, ...Array<number>(20).fill(10.5)],
      near,
    ],
    ['come after it at its limit', minuteMs, [8, 12, ...Array<number>(20).fill(10)], near, near],
    [
      'do not name the band that is left',
      minuteMs,
      [4, 7, 4, ...Array<number>(20).fill(5.5)],
      critical,
    ],
    ['name the current band', minuteMs, [4, 7, ...Array<number>(20).fill(5)], critical, critical],
  ] as readonly (readonly [string, number, readonly number[], ...(readonly string[])[]])[])
    it(title, async () => {
      await seesDistances(eachMs, ...distances);
      assert.deepEqual(account.window.positionAlerts, expected);
    });

  it('have the time when their figures were read, even if they come later', async () => {
    account.world.off.add('positions');
    const asOf = account.world.clock.now();
    account.window.seesPositions(at(4));
    await pass(minuteMs);
    account.world.off.clear();
    account.window.seesPositions(at(4, { liquidationPrice: null }));
    const position = { symbol: 'btc_usdt', band: 'critical', isPast: false } as const;
    assert.deepEqual(account.window.alerts, [
      { kind: 'positions', positions: [{ ...position, distancePercent: '4', asOf }] },
    ]);
  });

  it('are at most as many as the crossings of a limit, for any price', () => {
    const distances = fc.array(fc.double({ min: 3, max: 13, noNaN: true }), { maxLength: 60 });
    const waits = fc.integer({ min: 1, max: 2 * coolDownMs });
    return fc.assert(
      fc.asyncProperty(distances, waits, async (prices, waitMs) => {
        begin();
        let crossings = 0;
        let before = 20;
        await seesDistances(waitMs, before);
        for (const distance of prices) {
          await seesDistances(waitMs, distance);
          crossings += [10, 5].filter((limit) => before > limit && distance <= limit).length;
          before = distance;
        }
        const { length } = account.window.positionAlerts;
        assert.ok(length <= crossings, `${length} of ${crossings}`);
      }),
      { numRuns: 60 },
    );
  });

  it('put many positions into one, sorted by risk: past the liquidation price first', async () => {
    const symbols = ['a_usdt', 'b_usdt', 'c_usdt', 'd_usdt', 'e_usdt'];
    account.window.seesPositions(...symbols.map((symbol) => at(20, { symbol })));
    await pass(15 * secondMs);
    const distances = [8, 1, -25, -3, 9];
    account.window.seesPositions(
      ...symbols.map((symbol, index) => at(distances[index] ?? 0, { symbol })),
    );
    assert.deepEqual(account.window.positionAlerts, [
      ['d_usdt critical', 'c_usdt critical', 'b_usdt critical', 'a_usdt near', 'e_usdt near'],
    ]);
  });

  it('come again in a window that opens after an hour', async () => {
    account.window.seesPositions(at(4));
    assert.deepEqual(account.window.positionAlerts, [critical]);
    for (const [waitMs, alerts] of [
      [59 * minuteMs, 0],
      [2 * minuteMs, 1],
    ] as const) {
      await pass(waitMs);
      const reloaded = new AlertWindow(account.world);
      reloaded.seesPositions(at(4));
      assert.equal(reloaded.positionAlerts.length, alerts);
    }
  });

  it('come for another position in the same symbol, after the cool-down', async () => {
    account.window.seesPositions(at(4));
    await pass(coolDownMs);
    account.window.seesPositions();
    await pass(secondMs);
    account.window.seesPositions(at(4));
    assert.equal(account.window.positionAlerts.length, 2);
  });

  it('do not come for positions of unknown distance, or for closed ones that are still listed', async () => {
    const [unknown, flat] = [{ liquidationPrice: null }, { amount: '0.00' }];
    account.window.seesPositions(at(20), at(20, { symbol: 'c_usdt' }));
    await pass(secondMs);
    account.window.seesPositions(
      at(4, { liquidationPrice: '0' }),
      at(4, { symbol: 'b_usdt', ...unknown }),
      at(4, { symbol: 'c_usdt', ...flat }),
    );
    assert.deepEqual(account.window.alerts, []);
    await seesDistances(coolDownMs, 20, 4, 20);
    account.window.seesPositions(at(4, flat));
    assert.equal(account.window.positionAlerts.length, 1);
  });

  it('are unchanged while a distance is unknown', async () => {
    await seesDistances(coolDownMs, 4);
    account.window.seesPositions(at(4, { liquidationPrice: null }));
    await pass(coolDownMs);
    account.window.sees({ positions: [] }, unreadable);
    await pass(coolDownMs);
    account.window.seesPositions(at(4));
    assert.equal(account.window.positionAlerts.length, 1);
  });

  it('keep their conditions while the positions are not listed', async () => {
    await seesDistances(coolDownMs, 9);
    account.window.sees({ positions: null }, unlisted);
    await pass(coolDownMs);
    await seesDistances(coolDownMs, 9, 4);
    assert.deepEqual(account.window.positionAlerts, [near, critical]);
  });

  it('do not come again in a window whose first read does not list the positions', async () => {
    await seesDistances(coolDownMs, 4);
    const another = new AlertWindow(account.world);
    another.sees({ positions: null }, unlisted);
    await pass(coolDownMs);
    another.seesPositions(at(4));
    assert.deepEqual([account.window.positionAlerts, another.positionAlerts], [[critical], []]);
  });

  it('distinguish two positions of one symbol by margin mode and direction', async () => {
    for (const fields of [{ marginMode: 'CROSS' }, { amount: '-1', liquidationPrice: '100.5' }]) {
      begin();
      const counts = [];
      for (const [first, second] of [
        [9, 50],
        [9, 9.5],
        [4, 9.5],
        [4, 3.9],
      ] as const) {
        const liquidationPrice = String(fields.amount ? 100 + second : 100 - second);
        account.window.seesPositions(at(first), at(second, { ...fields, liquidationPrice }));
        counts.push(account.window.positionAlerts.length);
        await pass(hourMs);
      }
      assert.deepEqual(counts, [1, 2, 3, 4]);
      assert.deepEqual(account.window.positionAlerts, [near, near, critical, critical]);
    }
  });

  it('come in one of many windows', async () => {
    const windows = [
      account.window,
      new AlertWindow(account.world),
      new AlertWindow(account.world),
    ];
    for (const one of windows) one.seesPositions(at(20));
    for (let polls = 0; polls < 100; polls += 1)
      for (const one of windows) {
        await pass(5 * secondMs);
        one.seesPositions(at(4));
      }
    const found = windows.map(({ positionAlerts }) => positionAlerts.length);
    assert.deepEqual(found, [1, 0, 0]);
  });

  it('come when their setting is turned on again and the position is still in the band', async () => {
    account.world.off.add('positions');
    await seesDistances(minuteMs, 4);
    assert.deepEqual(account.window.alerts, []);
    account.world.off.clear();
    account.window.seesPositions(at(4));
    assert.equal(account.window.positionAlerts.length, 1);
  });
});
