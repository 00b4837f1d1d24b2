import assert from 'node:assert/strict';
import { AlertMonitor, type AlertMemory } from '../../../../src/account/alerts/alertMonitor.ts';
import type { Alert } from '../../../../src/account/alerts/alerts.ts';
import type {
  AlertedAccount,
  HeldPositions,
} from '../../../../src/account/alerts/vanishedPositions.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import { rankPositions } from '../../../support/risks.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { autoConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import type { Order, Position } from '../../../../src/exchange/records.ts';
import { AlertStorage, storedAlerts } from '../../../../src/host/alerts/alertStorage.ts';
import type { Log } from '../../../../src/host/shared/log.ts';
import { aHistoryPage } from '../../../support/historyPage.ts';
import { anAccount, anOrder, aPosition } from '../../../support/builders.ts';
import { clientKey } from '../../../../src/exchange/client.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20);

/** VS Code's global state. */
class State {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
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
    conventions: new ExchangeConventions(autoConventions),
    serverNow: () => clock.now(),
    history: () => Promise.resolve(page),
  };
  const monitor = new AlertMonitor({
    store,
    account: { [clientKey]: orderHistory } as unknown as AlertedAccount,
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
  let clock: FakeClock;
  beforeEach(() => {
    state = new State();
    clock = new FakeClock(now);
  });

  const window = (fingerprint = 'mine') => {
    const log = { failure: (_doing: string, error: unknown) => assert.fail(String(error)) };
    return new AlertStorage(fingerprint, storedAlerts(state, clock), log as unknown as Log);
  };
  const subjectsOf = (memory: AlertMemory) => [...memory.notifiedTimes().keys()];

  it('is shared by all windows of the account, and survives a reload', () => {
    const one = window();
    const other = window();
    one.recordNotified(['near:btc_usdt'], now);
    one.saveFirstEquity({ seenAt: now, equity: '1.10' });
    for (const each of [other, window()]) {
      assert.deepEqual([...each.notifiedTimes()], [['near:btc_usdt', now]]);
      assert.deepEqual(each.firstEquities, [{ seenAt: now, equity: '1.10' }]);
    }
    const ofOther = window('other');
    assert.deepEqual([ofOther.notifiedTimes().size, ofOther.firstEquities], [0, []]);
    ofOther.recordNotified(['equity'], now);
    assert.deepEqual(subjectsOf(window()), ['near:btc_usdt']);
  });

  it('has the last time of an alert', () => {
    window().recordNotified(['equity', 'near:btc_usdt'], now - 1);
    window().recordNotified(['equity'], now);
    assert.equal(window().notifiedTimes().get('equity'), now);
  });

  it('is still known to the window that wrote it when the write is lost, and written with the next', () => {
    const one = window();
    one.recordNotified(['near:btc_usdt'], now - 1);
    one.saveFirstEquity({ seenAt: now - 1, equity: '1.10' });
    state.values.clear();
    assert.deepEqual(subjectsOf(one), ['near:btc_usdt']);
    assert.equal(one.firstEquities.length, 1);
    one.recordNotified(['equity'], now);
    assert.deepEqual(subjectsOf(window()), ['equity', 'near:btc_usdt']);
  });

  it('has every first equity that a window saw, each once', () => {
    const [earlier, later] = [now - dayMs, now].map((seenAt) => ({ seenAt, equity: '9' }));
    assert.ok(earlier && later);
    for (const first of [earlier, later, later]) window().saveFirstEquity(first);
    assert.deepEqual(window().firstEquities, [later, earlier]);
  });

  const position = { symbol: 'btc_usdt', marginMode: 'ISOLATED', side: 'long' } as const;
  const held = (asOf: number, count = 1): HeldPositions => ({
    asOf,
    positions: Array.from({ length: count }, () => position),
    unexplained: 0,
  });
  it('has the newest positions that any window of the account saw', () => {
    const one = window();
    one.saveHeld(held(now));
    window('other').saveHeld(held(now - 2));
    window().saveHeld(held(now - 1, 2));
    for (const each of [one, window()]) assert.deepEqual(each.held, held(now));
    assert.deepEqual(window('other').held, held(now - 2));
  });

  it('has nothing of the future, as after the clock was set back', () => {
    const later = now + dayMs;
    window().recordNotified(['equity'], later);
    window().saveFirstEquity({ seenAt: later, equity: '9' });
    window().saveHeld(held(later, 2));
    const { firstEquities, held: newest } = window();
    assert.deepEqual([subjectsOf(window()), firstEquities, newest], [[], [], undefined]);
    window().saveHeld(held(now));
    assert.deepEqual(window().held, held(now));
  });

  it('is written at most once a minute while no position comes or goes', async () => {
    let writes = 0;
    const put = state.update.bind(state);
    state.update = (key, value) => {
      writes += 1;
      return put(key, value);
    };
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

  it('expires after a week, with accounts that are no longer opened', async () => {
    window('other').recordNotified(['equity'], now);
    window().recordNotified(['equity'], now);
    await clock.advance(7 * dayMs);
    window().recordNotified(['near:btc_usdt'], clock.now());
    assert.deepEqual(subjectsOf(window()), ['near:btc_usdt']);
    assert.equal(window('other').notifiedTimes().size, 0);
    assert.equal((state.values.get('marginDesk.alerts') as unknown[]).length, 1);
  });

  it('stays small for any symbols that an exchange sends, and keeps the newest alerts', () => {
    const symbols = Array.from({ length: 2000 }, (_, index) => `near:${index}`);
    window().recordNotified(symbols, now - 1);
    window().recordNotified(['near:last'], now);
    const kept = window().notifiedTimes();
    assert.deepEqual([kept.size, kept.get('near:last')], [500, now]);
    const positions = symbols.map((symbol) => ({ ...position, symbol }));
    window().saveHeld({ ...held(now), positions });
    assert.equal(window().held?.positions.length, 500);
  });

  it('does not miss a liquidation after the clock was set back', async () => {
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
    const good = { account: 'mine', subject: 'equity', at: now };
    for (const bad of [7, 'x', null, {}, [null, { ...good, at: 'now' }]]) {
      state.values.set('marginDesk.alerts', bad);
      assert.equal(window().notifiedTimes().size, 0);
    }
    state.values.set('marginDesk.alerts', [{ ...good, at: null }, 7, good]);
    assert.equal(window().notifiedTimes().size, 1);
    const first = { account: 'mine', first: { seenAt: 1, equity: '1,5' } };
    state.values.set('marginDesk.firstEquities', [first]);
    assert.deepEqual(window().firstEquities, []);
  });
});
