import fc from 'fast-check';
import assert from 'node:assert/strict';
import { coolDownMs } from '../../../../src/account/alerts/alertCondition.ts';
import { AlertMonitor } from '../../../../src/account/alerts/alertMonitor.ts';
import type { Alert, AlertKind } from '../../../../src/account/alerts/alerts.ts';
import type { OrderHistoryClient } from '../../../../src/account/alerts/vanishedPositions.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import { sortByRisk } from '../../../../src/account/session/positionRisk.ts';
import { phrase } from '../../../../src/base/phrase.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { autoConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import { ConventionResolver } from '../../../../src/exchange/conventions/conventionResolver.ts';
import type { HistoryPage } from '../../../../src/exchange/history/historyPage.ts';
import type { HistoryRequest } from '../../../../src/exchange/history/historyRecords.ts';
import type { Account, BadRecord, Order, Position } from '../../../../src/exchange/records.ts';
import { anAccount, anOrder, aPosition } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { RememberedAlerts } from '../../../support/rememberedAlerts.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** A position whose mark price is this far from its liquidation, in percent. */
function at(distancePercent: number, fields: Partial<Position> = {}): Position {
  return aPosition({
    markPrice: '100',
    liquidationPrice: String(100 - distancePercent),
    ...fields,
  });
}

const unreadable: BadRecord[] = [{ path: '$.positions[0]', problem: phrase('broken') }];
const unlisted: BadRecord[] = [{ path: '$.positions', problem: phrase('missing') }];

/** One window that watches the account. */
class Window {
  readonly alerts: Alert[] = [];
  readonly readErrors: unknown[] = [];
  readonly store = new AccountStore();
  readonly monitor: AlertMonitor;
  private readonly clock: FakeClock;

  constructor(world: World) {
    this.clock = world.clock;
    this.monitor = new AlertMonitor({
      store: this.store,
      orderHistory: world.orderHistory,
      clock: world.clock,
      memory: world.memory,
      limits: () => ({ ...limits, equityFallPercent: 10 }),
      sortByRisk: (positions) => sortByRisk(positions, limits),
      zone: () => new TimeZone('UTC'),
      isOn: (kind) => !world.off.has(kind),
      alert: (alert) => this.alerts.push(alert),
      onReadError: (error) => this.readErrors.push(error),
    });
    world.windows.push(this);
  }

  sees(account: Partial<Account>, badRecords: readonly BadRecord[] = []): void {
    this.store.replace({
      account: anAccount(account),
      badRecords,
      asOf: this.clock.now(),
      sentAt: this.clock.now(),
    });
  }

  seesPositions(...positions: Position[]): void {
    this.sees({ positions });
  }

  /** The alerts about positions, each as `btc_usdt near`. */
  get positionAlerts(): string[][] {
    return this.alerts.flatMap((alert) =>
      alert.kind === 'positions'
        ? [alert.positions.map(({ symbol, band }) => `${symbol} ${band}`)]
        : [],
    );
  }
}

/** An account at an exchange, and the windows that watch it. */
class World {
  readonly clock = new FakeClock();
  readonly memory = new RememberedAlerts();
  readonly off = new Set<AlertKind>();
  readonly windows: Window[] = [];
  /** What the order history was asked for. */
  readonly requests: string[] = [];
  orders: readonly Order[] = [];
  failure: Error | undefined;
  /** How the exchange answers beside the rows. */
  page: Partial<Omit<HistoryPage<Order>, 'value'>> = {};
  totalElements: string | undefined;
  readonly orderHistory: OrderHistoryClient = {
    clockAheadMs: 0,
    conventions: new ConventionResolver(autoConventions),
    serverNow: () => this.clock.now(),
    history: ((request: HistoryRequest<'orders'>) => this.read(request)) as never,
  };

