import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AccountStore } from '../../../../src/account/accountStore.ts';
import type { Alert, AlertKind } from '../../../../src/account/alerts/alerts.ts';
import { AlertWatch } from '../../../../src/account/alerts/alertWatch.ts';
import type { AccountRecords } from '../../../../src/account/alerts/vanished.ts';
import { coolDownMs } from '../../../../src/account/alerts/watch.ts';
import type { HistoryPage } from '../../../../src/exchange/dialect/historyPage.ts';
import type { Account, BadRecord, Position } from '../../../../src/exchange/records.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { RememberedAlerts } from '../../../support/rememberedAlerts.ts';
import { anAccount, anOrder, aPosition, aTransaction } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { byDanger } from '../../../../src/account/risk.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A position whose mark price is so many percent from its liquidation. */
function at(distancePercent: number, fields: Partial<Position> = {}): Position {
  return aPosition({
    markPrice: '100',
    liquidationPrice: String(100 - distancePercent),
    ...fields,
  });
}

/** One window that watches an account. */
class Window {
  readonly alerts: Alert[] = [];
  readonly problems: unknown[] = [];
  readonly store = new AccountStore();
  readonly watch: AlertWatch;
  private readonly clock: FakeClock;

  constructor(world: World) {
    this.clock = world.clock;
    this.watch = new AlertWatch({
      store: this.store,
      records: world.records,
      clock: world.clock,
      memory: world.memory,
      limits: () => ({ ...limits, equityFallPercent: 10 }),
      byDanger: (positions) => byDanger(positions, limits),
      zone: () => world.zone,
      isOn: (kind) => !world.off.has(kind),
      alert: (alert) => this.alerts.push(alert),
      onProblem: (error) => this.problems.push(error),
    });
    world.windows.push(this);
  }

  sees(account: Partial<Account>, badRecords: readonly BadRecord[] = []): void {
    this.store.replace({ account: anAccount(account), badRecords, asOf: this.clock.now() });
  }

  seesPositions(...positions: Position[]): void {
    this.sees({ positions });
  }

  /** What was told of positions: `btc_usdt near`, in the order of the words. */
  get dangers(): string[][] {
    return this.alerts.flatMap((alert) =>
      alert.kind === 'positions'
        ? [alert.positions.map(({ symbol, band }) => `${symbol} ${band}`)]
        : [],
    );
  }
}

class World {
  readonly clock = new FakeClock();
  readonly memory = new RememberedAlerts();
  readonly off = new Set<AlertKind>();
  readonly windows: Window[] = [];
  readonly asked: string[] = [];
  zone = new TimeZone('UTC');
  orders = [anOrder({ status: 'LIQUIDATED' })].slice(1);
  transactions = [aTransaction()].slice(1);
  fails: Error | undefined;
  /** How well the exchange understood what it was asked. */
  heed: Partial<Omit<HistoryPage<unknown>, 'value'>> = {};
  total: string | undefined;
  readonly records: AccountRecords = {
    clockAheadMs: 0,
    orders: ({ symbol, statuses, dateFrom }) => {
      this.asked.push(`orders ${symbol ?? 'all'} ${statuses?.join() ?? ''} ${dateFrom ?? ''}`);
      return this.answer(this.orders);
    },
    transactions: ({ accountType, type, dateFrom }) => {
      this.asked.push(`transactions ${accountType} ${type ?? ''} ${dateFrom ?? ''}`);
      return this.answer(this.transactions);
    },
  };

  private answer<Item>(content: readonly Item[]): Promise<HistoryPage<Item>> {
    const counts = {
      size: '100',
      totalPages: '1',
      totalElements: this.total ?? String(content.length),
    };
    const value = { content, ...counts, extra: {} };
    const page = { value, badRecords: [], outside: 0, unmatched: [], undecided: [], ...this.heed };
    return this.fails ? Promise.reject(this.fails) : Promise.resolve(page);
  }
}

