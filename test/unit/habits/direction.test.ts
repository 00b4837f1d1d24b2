import assert from 'node:assert/strict';
import { minuteMs } from '../../../src/base/time.ts';
import {
  PositionDirections,
  type Direction,
} from '../../../src/account/session/positionDirections.ts';
import type { Position } from '../../../src/exchange/records.ts';
import { aPosition } from '../../support/builders.ts';
import { testHabits } from '../../support/habits.ts';
import { riskOf, risksOf } from '../../support/risks.ts';
import { watchedAccountOfEachTest } from '../../support/watchedAccount.ts';

/** A short of 2 eth from 3000 on, without its sign: it is liquidated at 3900. */
function short(markPrice: string, fields: Partial<Position> = {}): Position {
  return aPosition({
    symbol: 'eth_usdt',
    amount: '2',
    basePrice: '3000',
    markPrice,
    liquidationPrice: '3900',
    upl: String(2 * (3000 - Number(markPrice))),
    ...fields,
  });
}

/** The direction of one position in each of several answers. */
function directionsOf(...answers: readonly (readonly Position[])[]): (Direction | undefined)[] {
  const directions = new PositionDirections();
  return answers.map((positions) => directions.next(positions, true)[0]?.direction);
}

describe('the direction of a position', () => {
  const watched = watchedAccountOfEachTest();

  /** The alerts about a position that is seen in one way after another, each for longer than the cool-down. */
  async function alertsOf(...positions: Position[]): Promise<unknown[]> {
    for (const position of positions) {
      watched.window.seesPositions(position);
      await watched.pass(11 * minuteMs);
    }
    return watched.window.alerts.flatMap((alert) =>
      alert.kind === 'positions'
        ? alert.positions.map(({ band, isPast }) => (isPast ? 'past' : band))
        : [],
    );
  }

  testHabits('the size of a short has no sign', [
    {
      habit: 'a short of 2 is sent as 2, far from its liquidation',
      source: 'Kraken Futures; pybit#18',
      sees: 'a short that is not near, below a long that is critical',
      check: () => {
        const { direction, band, isPast, distancePercent } = riskOf(short('2000'));
        const seen = [direction, band, isPast, distancePercent];
        assert.deepEqual(seen, ['short', 'notNear', false, '95']);
        const long = aPosition({
          basePrice: '50000',
          markPrice: '40500',
          liquidationPrice: '39500',
        });
        const ranked = risksOf([short('2000'), long]).map(({ band: each }) => each);
        assert.deepEqual(ranked, ['critical', 'notNear']);
      },
    },
    {
      habit: 'a short that moves past its liquidation price',
      source: 'sibling of pybit#18',
      sees: 'an alert about its distance and one that it is past, whichever comes first',
      check: async () => {
        const beyond = short('8000');
        const alerts = await alertsOf(beyond, short('3700'), beyond);
        assert.deepEqual(alerts, ['past', 'near', 'past']);
      },
    },
    {
      habit: 'profit and loss is 0, unknown, or the prices are equal but for rounding',
      source: 'sibling of pybit#18',
      sees: 'the direction that the position showed last, else an unknown one',
      check: () => {
        const [flatUpl, noUpl] = [short('2500', { upl: '0' }), short('2500', { upl: null })];
        const rounded = short('3000', { basePrice: '3000.4', upl: '-1' });
        for (const unclear of [flatUpl, noUpl, rounded, short('3000')]) {
          assert.deepEqual(directionsOf([unclear]), ['unknown']);
          assert.deepEqual(directionsOf([short('2000')], [unclear]), ['short', 'short']);
        }
        assert.equal(riskOf(flatUpl).isPast, false);
        const past = short('8000', { upl: '0' });
        const { isPast, distancePercent } = riskOf(past);
        assert.deepEqual([isPast, distancePercent], [false, '51.25']);
      },
    },
    {
      habit: 'the position was closed, and another one was opened',
      source: 'sibling of pybit#18',
      sees: 'an unknown direction, not that of the earlier position',
      check: () => {
        const opened = short('3000');
        assert.deepEqual(directionsOf([short('2000')], [], [opened]).slice(-1), ['unknown']);
        const flat = short('2000', { amount: '0' });
        assert.deepEqual(directionsOf([short('2000')], [flat], [opened]).slice(-1), ['unknown']);
      },
    },
    {
      habit: 'fees are part of profit and loss, and a long is just above its entry price',
      source: 'sibling of pybit#18',
      sees: 'no short',
      check: () => {
        const long = aPosition({ basePrice: '50000', markPrice: '50050', upl: '-8' });
        assert.deepEqual(directionsOf([long]), ['unknown']);
        const gained = aPosition({ basePrice: '50000', markPrice: '50550', upl: '120' });
        assert.deepEqual(directionsOf([gained], [long]), ['long', 'long']);
      },
    },
    {
      habit: 'fees are part of profit and loss, and a short is just below its entry price',
      source: 'sibling of pybit#18',
      sees: 'no alert that it is past its liquidation price, also if a read before proved a short',
      check: async () => {
        const near = short('2998.5', { upl: '-3' });
        assert.deepEqual(await alertsOf(near, short('2000'), near), []);
      },
    },
    {
      habit: 'funding is part of profit and loss: a long that gained loses more than that',
      source: 'sibling of pybit#18',
      sees: 'no alert that it is past its liquidation price',
      check: async () => {
        const long = { amount: '1', basePrice: '50000', liquidationPrice: '40000' };
        assert.deepEqual(await alertsOf(aPosition({ ...long, markPrice: '50150', upl: '-8' })), []);
      },
    },
    {
      habit: 'the position was reversed between two answers',
      source: 'sibling of pybit#18',
      sees: 'no alert that the new position is past its liquidation price',
      check: async () => {
        const entry = { basePrice: '2500', markPrice: '2500', upl: '0' };
        const long = short('2500', { basePrice: '2000', liquidationPrice: '1500', upl: '1000' });
        assert.deepEqual(
          await alertsOf(long, short('2500', { ...entry, liquidationPrice: '3250' })),
          [],
        );
        const signed = short('2500', { amount: '-2', basePrice: '2900' });
        const opened = short('2500', { ...entry, liquidationPrice: '2000' });
        assert.deepEqual(await alertsOf(signed, opened), []);
        assert.deepEqual(directionsOf([signed], [opened]), ['short', 'unknown']);
      },
    },
  ]);

  const hedge = (amounts: readonly [string, string], fields: readonly Partial<Position>[] = []) =>
    amounts.map((amount, index) =>
      aPosition({
        symbol: 'sol_usdt',
        marginMode: 'CROSS',
        amount,
        basePrice: '140',
        markPrice: '150',
        liquidationPrice: '300',
        ...fields[index],
      }),
    );

  testHabits('two sides of a hedge', [
    {
      habit: 'both sides have one liquidation price',
      source: 'Binance, cross margin in hedge mode',
      sees: 'neither side past it',
      check: () => {
        const signs = [hedge(['10', '-12']), hedge(['10', '12'], [{}, { upl: '-120' }])];
        for (const positions of signs) {
          const risks = risksOf(positions);
          assert.deepEqual(new Set(risks.map(({ direction }) => direction)).size, 2);
          assert.ok(risks.every(({ band, isPast }) => band === 'notNear' && !isPast));
        }
      },
    },
    {
      habit: 'both sides come close to a liquidation price of their own',
      source: 'sibling of the hedge of Binance',
      sees: 'an alert about each, also without signs or amounts',
      check: async () => {
        const fields = (far: string) => [{ liquidationPrice: '144' }, { liquidationPrice: far }];
        for (const amounts of [
          ['10', '-12'],
          ['10', '12'],
          [null, null],
        ] as const) {
          watched.begin();
          for (const far of ['200', '154']) {
            const [long, other] = hedge(['10', '12'], fields(far));
            assert.ok(long && other);
            const upl = amounts[1] === '12' ? '-120' : other.upl;
            watched.window.seesPositions(
              { ...long, amount: amounts[0] },
              { ...other, amount: amounts[1], upl },
            );
            await watched.pass(11 * minuteMs);
          }
          assert.equal(watched.window.positionAlerts.length, 2, amounts.join());
        }
      },
    },
    {
      habit: 'the other side has an unknown direction',
      source: 'sibling of the hedge of Binance',
      sees: 'neither side past it',
      check: () => {
        for (const fields of [{ amount: null }, { upl: '0' }]) {
          const risks = risksOf(hedge(['10', '12'], [{}, fields]));
          assert.ok(risks.every(({ isPast }) => !isPast));
        }
      },
    },
    {
      habit: 'each side has a liquidation price of its own',
      source: 'sibling of the hedge of Binance',
      sees: 'the side that is past its own',
      check: () => {
        const own = hedge(
          ['10', '-12'],
          [{ liquidationPrice: '160' }, { liquidationPrice: '300' }],
        );
        const [first] = risksOf(own);
        assert.deepEqual([first?.direction, first?.isPast], ['long', true]);
      },
    },
    {
      habit: 'two positions of one symbol and mode show no direction',
      source: 'sibling of the hedge of Binance',
      sees: 'an unknown direction, not that of the other one',
      check: () => {
        const [long, other] = hedge(['10', '12'], [{}, { upl: '0' }]);
        assert.ok(long && other);
        assert.deepEqual(directionsOf([long], [other, long]), ['long', 'unknown']);
      },
    },
  ]);
});
