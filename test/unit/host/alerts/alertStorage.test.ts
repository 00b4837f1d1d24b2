import assert from 'node:assert/strict';
import { AlertMonitor, type AlertMemory } from '../../../../src/account/alerts/alertMonitor.ts';
import type { Alert } from '../../../../src/account/alerts/alerts.ts';
import type {
  AlertedAccount,
  HeldPositions,
} from '../../../../src/account/alerts/vanishedPositions.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import { rankPositions } from '../../../support/risks.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { autoConventions } from '../../../../src/exchange/conventions/apiConventions.ts';
import { ConventionResolver } from '../../../../src/exchange/conventions/conventionResolver.ts';
import type { Order, Position } from '../../../../src/exchange/records.ts';
import { AlertStorage, storedAlerts } from '../../../../src/host/alerts/alertStorage.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import { aHistoryPage } from '../../../support/historyPage.ts';
import { anAccount, anOrder, aPosition, aProfile } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20);
const profile = aProfile({ environment: 'live', baseUrl: 'https://host.example/api' });

/** VS Code's global state. */
class State {
  value: unknown;
  get(): never {
    return this.value as never;
  }
  update(_key: string, value: unknown): Promise<void> {
    this.value = structuredClone(value);
    return Promise.resolve();
  }
}

const calm = aPosition({ markPrice: '100', liquidationPrice: '50' });

/** What is read of the account now. */
function readAt(clock: FakeClock, ...positions: Position[]) {
  const asOf = clock.now();
  const times = { asOf, readAt: asOf, sentAt: asOf, answeredAt: asOf };
  return { account: anAccount({ positions }), badRecords: [], ...times };
}

/** Watches an account, and adds its alerts to `alerts`. */
function monitored(clock: FakeClock, memory: AlertMemory, alerts: Alert[], orders: Order[] = []) {
  const store = new AccountStore();
  const page = aHistoryPage(orders, { total: String(orders.length) });
  const orderHistory = {
    clockAheadMs: 0,
    conventions: new ConventionResolver(autoConventions),
    serverNow: () => clock.now(),
    history: () => Promise.resolve(page),
  };
  const monitor = new AlertMonitor({
    store,
    account: { client: orderHistory } as unknown as AlertedAccount,
    clock,
    memory,
    limits: () => ({ ...limits, equityFallPercent: 10 }),
    sortByRisk: rankPositions,
    zone: () => new TimeZone('UTC'),
    isOn: () => true,
    alert: (alert) => alerts.push(alert),
    onReadError: (error) => assert.fail(String(error)),
  });
  return { store, monitor };
}