  read({ filters }: HistoryRequest<'orders'>): Promise<HistoryPage<Order>> {
    const { symbol = 'all', statuses } = filters;
    this.requests.push(`${symbol} ${statuses?.join()}`);
    if (this.failure) return Promise.reject(this.failure);
    const { orders: content } = this;
    const totalElements = this.totalElements ?? String(content.length);
    const value = { content, size: '100', totalPages: '1', totalElements, extra: {} };
    const rest = {
      sent: content,
      badRecords: [],
      rowsOutsidePeriod: 0,
      ignoredFilters: [],
      unproven: [],
    };
    return Promise.resolve({ value, ...rest, ...this.page });
  }
}

describe('alerts', () => {
  let world: World;
  let window: Window;

  function begin(): void {
    world = new World();
    window = new Window(world);
  }

  beforeEach(begin);
  afterEach(() => {
    for (const { monitor } of world.windows) monitor.dispose();
    assert.equal(world.clock.waiting, 0, 'a timer was left behind');
  });

  const pass = (ms: number) => world.clock.advance(ms);

  describe('about positions', () => {
    /** Shows one distance after another, each for `eachMs`. */
    async function seesDistances(eachMs: number, ...distances: number[]): Promise<void> {
      for (const distance of distances) {
        window.seesPositions(at(distance));
        await pass(eachMs);
      }
    }

    const near = ['btc_usdt near'];
    const critical = ['btc_usdt critical'];

    it('come once for a position that stays in a band for a hundred polls', async () => {
      const polls = Array.from({ length: 100 }, (_, poll) => 8 + (poll % 2));
      await seesDistances(15 * secondMs, 20, ...polls);
      assert.deepEqual(window.positionAlerts, [near]);
    });

    const afterEachMs = 15 * secondMs;
    for (const [title, eachMs, distances, ...expected] of [
      ['come once for each band', afterEachMs, [20, 10, 7, 5, 4, 8, 20], near, critical],
      ['never name a band that was left', afterEachMs, [20, 4.5, 20, 4.5, 5.5], critical],
      ['do not say near after they said critical', coolDownMs, [20, 3, 8], critical],
    ] as const)
      it(title, async () => {
        await seesDistances(eachMs, ...distances);
        assert.deepEqual(window.positionAlerts, expected);
      });

    it('re-arm after the distance recovers by 1 percentage point', async () => {
      const edge = Array.from({ length: 20 }, (_, poll) => (poll % 2 === 0 ? 9.9 : 10.9));
      await seesDistances(coolDownMs, 20, ...edge);
      assert.deepEqual(window.positionAlerts, [near]);
      await seesDistances(coolDownMs, 11.1, 10);
      assert.deepEqual(window.positionAlerts, [near, near]);
    });

    it('wait for the cool-down, and come after it if the position is still in the band', async () => {
      await seesDistances(minuteMs, 20, 4, 20, 4);
      await pass(coolDownMs - 3 * minuteMs - 1);
      window.seesPositions(at(4));
      assert.equal(window.positionAlerts.length, 1);
      await pass(1);
      await seesDistances(hourMs, 4, 4);
      assert.deepEqual(window.positionAlerts, [critical, critical]);
    });

    it('wait for the cool-down, and do not come while the position is outside the band', async () => {
      await seesDistances(minuteMs, 20, 8, 12, 8);
      await pass(coolDownMs);
      window.seesPositions(at(10.5));
      assert.equal(window.positionAlerts.length, 1);
      window.seesPositions(at(10));
      assert.equal(window.positionAlerts.length, 2);
    });

    it('name the current band, not the one that a position is just leaving', async () => {
      await seesDistances(minuteMs, 20, 4, 7, 4);
      await pass(coolDownMs);
      window.seesPositions(at(5.5));
      assert.deepEqual(window.positionAlerts, [critical]);
      window.seesPositions(at(5));
      assert.deepEqual(window.positionAlerts, [critical, critical]);
    });

    it('have the time when their figures were read, even if they come later', async () => {
      world.off.add('positions');
      const asOf = world.clock.now();
      window.seesPositions(at(4));
      await pass(minuteMs);
      world.off.clear();
      window.seesPositions(at(4, { liquidationPrice: null }));
      const position = { symbol: 'btc_usdt', band: 'critical', isPast: false } as const;
      assert.deepEqual(window.alerts, [
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
          const { length } = window.positionAlerts;
          assert.ok(length <= crossings, `${length} of ${crossings}`);
        }),
        { numRuns: 60 },
      );
    });

    it('put many positions into one, sorted by risk: past the liquidation price first', async () => {
      const symbols = ['a_usdt', 'b_usdt', 'c_usdt', 'd_usdt', 'e_usdt'];
      window.seesPositions(...symbols.map((symbol) => at(20, { symbol })));
      await pass(15 * secondMs);
      const distances = [8, 1, -25, -3, 9];
      window.seesPositions(
        ...symbols.map((symbol, index) => at(distances[index] ?? 0, { symbol })),
      );
      assert.deepEqual(window.positionAlerts, [
        ['d_usdt critical', 'c_usdt critical', 'b_usdt critical', 'a_usdt near', 'e_usdt near'],
      ]);
    });

    it('come again in a window that opens after an hour', async () => {
      window.seesPositions(at(4));
      assert.deepEqual(window.positionAlerts, [critical]);
      for (const [waitMs, alerts] of [
        [59 * minuteMs, 0],
        [2 * minuteMs, 1],
      ] as const) {
        await pass(waitMs);
        const reloaded = new Window(world);
        reloaded.seesPositions(at(4));
        assert.equal(reloaded.positionAlerts.length, alerts);
      }
    });

    it('come for another position in the same symbol, after the cool-down', async () => {
      window.seesPositions(at(4));
      await pass(coolDownMs);
      window.seesPositions();
      await pass(secondMs);
      window.seesPositions(at(4));
      assert.equal(window.positionAlerts.length, 2);
    });

    it('do not come for positions of unknown distance, or for closed ones that are still listed', async () => {
      const [unknown, flat] = [{ liquidationPrice: null }, { amount: '0.00' }];
      window.seesPositions(at(20), at(20, { symbol: 'c_usdt' }));
      await pass(secondMs);
      window.seesPositions(
        at(4, { liquidationPrice: '0' }),
        at(4, { symbol: 'b_usdt', ...unknown }),
        at(4, { symbol: 'c_usdt', ...flat }),
      );
      assert.deepEqual(window.alerts, []);
      await seesDistances(coolDownMs, 20, 4, 20);
      window.seesPositions(at(4, flat));
      assert.equal(window.positionAlerts.length, 1);
    });

    it('are unchanged while a distance is unknown', async () => {
      await seesDistances(coolDownMs, 4);
      window.seesPositions(at(4, { liquidationPrice: null }));
      await pass(coolDownMs);
      window.sees({ positions: [] }, unreadable);
      await pass(coolDownMs);
      window.seesPositions(at(4));
      assert.equal(window.positionAlerts.length, 1);
    });

    it('keep their conditions while the positions are not listed', async () => {
      await seesDistances(coolDownMs, 9);
      window.sees({ positions: null }, unlisted);
      await pass(coolDownMs);
      await seesDistances(coolDownMs, 9, 4);
      assert.deepEqual(window.positionAlerts, [near, critical]);
    });

    it('do not come again in a window whose first read does not list the positions', async () => {
      await seesDistances(coolDownMs, 4);
      const another = new Window(world);
      another.sees({ positions: null }, unlisted);
      await pass(coolDownMs);
      another.seesPositions(at(4));
      assert.deepEqual([window.positionAlerts, another.positionAlerts], [[critical], []]);
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
          window.seesPositions(at(first), at(second, { ...fields, liquidationPrice }));
          counts.push(window.positionAlerts.length);
          await pass(hourMs);
        }
        assert.deepEqual(counts, [1, 2, 3, 4]);
        assert.deepEqual(window.positionAlerts, [near, near, critical, critical]);
      }
    });

    it('come in one of many windows', async () => {
      const windows = [window, new Window(world), new Window(world)];
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
      world.off.add('positions');
      await seesDistances(minuteMs, 4);
      assert.deepEqual(window.alerts, []);
      world.off.clear();
      window.seesPositions(at(4));
      assert.equal(window.positionAlerts.length, 1);
    });
  });

  describe('about equity', () => {
    const sees = (equity: string) => window.sees({ equity, positions: [] });

    it('come once for a fall, measured from the first figure of the day', async () => {
      sees('1000.00');
      const seenAt = world.clock.now();
      for (let polls = 0; polls < 100; polls += 1) {
        await pass(15 * secondMs);
        sees(String(905 - polls));
      }
      const asOf = seenAt + 6 * 15 * secondMs;
      assert.deepEqual(window.alerts, [
        {
          ...{ kind: 'equity', first: { seenAt, equity: '1000.00' } },
          ...{ equity: '900', asOf, fallPercent: '10' },
        },
      ]);
    });

    it('measure from the same figure after a reload, and do not come again', async () => {
      sees('1000');
      await pass(hourMs);
      sees('890');
      assert.equal(window.alerts.length, 1);
      await pass(12 * hourMs);
      const reloaded = new Window(world);
      reloaded.sees({ equity: '880', positions: [] });
      assert.deepEqual(reloaded.alerts, []);
      assert.equal(world.memory.firstEquities[0]?.equity, '1000');
    });

    it('come again for another fall on the same day, and for one on the next', async () => {
      sees('1000');
      for (const equity of ['890', '905', '890', '920', '890']) {
        await pass(coolDownMs);
        sees(equity);
      }
      assert.equal(window.alerts.length, 2);
      await pass(24 * hourMs);
      sees('890');
      await pass(coolDownMs);
      sees('800');
      assert.equal(window.alerts.length, 3);
    });

    it('neither fire nor re-arm while equity is unknown', async () => {
      const unknown = () => window.sees({ equity: null, positions: [] });
      unknown();
      assert.deepEqual(world.memory.firstEquities, []);
      await pass(coolDownMs);
      for (const equity of ['1000', null, '890', null, '905', '890']) {
        if (equity === null) unknown();
        else sees(equity);
        await pass(coolDownMs);
      }
      const equities = window.alerts.map((alert) => alert.kind === 'equity' && alert.equity);
      assert.deepEqual(equities, ['890']);
    });

    it('do not hold back the alerts about positions while equity is unknown', () => {
      window.sees({ equity: null, positions: [at(4)] });
      assert.equal(window.positionAlerts.length, 1);
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
      assert.deepEqual(window.alerts, []);
    });
  });

  describe('about the connection', () => {
    const outages = () => window.alerts.filter(({ kind }) => kind === 'connection');
    const fail = () => window.store.fail(new Error('gone'));

    it('come once, a minute after the last success, without another read', async () => {
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

    it('do not come for failures that end within the minute, also repeated ones', async () => {
      for (let times = 0; times < 50; times += 1) {
        window.sees({});
        await pass(15 * secondMs);
        fail();
        await pass(40 * secondMs);
      }
      assert.deepEqual(outages(), []);
      window.sees({});
    });

    it('come for a second outage within ten minutes, a minute after it began', async () => {
      for (const alerts of [1, 2, 3]) {
        window.sees({});
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

    it('of a second outage come in one of many windows', async () => {
      const other = new Window(world);
      for (const alerts of [1, 2]) {
        for (const one of [window, other]) one.sees({});
        await pass(secondMs);
        fail();
        other.store.fail(new Error('gone'));
        await pass(3 * minuteMs);
        assert.equal(outages().length + other.alerts.length, alerts);
      }
    });

    it('do not come from a window that closed the account before the minute ended', async () => {
      window.sees({});
      fail();
      window.monitor.dispose();
      await pass(2 * minuteMs);
      assert.deepEqual(outages(), []);
    });

    it('count from the first failure if nothing was requested before, such as after sleep', async () => {
      window.sees({});
      world.clock.sleep(8 * hourMs);
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

    it('come in one of many windows', async () => {
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

  describe('about vanished positions', () => {
    const start = Date.UTC(2026, 0, 1);
    const btc = 'btc_usdt LIQUIDATED';
    const both = [at(20), at(20, { symbol: 'eth_usdt' })];
    const unread = { kind: 'liquidations', by: 'unread', symbols: ['btc_usdt'] };
    const liquidated = { ...unread, by: 'order' };
    const ofEth = { symbol: 'eth_usdt' };

    /** An order with the status LIQUIDATED, so long after the test began. */
    function liquidation(seconds = 5, fields: Partial<Order> = {}): Order {
      const time = String(start + seconds * secondMs);
      return anOrder({ status: 'LIQUIDATED', time, ...fields });
    }

    async function vanishAfter15s(before: Position[], after: Position[] = []): Promise<void> {
      window.seesPositions(...before);
      await pass(15 * secondMs);
      window.seesPositions(...after);
      await pass(0);
    }

    it('come after one read if an order since then has the status LIQUIDATED', async () => {
      world.orders = [liquidation()];
      await vanishAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [liquidated]);
      await pass(hourMs);
      assert.deepEqual(world.requests, [btc]);
    });

    it('do not come for a position that was closed, after two reads', async () => {
      await vanishAfter15s([at(20)]);
      for (let polls = 0; polls < 100; polls += 1) {
        await pass(15 * secondMs);
        window.seesPositions();
      }
      assert.deepEqual(window.alerts, []);
      assert.deepEqual(world.requests, [btc, btc]);
    });

    it('come with the second read if the order is listed late or the first read fails', async () => {
      for (const failure of [undefined, new Error('no orders')]) {
        begin();
        world.failure = failure;
        await vanishAfter15s([at(20)]);
        world.failure = undefined;
        world.orders = [liquidation()];
        await pass(30 * secondMs - 1);
        assert.deepEqual(window.alerts, []);
        await pass(1);
        assert.deepEqual(window.alerts, [liquidated]);
        assert.equal(window.readErrors.length, failure ? 1 : 0);
      }
    });

    it('name only symbols with an order, and read only for the others again', async () => {
      world.orders = [liquidation(5, ofEth)];
      await vanishAfter15s(both);
      const ethAlert = { ...liquidated, symbols: ['eth_usdt'] };
      assert.deepEqual(window.alerts, [ethAlert]);
      world.orders = [liquidation(), liquidation(5, ofEth)];
      await pass(hourMs);
      assert.deepEqual(window.alerts, [ethAlert, liquidated]);
      assert.deepEqual(world.requests, ['all LIQUIDATED', btc]);
    });

    it('ignore older orders, other symbols and other statuses', async () => {
      world.orders = [liquidation(-31), liquidation(5, ofEth), liquidation(5, { status: 'OPEN' })];
      await vanishAfter15s([at(20)]);
      await pass(hourMs);
      assert.deepEqual(window.alerts, []);
    });

    it('compare the times of orders with the exchange’s clock', async () => {
      Object.assign(world.orderHistory, { clockAheadMs: -hourMs });
      world.orders = [liquidation(-3600)];
      await vanishAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [liquidated]);
    });

    it('need no read for unreadable positions, smaller amounts, or a twin that stays', async () => {
      const twins = [at(20), at(30)];
      await vanishAfter15s(twins, [at(20, { amount: '0.1' }), at(30)]);
      window.sees({ positions: [] }, unreadable);
      window.sees({ positions: null }, unlisted);
      await pass(15 * secondMs);
      await vanishAfter15s(twins, twins);
      assert.deepEqual(world.requests, []);
      await vanishAfter15s(twins, [at(20)]);
      assert.equal(world.requests.length, 1);
    });

    it('come once the positions are listed again, for one that vanished meanwhile', async () => {
      world.orders = [liquidation()];
      window.seesPositions(at(20));
      await pass(15 * secondMs);
      window.sees({ positions: null }, unlisted);
      await pass(15 * secondMs);
      assert.deepEqual(world.requests, []);
      window.seesPositions();
      await pass(0);
      assert.deepEqual(window.alerts, [liquidated]);
    });

    it('come for a position that turned into another direction or mode', async () => {
      for (const fields of [{ amount: '-1', liquidationPrice: '150' }, { marginMode: 'CROSS' }]) {
        begin();
        world.orders = [liquidation()];
        await vanishAfter15s([at(20)], [at(20, fields)]);
        assert.deepEqual(window.alerts, [liquidated]);
      }
    });

    it('name a symbol once, even if several of its positions vanished', async () => {
      world.orders = [liquidation()];
      await vanishAfter15s([at(20), at(20, { marginMode: 'CROSS' })]);
      assert.deepEqual(window.alerts, [liquidated]);
    });

    it('come once for an order, even if another position vanishes soon after', async () => {
      world.orders = [liquidation()];
      for (const fields of [{}, { amount: '-1', liquidationPrice: '150' }]) {
        await vanishAfter15s([at(20)]);
        await vanishAfter15s([at(20, fields)]);
      }
      await pass(hourMs);
      assert.deepEqual(window.alerts, [liquidated]);
      const seconds = (world.clock.now() - start) / secondMs;
      world.orders = [...world.orders, liquidation(seconds + 5, { orderId: '2' })];
      await vanishAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [liquidated, liquidated]);
    });

    describe('if the orders cannot be read completely', () => {
      const badRecords = [{ path: '$.content[0]', problem: phrase('broken') }];
      const ignoredFilters = [{ parameter: 'statuses', rows: 2 }];
      const rowsAt = (...seconds: number[]) =>
        seconds.map((each) => liquidation(each, { status: 'EXECUTED' }));

      it('say so after the second read failed', async () => {
        world.failure = new Error('no orders');
        await vanishAfter15s([at(20)]);
        await pass(30 * secondMs - 1);
        assert.deepEqual(window.alerts, []);
        await pass(hourMs);
        assert.deepEqual(window.alerts, [unread]);
        assert.deepEqual(window.readErrors, [world.failure, world.failure]);
      });

      it('do not fire if only the first read was incomplete', async () => {
        world.page = { badRecords };
        await vanishAfter15s([at(20)]);
        world.page = {};
        await pass(hourMs);
        assert.deepEqual(window.alerts, []);
      });

      for (const [title, orders, totalElements, page, alerts] of [
        ['a record is unreadable', [], '0', { badRecords }, [unread]],
        ['the time of a row is unreadable', [liquidation(0, { time: '7' })], '1', {}, [unread]],
        ['there are more rows, oldest first', rowsAt(-31, 5), '500', { ignoredFilters }, [unread]],
        ['no row reaches back', rowsAt(9, 5), '500', { ignoredFilters }, [unread]],
        ['the order of one row is unknown', rowsAt(-60), '500', { ignoredFilters }, [unread]],
        ['the number of rows is unknown', rowsAt(9, 5), 'many', { ignoredFilters }, [unread]],
        ['a date may be misread', [], '0', { unproven: ['datesUndecided'] }, [unread]],
        ['there is no row at all', [], 'many', {}, []],
        ['newest rows first reach back', rowsAt(5, -31), '500', { ignoredFilters }, []],
        ['all rows are on the page', rowsAt(-31, 5), '2', { ignoredFilters }, []],
      ] as const)
        it(`${alerts.length > 0 ? 'say so' : 'trust the rows'} when ${title}`, async () => {
          Object.assign(world, { orders, totalElements, page });
          await vanishAfter15s([at(20)]);
          await pass(hourMs);
          assert.deepEqual(window.alerts, alerts);
          assert.equal(world.requests.length, 2);
        });
    });

    describe('while the account was not open', () => {
      /** The window closes with these positions, which are liquidated; another opens `afterMs` later. */
      async function reopen(afterMs: number, ...positions: Position[]): Promise<Window> {
        window.seesPositions(...positions);
        await pass(15 * secondMs);
        window.monitor.dispose();
        world.orders = [liquidation(15)];
        await pass(afterMs);
        return new Window(world);
      }

      it('come with the first snapshot within an hour', async () => {
        for (const [afterMs, alerts] of [
          [0, [liquidated]],
          [hourMs - 15 * secondMs, [liquidated]],
          [hourMs, []],
        ] as const) {
          begin();
          const reopened = await reopen(afterMs, at(20));
          reopened.seesPositions();
          await pass(0);
          assert.deepEqual(reopened.alerts, alerts);
        }
      });

      it('need no read when the position is still open, or was closed before', async () => {
        const reopened = await reopen(minuteMs, at(20));
        reopened.seesPositions(at(19));
        await pass(hourMs);
        assert.deepEqual(world.requests, []);
        reopened.seesPositions();
        await pass(hourMs);
        const { length } = world.requests;
        reopened.monitor.dispose();
        new Window(world).seesPositions();
        await pass(hourMs);
        assert.equal(world.requests.length, length);
      });

      it('wait for a snapshot without unreadable positions', async () => {
        const reopened = await reopen(0, at(20));
        reopened.sees({ positions: [] }, unreadable);
        await pass(15 * secondMs);
        assert.deepEqual(world.requests, []);
        reopened.seesPositions();
        await pass(0);
        assert.deepEqual(reopened.alerts, [liquidated]);
      });
    });

    it('stop with the account: no read and no alert after it was closed', async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const read = world.read.bind(world);
      world.read = (request) => promise.then(() => read(request));
      world.orders = [liquidation()];
      await vanishAfter15s([at(20)]);
      window.monitor.dispose();
      resolve(undefined);
      await pass(hourMs);
      assert.deepEqual([window.alerts, window.readErrors], [[], []]);

      begin();
      await vanishAfter15s([at(20)]);
      window.monitor.dispose();
      await pass(hourMs);
      assert.deepEqual([world.requests.length, window.alerts, window.readErrors], [1, [], []]);
    });

    it('are read by one of many windows, and by no other after it closes', async () => {
      for (const isClosed of [false, true]) {
        begin();
        const other = new Window(world);
        other.seesPositions(at(20));
        await vanishAfter15s([at(20)]);
        other.seesPositions();
        if (isClosed) window.monitor.dispose();
        await pass(hourMs);
        assert.equal(world.requests.length, isClosed ? 1 : 2);
        assert.deepEqual(other.alerts, []);
      }
    });

    it('are read for again when the position was opened again and vanished once more', async () => {
      await vanishAfter15s([at(20)]);
      await pass(minuteMs);
      const seconds = (world.clock.now() - start) / secondMs;
      world.orders = [liquidation(seconds + 5)];
      await vanishAfter15s([at(20)]);
      assert.deepEqual(window.alerts, [liquidated]);
    });

    it('need no read when their setting is off, also between the two reads', async () => {
      world.off.add('liquidations');
      await vanishAfter15s([at(20)]);
      assert.deepEqual(world.requests, []);
      world.off.clear();
      await vanishAfter15s([at(20)]);
      world.off.add('liquidations');
      await pass(hourMs);
      assert.equal(world.requests.length, 1);
      assert.deepEqual(window.alerts, []);
    });
  });
});