describe('alerts', () => {
  let world: World;
  let window: Window;

  beforeEach(() => {
    world = new World();
    window = new Window(world);
  });
  afterEach(() => {
    for (const { watch } of world.windows) watch.dispose();
    assert.equal(world.clock.waiting, 0, 'a timer was left behind');
  });

  const pass = (ms: number) => world.clock.advance(ms);

  describe('of positions', () => {
    it('tell once of a position that stays in a band for a hundred polls', async () => {
      window.seesPositions(at(20));
      for (let polls = 0; polls < 100; polls += 1) {
        await pass(15 * secondMs);
        window.seesPositions(at(8 + (polls % 2)));
      }
      assert.deepEqual(window.dangers, [['btc_usdt near']]);
    });

    it('never tell of a band that the position has left, though only by a little', async () => {
      for (const distance of [20, 4.5, 20, 4.5, 5.5]) {
        window.seesPositions(at(distance));
        await pass(15 * secondMs);
      }
      assert.deepEqual(window.dangers, [['btc_usdt critical']]);
      await pass(coolDownMs);
      window.seesPositions(at(5.5));
      assert.deepEqual(window.dangers.slice(1), [['btc_usdt near']]);
      window.seesPositions(at(4.5));
      assert.deepEqual(window.dangers.slice(2), [['btc_usdt critical']]);
      await pass(2 * coolDownMs);
      window.seesPositions(at(10.5));
      assert.equal(window.dangers.length, 3);
    });

    it('tell of each band, and nothing on the way back', async () => {
      for (const distance of [20, 10, 7, 5, 4, 8, 20]) {
        window.seesPositions(at(distance));
        await pass(15 * secondMs);
      }
      assert.deepEqual(window.dangers, [['btc_usdt near'], ['btc_usdt critical']]);
    });

    it('do not tell that a position is near after they told that it is critical', async () => {
      window.seesPositions(at(20));
      await pass(minuteMs);
      window.seesPositions(at(3));
      await pass(coolDownMs);
      window.seesPositions(at(8));
      assert.deepEqual(window.dangers, [['btc_usdt critical']]);
    });

    it('take a figure that trembles on the edge for one crossing, without any cool-down', async () => {
      window.seesPositions(at(20));
      for (let polls = 0; polls < 20; polls += 1) {
        await pass(coolDownMs);
        window.seesPositions(at(polls % 2 === 0 ? 9.9 : 10.9));
      }
      assert.equal(window.dangers.length, 1);
      await pass(coolDownMs);
      window.seesPositions(at(11.1));
      await pass(coolDownMs);
      window.seesPositions(at(10));
      assert.equal(window.dangers.length, 2);
    });

    it('hold a crossing back that follows too soon, and tell of it later if it still holds', async () => {
      window.seesPositions(at(20));
      await pass(secondMs);
      window.seesPositions(at(4));
      await pass(minuteMs);
      window.seesPositions(at(20));
      await pass(minuteMs);
      window.seesPositions(at(4));
      assert.equal(window.dangers.length, 1);
      await pass(coolDownMs - 2 * minuteMs - 1);
      window.seesPositions(at(4));
      assert.equal(window.dangers.length, 1);
      await pass(1);
      window.seesPositions(at(4));
      await pass(hourMs);
      window.seesPositions(at(4));
      assert.deepEqual(window.dangers, [['btc_usdt critical'], ['btc_usdt critical']]);
    });

    it('name the band of now, not the one that a position is only just leaving', async () => {
      for (const distance of [20, 4, 7]) {
        window.seesPositions(at(distance));
        await pass(minuteMs);
      }
      window.seesPositions(at(4));
      await pass(coolDownMs);
      window.seesPositions(at(5.5));
      assert.deepEqual(window.dangers, [['btc_usdt critical']]);
      window.seesPositions(at(5));
      assert.deepEqual(window.dangers, [['btc_usdt critical'], ['btc_usdt critical']]);
    });

    it('wait with what the cool-down held back while the position is calm', async () => {
      for (const distance of [20, 8, 12, 8]) {
        window.seesPositions(at(distance));
        await pass(minuteMs);
      }
      await pass(coolDownMs);
      window.seesPositions(at(10.5));
      assert.equal(window.dangers.length, 1);
      window.seesPositions(at(10));
      assert.equal(window.dangers.length, 2);
    });

    it('tell of when their figures are', async () => {
      window.seesPositions(at(20));
      await pass(minuteMs);
      const asOf = world.clock.now();
      window.seesPositions(at(4));
      const positions = [
        { symbol: 'btc_usdt', band: 'critical', isPast: false, distancePercent: '4', asOf },
      ];
      assert.deepEqual(window.alerts, [{ kind: 'positions', positions }]);
    });

    it('tell no newer time of a figure than it was read at', async () => {
      world.off.add('positions');
      const asOf = world.clock.now();
      window.seesPositions(at(4));
      await pass(minuteMs);
      world.off.clear();
      window.seesPositions(at(4, { liquidationPrice: null }));
      const positions = [
        { symbol: 'btc_usdt', band: 'critical', isPast: false, distancePercent: '4', asOf },
      ];
      assert.deepEqual(window.alerts, [{ kind: 'positions', positions }]);
    });

    it('never tell more often than a limit is crossed, whatever the price does', () => {
      const distances = fc.array(fc.double({ min: 3, max: 13, noNaN: true }), { maxLength: 60 });
      const waits = fc.integer({ min: 1, max: 2 * coolDownMs });
      return fc.assert(
        fc.asyncProperty(distances, waits, async (prices, waitMs) => {
          world = new World();
          window = new Window(world);
          let crossings = 0;
          let before = 20;
          window.seesPositions(at(before));
          for (const distance of prices) {
            await pass(waitMs);
            window.seesPositions(at(distance));
            crossings += [10, 5].filter((limit) => before > limit && distance <= limit).length;
            before = distance;
          }
          assert.ok(window.dangers.length <= crossings, `${window.dangers.length} of ${crossings}`);
        }),
        { numRuns: 60 },
      );
    });

    it('put many positions into one alert, the worst first', async () => {
      const symbols = ['a_usdt', 'b_usdt', 'c_usdt', 'd_usdt'];
      window.seesPositions(...symbols.map((symbol) => at(20, { symbol })));
      await pass(15 * secondMs);
      window.seesPositions(...symbols.map((symbol, index) => at(9 - 2 * index, { symbol })));
      assert.deepEqual(window.dangers, [
        ['d_usdt critical', 'c_usdt critical', 'b_usdt near', 'a_usdt near'],
      ]);
    });

    it('put a position that is past its liquidation price before all others, however far', () => {
      const past = at(-25, { symbol: 'past_usdt' });
      const other = at(-3, { symbol: 'less_usdt' });
      window.seesPositions(at(1), past, other, at(8, { symbol: 'near_usdt' }));
      const [alert] = window.alerts;
      const told = alert?.kind === 'positions' ? alert.positions : [];
      assert.deepEqual(
        told.map(({ symbol, isPast, distancePercent }) => [symbol, isPast, distancePercent]),
        [
          ['less_usdt', true, '3'],
          ['past_usdt', true, '25'],
          ['btc_usdt', false, '1'],
          ['near_usdt', false, '8'],
        ],
      );
    });

    it('tell of what is critical when an account is opened, once an hour at most', async () => {
      window.seesPositions(at(4));
      assert.deepEqual(window.dangers, [['btc_usdt critical']]);
      for (const [waitMs, told] of [
        [59 * minuteMs, 0],
        [2 * minuteMs, 1],
      ] as const) {
        await pass(waitMs);
        const reloaded = new Window(world);
        reloaded.seesPositions(at(4));
        assert.equal(reloaded.dangers.length, told);
      }
    });

    it('tell of another position in the same symbol, but for the cool-down', async () => {
      window.seesPositions(at(4));
      await pass(coolDownMs);
      window.seesPositions();
      await pass(secondMs);
      window.seesPositions(at(4));
      assert.equal(window.dangers.length, 2);
    });

    it('say nothing of positions of unknown distance or without an amount', async () => {
      window.seesPositions(at(20), at(20, { symbol: 'c_usdt' }));
      await pass(secondMs);
      window.seesPositions(
        at(4, { liquidationPrice: '0' }),
        at(4, { symbol: 'b_usdt', liquidationPrice: null }),
        at(4, { symbol: 'c_usdt', amount: '0.00' }),
      );
      assert.deepEqual(window.alerts, []);
    });

    it('say nothing of a critical position that is closed, though the exchange lists it still', async () => {
      for (const distance of [20, 4, 20, 4]) {
        window.seesPositions(at(distance));
        await pass(minuteMs);
      }
      await pass(coolDownMs);
      window.seesPositions(at(4, { amount: '0' }));
      assert.equal(window.dangers.length, 1);
    });

    it('take a distance that becomes unknown for what it was', async () => {
      window.seesPositions(at(4));
      await pass(coolDownMs);
      window.seesPositions(at(4, { liquidationPrice: null }));
      await pass(coolDownMs);
      window.sees({ positions: [] }, [{ path: '$.positions[0]', problem: phrase('broken') }]);
      await pass(coolDownMs);
      window.seesPositions(at(4));
      assert.equal(window.dangers.length, 1);
    });

    it('tell of each of two positions in one symbol, by mode or direction', async () => {
      for (const fields of [{ marginMode: 'CROSS' }, { amount: '-1', liquidationPrice: '100.5' }]) {
        world = new World();
        window = new Window(world);
        const told = [];
        for (const [first, second] of [
          [9, 50],
          [9, 9.5],
          [4, 9.5],
          [4, 3.9],
        ] as const) {
          const liquidationPrice = String(fields.amount ? 100 + second : 100 - second);
          window.seesPositions(at(first), at(second, { ...fields, liquidationPrice }));
          told.push(window.dangers.length);
          await pass(hourMs);
        }
        assert.deepEqual(told, [1, 2, 3, 4]);
        assert.deepEqual(window.dangers.flat(), [
          ...['btc_usdt near', 'btc_usdt near', 'btc_usdt critical', 'btc_usdt critical'],
        ]);
      }
    });

    it('are told by one of many windows', async () => {
      const windows = [window, new Window(world), new Window(world)];
      for (const one of windows) one.seesPositions(at(20));
      for (let polls = 0; polls < 100; polls += 1)
        for (const one of windows) {
          await pass(5 * secondMs);
          one.seesPositions(at(4));
        }
      assert.deepEqual(
        windows.map(({ dangers }) => dangers.length),
        [1, 0, 0],
      );
    });

    it('are told when their kind is switched on again and they still hold', async () => {
      world.off.add('positions');
      window.seesPositions(at(4));
      await pass(minuteMs);
      assert.deepEqual(window.alerts, []);
      world.off.clear();
      window.seesPositions(at(4));
      assert.equal(window.dangers.length, 1);
    });
  });

  describe('of equity', () => {
    const falls = () => window.alerts.filter(({ kind }) => kind === 'equity');
    const sees = (equity: string) => window.sees({ equity, positions: [] });

    it('tell once of a fall, measured by the first figure of the day', async () => {
      sees('1000.00');
      for (let polls = 0; polls < 100; polls += 1) {
        await pass(15 * secondMs);
        sees(String(905 - polls));
      }
      const [fall, ...others] = falls();
      assert.deepEqual(others, []);
      assert.deepEqual(fall, {
        kind: 'equity',
        first: { seenAt: Date.UTC(2026, 0, 1), equity: '1000.00' },
        equity: '900',
        asOf: Date.UTC(2026, 0, 1) + 6 * 15 * secondMs,
        fallPercent: '10',
      });
    });

    it('measure by the same figure after a reload and in other windows, and do not repeat themselves', async () => {
      sees('1000');
      await pass(hourMs);
      sees('890');
      assert.equal(falls().length, 1);
      await pass(12 * hourMs);
      const reloaded = new Window(world);
      reloaded.sees({ equity: '880', positions: [] });
      assert.deepEqual(reloaded.alerts, []);
      assert.equal(world.memory.firstEquities[0]?.equity, '1000');
    });

    it('tell again of another fall on the same day, and of one on the next', async () => {
      sees('1000');
      for (const equity of ['890', '905', '890', '920', '890']) {
        await pass(coolDownMs);
        sees(equity);
      }
      assert.equal(falls().length, 2);
      await pass(24 * hourMs);
      sees('890');
      await pass(coolDownMs);
      sees('800');
      assert.equal(falls().length, 3);
    });

    it('say nothing of a rise, or where the first figure is not above 0', async () => {
      sees('0');
      await pass(minuteMs);
      sees('-5');
      await pass(24 * hourMs);
      sees('10');
      await pass(minuteMs);
      sees('100000000000000000000000000000.1');
      assert.deepEqual(falls(), []);
    });
  });

  describe('of the connection', () => {
    const outages = () => window.alerts.filter(({ kind }) => kind === 'connection');
    const fail = () => window.store.fail(new Error('gone'));

    it('tell when nothing was read for a minute, by the clock and once', async () => {
      window.sees({});
      const since = world.clock.now();
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

    it('say nothing of a failure that is over within the minute, however often', async () => {
      for (let times = 0; times < 50; times += 1) {
        window.sees({});
        await pass(15 * secondMs);
        fail();
        await pass(40 * secondMs);
      }
      assert.deepEqual(outages(), []);
      window.sees({});
    });

    it('tell of the next outage, but for the cool-down', async () => {
      for (const told of [1, 1, 2]) {
        window.sees({});
        await pass(secondMs);
        fail();
        await pass(5 * minuteMs);
        fail();
        assert.equal(outages().length, told);
      }
    });

    it('begin with the first failure where nothing was asked for, as after a sleep', async () => {
      window.sees({});
      world.clock.sleep(8 * hourMs);
      fail();
      await pass(minuteMs - 1);
      assert.deepEqual(outages(), []);
      await pass(1);
      assert.equal(outages().length, 1);
    });

    it('tell of an account that could never be read', async () => {
      fail();
      await pass(minuteMs);
      assert.equal(outages().length, 1);
    });

    it('are told by one of many windows', async () => {
      const other = new Window(world);
      for (const one of [window, other]) one.sees({});
      await pass(secondMs);
      fail();
      await pass(10 * secondMs);
      other.store.fail(new Error('gone'));
      await pass(coolDownMs * 2);
      other.store.fail(new Error('gone'));
      assert.equal(outages().length + other.alerts.length, 1);
    });
  });

  describe('of positions that are gone', () => {
    const seenAt = Date.UTC(2026, 0, 1);
    const time = String(seenAt + 5 * secondMs);
    const two = [at(20), at(20, { symbol: 'eth_usdt' })];

    async function goneAfter15s(before: Position[], after: Position[] = []): Promise<void> {
      window.seesPositions(...before);
      await pass(15 * secondMs);
      window.seesPositions(...after);
      await pass(0);
    }

    it('tell of an order with the status LIQUIDATED since then, after one read', async () => {
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      await goneAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [
        { kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] },
      ]);
      assert.deepEqual(world.asked, [`orders btc_usdt LIQUIDATED ${seenAt - 30_000}`]);
    });

    it('tell of a LIQUIDATION_FEE since then where no order tells', async () => {
      world.transactions = [aTransaction({ type: 'LIQUIDATION_FEE', time })];
      await goneAfter15s(two);
      assert.deepEqual(window.alerts, [
        { kind: 'liquidations', by: 'fee', symbols: ['btc_usdt', 'eth_usdt'] },
      ]);
      assert.deepEqual(world.asked, [
        `orders all LIQUIDATED ${seenAt - 30_000}`,
        `transactions FUTURE LIQUIDATION_FEE ${seenAt - 30_000}`,
      ]);
    });

    it('say nothing of a position that was closed, and read for it three times', async () => {
      await goneAfter15s([at(20)]);
      for (let polls = 0; polls < 100; polls += 1) {
        await pass(15 * secondMs);
        window.seesPositions();
      }
      assert.deepEqual(window.alerts, []);
      assert.equal(world.asked.length, 6);
    });

    it('ask again where the order is listed only later, once it tells no more', async () => {
      await goneAfter15s([at(20)]);
      await pass(29 * secondMs);
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      assert.deepEqual(window.alerts, []);
      await pass(hourMs);
      assert.deepEqual(window.alerts, [
        { kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] },
      ]);
      assert.equal(world.asked.length, 3);
    });

    it('ask again where a read failed', async () => {
      world.fails = new Error('no records');
      await goneAfter15s([at(20)]);
      world.fails = undefined;
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      await pass(2 * minuteMs);
      assert.equal(window.alerts.length, 1);
      assert.deepEqual(window.problems.length, 1);
    });

    it('ask only for orders of what is left once an order told of another', async () => {
      world.orders = [anOrder({ status: 'LIQUIDATED', time, symbol: 'eth_usdt' })];
      world.transactions = [aTransaction({ type: 'LIQUIDATION_FEE', time })];
      await goneAfter15s(two);
      world.orders.push(anOrder({ status: 'LIQUIDATED', time }));
      await pass(2 * minuteMs);
      const told = window.alerts.map((alert) => alert.kind === 'liquidations' && alert.symbols);
      assert.deepEqual(told, [['eth_usdt'], ['btc_usdt']]);
      assert.deepEqual(world.asked, [
        `orders all LIQUIDATED ${seenAt - 30_000}`,
        `orders btc_usdt LIQUIDATED ${seenAt - 30_000}`,
      ]);
    });

    it('ask no more once they are switched off', async () => {
      await goneAfter15s([at(20)]);
      world.off.add('liquidations');
      await pass(hourMs);
      assert.equal(world.asked.length, 2);
      assert.deepEqual(window.alerts, []);
    });

    it('are not talked into it by older records, others’ or of another kind', async () => {
      const old = String(seenAt - 31_000);
      world.orders = [
        anOrder({ status: 'LIQUIDATED', time: old }),
        anOrder({ status: 'LIQUIDATED', time, symbol: 'eth_usdt' }),
        anOrder({ status: 'EXECUTED', time }),
      ];
      world.transactions = [
        aTransaction({ type: 'LIQUIDATION_FEE', time: old }),
        aTransaction({ type: 'FEE', time }),
      ];
      await goneAfter15s([at(20)]);
      assert.deepEqual(window.alerts, []);
    });

    it('name only what the orders name', async () => {
      world.orders = [anOrder({ status: 'LIQUIDATED', time, symbol: 'eth_usdt' })];
      await goneAfter15s(two);
      assert.deepEqual(window.alerts, [
        { kind: 'liquidations', by: 'order', symbols: ['eth_usdt'] },
      ]);
      assert.equal(world.asked.length, 1);
    });

    it('read nothing while nothing vanishes: bad records, smaller amounts, a second position', async () => {
      const twins = [at(20), at(30)];
      await goneAfter15s(twins, [at(20, { amount: '0.1' }), at(30)]);
      window.sees({ positions: [] }, [{ path: '$.positions[0]', problem: phrase('broken') }]);
      await pass(15 * secondMs);
      window.seesPositions(...twins);
      await pass(15 * secondMs);
      assert.deepEqual(world.asked, []);
      window.seesPositions(at(20));
      await pass(0);
      assert.equal(world.asked.length, 2);
    });

    it('go by the exchange’s clock', async () => {
      Object.assign(world.records, { clockAheadMs: -hourMs });
      world.orders = [anOrder({ status: 'LIQUIDATED', time: String(seenAt - hourMs) })];
      await goneAfter15s([at(20)]);
      assert.equal(window.alerts.length, 1);
    });

    it('are read for by one of many windows', async () => {
      const other = new Window(world);
      other.seesPositions(at(20));
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      await goneAfter15s([at(20)]);
      await pass(30 * secondMs);
      other.seesPositions();
      await pass(0);
      assert.equal(world.asked.length, 1);
      assert.deepEqual([window.alerts.length, other.alerts.length], [1, 0]);
    });

    it('say that the records could not be read, where the last read failed too', async () => {
      world.fails = new Error('no records');
      await goneAfter15s([at(20)]);
      await pass(2 * minuteMs - 1);
      assert.deepEqual(window.alerts, []);
      await pass(hourMs);
      assert.deepEqual(window.alerts, [
        { kind: 'liquidations', by: 'unread', symbols: ['btc_usdt'] },
      ]);
      assert.deepEqual(window.problems, [world.fails, world.fails, world.fails]);
    });

    const unread = { kind: 'liquidations', by: 'unread', symbols: ['btc_usdt'] };
    const byOrder = { ...unread, by: 'order' };
    const datesUndecided = { undecided: ['datesUndecided'] } as const;

    it('say that the records could not be read, where a bad one may have told', async () => {
      world.heed = { badRecords: [{ path: '$.content[0]', problem: phrase('broken') }] };
      await goneAfter15s([at(20)]);
      await pass(2 * minuteMs - 1);
      assert.deepEqual(window.alerts, []);
      await pass(hourMs);
      assert.deepEqual(window.alerts, [unread]);
      assert.deepEqual(window.problems, []);
      assert.equal(world.asked.length, 6);
    });

    it('say so where filters were not heeded and the wanted rows may be on another page', async () => {
      world.heed = { outside: 100, unmatched: [{ parameter: 'dateFrom', rows: 100 }] };
      await goneAfter15s([at(20)]);
      await pass(hourMs);
      assert.deepEqual(window.alerts, [unread]);
    });

    it('ask once more without dates where these may have been misread, and say nothing of a position that was closed', async () => {
      world.heed = datesUndecided;
      await goneAfter15s([at(20)]);
      assert.deepEqual(world.asked, [
        `orders btc_usdt LIQUIDATED ${seenAt - 30_000}`,
        'orders btc_usdt LIQUIDATED ',
        `transactions FUTURE LIQUIDATION_FEE ${seenAt - 30_000}`,
        'transactions FUTURE LIQUIDATION_FEE ',
      ]);
      await pass(hourMs);
      assert.deepEqual(window.alerts, []);
      assert.equal(world.asked.length, 12);
    });

    it('find without dates what misread dates hid', async () => {
      const { orders } = world.records;
      Object.assign(world.records, {
        orders: async (...asked: Parameters<typeof orders>) => {
          const page = await orders(...asked);
          const content = asked[0].dateFrom === undefined ? page.value.content : [];
          return { ...page, ...datesUndecided, value: { ...page.value, content } };
        },
      });
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      await goneAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [byOrder]);
    });

    for (const [what, times, total, alerts] of [
      ['the newest come first, down to an older one', [5, -31], '500', []],
      ['all are on the page, in whatever order', [-31, 5], '2', []],
      ['the oldest come first, and there are more', [-31, 5], '500', [unread]],
      ['the newest come first, but none is older', [9, 5], '500', [unread]],
    ] as const)
      it(`${alerts.length > 0 ? 'say that rows may be missing' : 'trust the rows'} where ${what}`, async () => {
        const rows = times.map((s) => ({ time: String(seenAt + s * secondMs) }));
        world.orders = rows.map((row) => anOrder({ ...row, status: 'EXECUTED' }));
        world.transactions = rows.map((row) => aTransaction({ ...row, type: 'FEE' }));
        world.total = total;
        world.heed = { unmatched: [{ parameter: 'statuses', rows: 2 }] };
        await goneAfter15s([at(20)]);
        await pass(hourMs);
        assert.deepEqual(window.alerts, alerts);
      });

    it('are missed where they turned into one of the other direction, or of another mode', async () => {
      for (const fields of [{ amount: '-1', liquidationPrice: '150' }, { marginMode: 'CROSS' }]) {
        world = new World();
        window = new Window(world);
        world.orders = [anOrder({ status: 'LIQUIDATED', time })];
        await goneAfter15s([at(20)], [at(20, fields)]);
        assert.deepEqual(window.alerts, [byOrder]);
      }
    });

    it('are one symbol in the words, however many positions it had', async () => {
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      await goneAfter15s([at(20), at(20, { marginMode: 'CROSS' })]);
      assert.deepEqual(window.alerts, [byOrder]);
    });

    it('tell of each order once, also where another position is gone soon after', async () => {
      world.orders = [anOrder({ status: 'LIQUIDATED', time })];
      world.transactions = [aTransaction({ type: 'LIQUIDATION_FEE', time })];
      for (const fields of [{}, { amount: '-1', liquidationPrice: '150' }]) {
        await goneAfter15s([at(20)]);
        await goneAfter15s([at(20, fields)]);
      }
      await pass(hourMs);
      assert.deepEqual(window.alerts, [byOrder]);
      world.orders.push(anOrder({ status: 'LIQUIDATED', time: later(5), orderId: '2' }));
      await goneAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [byOrder, byOrder]);
    });

    it('tell of each fee once, also for another symbol', async () => {
      world.transactions = [aTransaction({ type: 'LIQUIDATION_FEE', time })];
      await goneAfter15s([at(20)]);
      await goneAfter15s([at(20, { symbol: 'eth_usdt' })]);
      await pass(hourMs);
      assert.deepEqual(window.alerts, [{ ...byOrder, by: 'fee' }]);
    });

    const later = (seconds: number) => String(world.clock.now() + seconds * secondMs);

    describe('while the account was not open', () => {
      /** The window that ends after 15 s, and the one that opens so long after it. */
      async function reopened(afterMs: number, ...positions: Position[]): Promise<Window> {
        window.seesPositions(...positions);
        await pass(15 * secondMs);
        window.watch.dispose();
        world.orders = [anOrder({ status: 'LIQUIDATED', time: later(0) })];
        await pass(afterMs);
        return new Window(world);
      }

      it('are told with the first look within an hour', async () => {
        for (const [afterMs, alerts] of [
          [0, [byOrder]],
          [hourMs - 15 * secondMs, [byOrder]],
          [hourMs, []],
        ] as const) {
          world = new World();
          window = new Window(world);
          const anew = await reopened(afterMs, at(20));
          anew.seesPositions();
          await pass(0);
          assert.deepEqual(anew.alerts, alerts);
        }
      });

      it('are not asked for where they are held still, or were closed before', async () => {
        const anew = await reopened(minuteMs, at(20));
        anew.seesPositions(at(19));
        await pass(hourMs);
        assert.deepEqual(world.asked, []);
        anew.seesPositions();
        await pass(hourMs);
        const asked = world.asked.length;
        anew.watch.dispose();
        new Window(world).seesPositions();
        await pass(hourMs);
        assert.equal(world.asked.length, asked);
      });

      it('wait for a first look at all positions', async () => {
        const anew = await reopened(0, at(20));
        anew.sees({ positions: [] }, [{ path: '$.positions[0]', problem: phrase('broken') }]);
        await pass(15 * secondMs);
        assert.deepEqual(world.asked, []);
        anew.seesPositions();
        await pass(0);
        assert.deepEqual(anew.alerts, [byOrder]);
      });

      it('are not asked for where the first look comes later than that', async () => {
        const anew = await reopened(0, at(20));
        anew.store.fail(new Error('gone'));
        await pass(hourMs);
        anew.seesPositions();
        await pass(minuteMs);
        assert.deepEqual(world.asked, []);
      });

      /** A position is gone and no record tells yet; then the account is opened anew. */
      async function reopenedWhileReading(): Promise<Window[]> {
        await goneAfter15s([at(20)]);
        await pass(20 * secondMs);
        window.watch.dispose();
        const anew = [new Window(world), new Window(world)];
        for (const one of anew) one.seesPositions();
        return anew;
      }

      it('are read for by the reads that remained, in one window', async () => {
        const [one, other] = await reopenedWhileReading();
        await pass(10 * secondMs - 1);
        assert.equal(world.asked.length, 2);
        await pass(1);
        assert.equal(world.asked.length, 4);
        world.orders = [anOrder({ status: 'LIQUIDATED', time })];
        await pass(90 * secondMs - 1);
        assert.equal(world.asked.length, 4);
        await pass(1);
        assert.deepEqual([one?.alerts, other?.alerts], [[byOrder], []]);
        await pass(hourMs);
        assert.equal(world.asked.length, 5);
      });

      it('are read for once more where their time is over', async () => {
        await goneAfter15s([at(20)]);
        window.watch.dispose();
        await pass(10 * minuteMs);
        const anew = new Window(world);
        assert.equal(world.asked.length, 2);
        anew.seesPositions();
        await pass(hourMs);
        assert.equal(world.asked.length, 4);
      });
    });

    it('do not ask for an account that was closed meanwhile', async () => {
      world.fails = new Error('no records');
      await goneAfter15s([at(20)]);
      window.watch.dispose();
      await pass(hourMs);
      assert.deepEqual([world.asked.length, window.alerts], [1, []]);
    });

    /** Polls of a window until so long after the position was gone. */
    async function polls(one: Window, ms: number, ...positions: Position[]): Promise<void> {
      for (let passed = 0; passed < ms; passed += 15 * secondMs) {
        await pass(15 * secondMs);
        one.seesPositions(...positions);
      }
      await pass(0);
    }

    it('are read for by another window where the first ends before its records tell', async () => {
      for (const endsAfterMs of [0, 31 * secondMs]) {
        world = new World();
        window = new Window(world);
        const other = new Window(world);
        other.seesPositions(at(20));
        await goneAfter15s([at(20)]);
        other.seesPositions();
        await pass(endsAfterMs);
        window.watch.dispose();
        const asked = world.asked.length;
        world.orders = [anOrder({ status: 'LIQUIDATED', time })];
        await polls(other, 10 * minuteMs);
        assert.deepEqual(other.alerts, [
          { kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] },
        ]);
        assert.equal(world.asked.length, asked + 1);
        other.watch.dispose();
      }
    });

    it('are read for once more by another, and not by a third that missed them as well', async () => {
      const others = [new Window(world), new Window(world)];
      for (const one of others) one.seesPositions(at(20));
      await goneAfter15s([at(20)]);
      for (const one of others) one.seesPositions();
      window.watch.dispose();
      for (let times = 0; times < 100; times += 1) {
        await pass(15 * secondMs);
        for (const one of others) one.seesPositions();
      }
      assert.equal(world.asked.length, 4);
      assert.deepEqual(
        others.map(({ alerts }) => alerts),
        [[], []],
      );
    });

    it('are not read for again by another window once the first is done', async () => {
      for (const orders of [[], [anOrder({ status: 'LIQUIDATED', time })]]) {
        world = new World();
        window = new Window(world);
        const other = new Window(world);
        world.orders = orders;
        other.seesPositions(at(20));
        await goneAfter15s([at(20)]);
        other.seesPositions();
        await pass(2 * minuteMs);
        window.watch.dispose();
        const asked = world.asked.length;
        await polls(other, 20 * minuteMs);
        assert.deepEqual([world.asked.length - asked, other.alerts], [0, []]);
        other.watch.dispose();
      }
    });

    it('are read for anew where the position was opened again and is gone once more', async () => {
      await goneAfter15s([at(20)]);
      await polls(window, minuteMs);
      await polls(window, minuteMs, at(20));
      const later = String(world.clock.now() + 5 * secondMs);
      world.orders = [anOrder({ status: 'LIQUIDATED', time: later })];
      await polls(window, 10 * minuteMs);
      assert.equal(window.alerts.length, 1);
    });

    it('read nothing when they are off', async () => {
      world.off.add('liquidations');
      await goneAfter15s([at(20)]);
      assert.deepEqual(world.asked, []);
    });
  });
});