describe('the stored alert memory', () => {
  let state: State;
  beforeEach(() => {
    state = new State();
    zone = new TimeZone('UTC');
  });

  let zone: TimeZone;
  const window = (fingerprint = 'mine', fields: Partial<Profile> = {}) => {
    const log = { failure: (_doing: string, error: unknown) => assert.fail(String(error)) };
    const session = { profile: { ...profile, ...fields }, fingerprint };
    const stored = storedAlerts(state);
    return new AlertStorage({ session, stored, zone: () => zone, log: log as unknown as Log });
  };

  it('is shared by all windows, and survives a reload', () => {
    const one = window();
    const other = window();
    one.recordNotified(['near:btc_usdt'], now);
    one.saveFirstEquity({ seenAt: now, equity: '1.10' });
    for (const each of [other, window()]) {
      assert.deepEqual([...each.notifiedTimes(now)], [['near:btc_usdt', now]]);
      assert.deepEqual(each.firstEquities, [{ seenAt: now, equity: '1.10' }]);
    }
  });

  it('is still known to the window that wrote it when the write is lost, and written with the next', () => {
    const one = window();
    one.recordNotified(['near:btc_usdt'], now);
    one.saveFirstEquity({ seenAt: now, equity: '1.10' });
    state.value = undefined;
    assert.equal(one.notifiedTimes(now).get('near:btc_usdt'), now);
    one.recordNotified(['equity'], now + 1);
    assert.deepEqual(
      [
        ...window()
          .notifiedTimes(now + 1)
          .keys(),
      ],
      ['equity', 'near:btc_usdt'],
    );
    assert.equal(window().firstEquities.length, 1);
  });

  it('has the latest time of an alert that windows showed at several times', () => {
    const [one, other] = [window(), window()];
    one.recordNotified(['equity'], now + 1);
    state.value = undefined;
    other.recordNotified(['equity'], now);
    assert.equal(one.notifiedTimes(now + 1).get('equity'), now + 1);
  });

  it('belongs to the account, not to the profile', () => {
    window().recordNotified(['equity'], now);
    window().saveFirstEquity({ seenAt: now, equity: '1.10' });
    const other = window('other');
    assert.deepEqual([other.notifiedTimes(now).size, other.firstEquities], [0, []]);
    assert.equal(window('mine', { name: 'Renamed' }).notifiedTimes(now).size, 1);
    other.recordNotified(['equity'], now);
    assert.equal(window().notifiedTimes(now).size, 1);
  });

  it('keeps today’s first equity if another window still has yesterday’s', () => {
    const yesterday = { seenAt: now - 1, equity: '9' };
    const today = { seenAt: now, equity: '1.10' };
    const one = window();
    one.saveFirstEquity(yesterday);
    window().saveFirstEquity(today);
    one.recordNotified(['equity'], now + dayMs / 2);
    assert.deepEqual(window().firstEquities, [today]);
  });

  it('keeps the earlier of two first equities of a day in the zone of the settings', () => {
    const [earlier, later] = [now - 1, now].map((seenAt) => ({ seenAt, equity: String(seenAt) }));
    assert.ok(earlier && later);
    for (const [name, kept] of [
      ['Europe/Berlin', earlier],
      ['UTC', later],
    ] as const) {
      zone = new TimeZone(name);
      state = new State();
      const one = window();
      one.saveFirstEquity(earlier);
      window().saveFirstEquity(later);
      assert.deepEqual(window().firstEquities, [kept]);
      one.recordNotified(['equity'], now);
      assert.deepEqual(window().firstEquities, [kept]);
    }
  });

  it('drops a first equity that is in the future, as after the clock was set back', () => {
    window().saveFirstEquity({ seenAt: now + 2 * dayMs, equity: '9' });
    window().saveFirstEquity({ seenAt: now, equity: '1.10' });
    assert.deepEqual(window().firstEquities, [{ seenAt: now, equity: '1.10' }]);
  });

  const position = { symbol: 'btc_usdt', marginMode: 'ISOLATED', side: 'long' } as const;
  const held = (asOf: number, count = 1): HeldPositions => ({
    asOf,
    positions: Array.from({ length: count }, () => position),
    unexplained: 0,
  });
  it('has the newest positions that any window of the account saw', () => {
    const one = window();
    one.saveHeld(held(now), now);
    window().saveHeld(held(now - 1, 2), now);
    for (const each of [one, window()]) assert.deepEqual(each.held, held(now));
    assert.deepEqual(window('other').held, undefined);
  });

  it('drops positions that are in the future, as after the clock was set back', () => {
    window().saveHeld(held(now + dayMs, 2), now + dayMs);
    window().saveHeld(held(now), now);
    assert.deepEqual(window().held, held(now));
  });

  it('is written at most once a minute while no position comes or goes', async () => {
    let writes = 0;
    state.update = (_key, value) => {
      writes += 1;
      state.value = structuredClone(value);
      return Promise.resolve();
    };
    const clock = new FakeClock(now);
    const { store, monitor } = monitored(clock, window(), []);
    const poll = async (times: number, ...positions: Position[]) => {
      for (let polls = 0; polls < times; polls += 1) {
        store.replace(readAt(clock, ...positions));
        await clock.advance(15_000);
      }
    };
    await poll(1, calm);
    writes = 0;
    await poll(40, calm);
    assert.equal(writes, 10);
    await poll(1, calm, { ...calm, marginMode: 'CROSS' });
    assert.equal(writes, 11);
    const asOf = clock.now();
    await poll(1, calm, { ...calm, marginMode: 'CROSS' });
    assert.equal(writes, 11);
    monitor.dispose();
    assert.equal(writes, 12);
    assert.equal(window().held?.asOf, asOf);
  });

  it('is not stored for the practice exchange', () => {
    const practice = window('mine', { environment: 'practice' });
    practice.recordNotified(['equity'], now);
    practice.saveHeld(held(now), now);
    assert.equal(state.value, undefined);
    assert.equal(practice.notifiedTimes(now).size, 1);
  });

  it('expires after a week, with accounts that are no longer opened', () => {
    window('other').recordNotified(['equity'], now);
    window().recordNotified(['equity'], now);
    window().recordNotified(['near:btc_usdt'], now + 7 * dayMs);
    assert.deepEqual(
      [
        ...window()
          .notifiedTimes(now + 7 * dayMs)
          .keys(),
      ],
      ['near:btc_usdt'],
    );
    assert.equal((state.value as unknown[]).length, 1);
  });

  it('stays small for any symbols that an exchange sends, and keeps the newest alerts', () => {
    const symbols = Array.from({ length: 2000 }, (_, index) => `near:${index}`);
    window().recordNotified(symbols, now);
    window().recordNotified(['near:last'], now + 1);
    const kept = window().notifiedTimes(now + 1);
    assert.deepEqual([kept.size, kept.get('near:last')], [500, now + 1]);
    const positions = symbols.map((symbol) => ({ ...position, symbol }));
    window().saveHeld({ ...held(now), positions }, now);
    assert.equal(window().held?.positions.length, 500);
  });

  it('does not miss a liquidation after the clock was set back', async () => {
    const clock = new FakeClock(now);
    const alerts: Alert[] = [];
    window().recordNotified(['gone:["btc_usdt","ISOLATED",1]'], now + 300_000);
    const { store, monitor } = monitored(clock, window(), alerts, [
      anOrder({ status: 'LIQUIDATED', time: String(now) }),
    ]);
    for (const positions of [[aPosition()], []]) {
      store.replace(readAt(clock, ...positions));
      await clock.advance(1000);
    }
    assert.deepEqual(alerts, [{ kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] }]);
    monitor.dispose();
  });

  it('is empty when it cannot be parsed', () => {
    const good = { account: 'mine', keptAt: now, notified: [['equity', now]] };
    for (const bad of [7, 'x', null, {}, [null, { ...good, notified: [['equity', 'now']] }]]) {
      state.value = bad;
      assert.equal(window().notifiedTimes(now).size, 0);
    }
    state.value = [{ ...good, first: { seenAt: 1, equity: '1,5' } }, 7, good];
    assert.equal(window().notifiedTimes(now).size, 1);
  });
});
