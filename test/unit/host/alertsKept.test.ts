import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/account/accountStore.ts';
import type { Alert } from '../../../src/account/alerts/alerts.ts';
import { AlertWatch, type AlertMemory } from '../../../src/account/alerts/alertWatch.ts';
import type { AccountRecords } from '../../../src/account/alerts/vanished.ts';
import type { Profile } from '../../../src/account/profile.ts';
import { TimeZone } from '../../../src/base/timeZone.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import type { Order, Position } from '../../../src/exchange/records.ts';
import { KeptAlerts } from '../../../src/host/alerts/keptAlerts.ts';
import type { Log } from '../../../src/host/log.ts';
import { anAccount, anOrder, aPosition } from '../../support/builders.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { signedSession } from '../../support/signedSession.ts';
import { byDanger } from '../../../src/account/risk.ts';

const limits = { nearPercent: 10, criticalPercent: 5 };

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20);
const profile: Profile = {
  name: 'Mine',
  environment: 'live',
  baseUrl: 'https://host.example/api',
  readOnly: false,
  auth: { scheme: 'none' },
  sign: [],
  dialect: defaultDialect,
};

/** VS Code's global state, as far as it is asked. */
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

const critical = aPosition({ markPrice: '100', liquidationPrice: '97' });
const calm = aPosition({ markPrice: '100', liquidationPrice: '50' });

/** What a window watches, and tells into `alerts`. */
function watched(clock: FakeClock, memory: AlertMemory, alerts: Alert[], orders: Order[] = []) {
  const store = new AccountStore();
  const page = { value: { content: orders }, badRecords: [] };
  const records = { clockAheadMs: 0, orders: () => Promise.resolve(page) };
  const watch = new AlertWatch({
    store,
    records: records as unknown as AccountRecords,
    clock,
    memory,
    limits: () => ({ ...limits, equityFallPercent: 10 }),
    byDanger: (positions) => byDanger(positions, limits),
    zone: () => new TimeZone('UTC'),
    isOn: () => true,
    alert: (alert) => alerts.push(alert),
    onProblem: (error) => assert.fail(String(error)),
  });
  return { store, watch };
}

describe('what windows know of alerts', () => {
  let state: State;
  beforeEach(() => {
    state = new State();
    zone = new TimeZone('UTC');
  });

  let zone: TimeZone;
  const window = (fingerprint = 'mine', fields: Partial<Profile> = {}) => {
    const log = { failure: (_doing: string, error: unknown) => assert.fail(String(error)) };
    const session = { profile: { ...profile, ...fields }, fingerprint };
    return new KeptAlerts({ session, state, zone: () => zone, log: log as unknown as Log });
  };

  it('is known to the others, and after a reload', () => {
    const one = window();
    const other = window();
    one.tell(['near:btc_usdt'], now);
    one.keepFirstEquity({ seenAt: now, equity: '1.10' });
    for (const each of [other, window()]) {
      assert.deepEqual([...each.told(now)], [['near:btc_usdt', now]]);
      assert.deepEqual(each.firstEquities, [{ seenAt: now, equity: '1.10' }]);
    }
  });

  it('is known to the window that told also when the write is lost, and written with the next', () => {
    const one = window();
    one.tell(['near:btc_usdt'], now);
    one.keepFirstEquity({ seenAt: now, equity: '1.10' });
    state.value = undefined;
    assert.equal(one.told(now).get('near:btc_usdt'), now);
    one.tell(['equity'], now + 1);
    assert.deepEqual(
      [
        ...window()
          .told(now + 1)
          .keys(),
      ],
      ['equity', 'near:btc_usdt'],
    );
    assert.equal(window().firstEquities.length, 1);
  });

  it('is of one account, whatever profile opens it and whatever other account the profile had', () => {
    window().tell(['equity'], now);
    window().keepFirstEquity({ seenAt: now, equity: '1.10' });
    const other = window('other');
    assert.deepEqual([other.told(now).size, other.firstEquities], [0, []]);
    assert.equal(window('mine', { name: 'Renamed' }).told(now).size, 1);
    other.tell(['equity'], now);
    assert.equal(window().told(now).size, 1);
  });

  it('keeps the first equity of today where a window still knows that of yesterday', () => {
    const yesterday = { seenAt: now - 1, equity: '9' };
    const today = { seenAt: now, equity: '1.10' };
    const one = window();
    one.keepFirstEquity(yesterday);
    window().keepFirstEquity(today);
    one.tell(['equity'], now + dayMs / 2);
    assert.deepEqual(window().firstEquities, [today]);
  });

  it('keeps the earlier of two windows’ first equities of a day, as the shown zone has it', () => {
    const [earlier, later] = [now - 1, now].map((seenAt) => ({ seenAt, equity: String(seenAt) }));
    assert.ok(earlier && later);
    for (const [name, kept] of [
      ['Europe/Berlin', earlier],
      ['UTC', later],
    ] as const) {
      zone = new TimeZone(name);
      state = new State();
      const one = window();
      one.keepFirstEquity(earlier);
      window().keepFirstEquity(later);
      assert.deepEqual(window().firstEquities, [kept]);
      one.tell(['equity'], now);
      assert.deepEqual(window().firstEquities, [kept]);
    }
  });

  it('keeps no first equity of a time to come, as after the clock was set back', () => {
    window().keepFirstEquity({ seenAt: now + 2 * dayMs, equity: '9' });
    window().keepFirstEquity({ seenAt: now, equity: '1.10' });
    assert.deepEqual(window().firstEquities, [{ seenAt: now, equity: '1.10' }]);
  });

  const key = '["btc_usdt","ISOLATED",1]';
  const held = (asOf: number, count = 1) => ({
    asOf,
    positions: [{ key, symbol: 'btc_usdt', count }],
  });
  const missed = (missedAt: number) => ({
    ...{ key, symbol: 'btc_usdt', missedAt },
    lastSeenAt: missedAt - 15_000,
  });

  it('has the positions that any window saw last, and what vanished within an hour', () => {
    const one = window();
    one.keepHeld(held(now), now);
    one.keepMissed([missed(now)], now);
    window().keepHeld(held(now - 1, 2), now);
    for (const each of [one, window()]) {
      assert.deepEqual(each.held, held(now));
      assert.deepEqual(each.missed, [missed(now)]);
    }
    const other = window();
    other.keepMissed([missed(now + 3_600_001)], now + 3_600_001);
    assert.deepEqual(window().missed, [missed(now + 3_600_001)]);
    assert.deepEqual(window('other').held, undefined);
  });

  it('has no positions of a time to come, as after the clock was set back', () => {
    window().keepHeld(held(now + dayMs, 2), now + dayMs);
    window().keepHeld(held(now), now);
    assert.deepEqual(window().held, held(now));
  });

  it('is read where a version before kept no positions, and by their symbol what it told', () => {
    const told = ['near:btc_usdt', 'critical:btc_usdt', 'gone:btc_usdt'].map((subject) => [
      subject,
      now,
    ]);
    state.value = [
      { account: 'mine', keptAt: now, first: { seenAt: now, equity: '12012.5' }, told },
    ];
    const clock = new FakeClock(now + 60_000);
    const alerts: Alert[] = [];
    const memory = window();
    const { store, watch } = watched(clock, memory, alerts);
    const asOf = clock.now();
    store.replace({ account: anAccount({ positions: [critical] }), badRecords: [], asOf });
    assert.equal(alerts.length, 1);
    assert.deepEqual(window().held, held(asOf));
    assert.deepEqual(window().firstEquities, [{ seenAt: now, equity: '12012.5' }]);
    watch.dispose();
  });

  it('is written at most once a minute while no position comes or goes', async () => {
    let writes = 0;
    state.update = (_key, value) => {
      writes += 1;
      state.value = structuredClone(value);
      return Promise.resolve();
    };
    const clock = new FakeClock(now);
    const { store, watch } = watched(clock, window(), []);
    const poll = async (times: number, ...positions: Position[]) => {
      for (let polls = 0; polls < times; polls += 1) {
        const account = anAccount({ positions });
        store.replace({ account, badRecords: [], asOf: clock.now() });
        await clock.advance(15_000);
      }
    };
    await poll(1, calm);
    writes = 0;
    await poll(40, calm);
    assert.equal(writes, 10);
    await poll(1, calm, { ...calm, marginMode: 'CROSS' });
    assert.equal(writes, 11);
    watch.dispose();
  });

  it('is not kept of the practice exchange', () => {
    const practice = window('mine', { environment: 'practice' });
    practice.tell(['equity'], now);
    practice.keepHeld(held(now), now);
    practice.keepMissed([missed(now)], now);
    assert.equal(state.value, undefined);
    assert.equal(practice.told(now).size, 1);
  });

  it('is forgotten after a week, with accounts that nobody opens any more', () => {
    window('other').tell(['equity'], now);
    window().tell(['equity'], now);
    window().tell(['near:btc_usdt'], now + 7 * dayMs);
    assert.deepEqual(
      [
        ...window()
          .told(now + 7 * dayMs)
          .keys(),
      ],
      ['near:btc_usdt'],
    );
    assert.equal((state.value as unknown[]).length, 1);
  });

  it('stays small whatever symbols an exchange sends', () => {
    const symbols = Array.from({ length: 2000 }, (_, index) => `near:${index}`);
    window().tell(symbols, now);
    assert.equal(window().told(now).size, 500);
    const positions = symbols.map((symbol) => ({ key: symbol, symbol, count: 1 }));
    window().keepHeld({ asOf: now, positions }, now);
    assert.equal(window().held?.positions.length, 500);
    window().keepMissed(
      symbols.map((symbol) => ({ ...missed(now), key: symbol })),
      now,
    );
    assert.equal(window().missed.length, 500);
  });

  it('repeats no alert at the polling rate after the clock was set back, in any of two windows', async () => {
    const clock = new FakeClock(now);
    const alerts: Alert[] = [];
    const windows = [window(), window()].map((memory) => watched(clock, memory, alerts));
    const poll = async (times: number, position = critical) => {
      for (let polls = 0; polls < times; polls += 1) {
        for (const { store } of windows) {
          const asOf = clock.now();
          store.replace({ account: anAccount({ positions: [position] }), badRecords: [], asOf });
        }
        await clock.advance(15_000);
      }
    };
    await poll(1, calm);
    await poll(4);
    assert.equal(alerts.length, 1);
    clock.sleep(-3_600_000);
    await poll(1);
    assert.equal(alerts.length, 2, 'what was told counts no more: it is told once more');
    await poll(500);
    assert.equal(alerts.length, 2);
    for (const { watch } of windows) watch.dispose();
  });

  it('does not take a liquidation for told after the clock was set back', async () => {
    const clock = new FakeClock(now);
    const alerts: Alert[] = [];
    window().tell(['gone:["btc_usdt","ISOLATED",1]'], now + 300_000);
    const { store, watch } = watched(clock, window(), alerts, [
      anOrder({ status: 'LIQUIDATED', time: String(now) }),
    ]);
    for (const positions of [[aPosition()], []]) {
      store.replace({ account: anAccount({ positions }), badRecords: [], asOf: clock.now() });
      await clock.advance(1000);
    }
    assert.deepEqual(alerts, [{ kind: 'liquidations', by: 'order', symbols: ['btc_usdt'] }]);
    watch.dispose();
  });

  it('is of one base URL: another of the same host and key has its own first equity', () => {
    const alerts: Alert[] = [];
    const clock = new FakeClock(now);
    for (const [path, equity] of [
      ['a', '10000'],
      ['b', '500'],
    ] as const) {
      const url = `https://gateway.example/${path}`;
      const session = signedSession({ url }, { readOnly: true });
      const { store, watch } = watched(clock, window(session.fingerprint), alerts);
      const asOf = clock.now();
      store.replace({ account: anAccount({ equity, positions: [] }), badRecords: [], asOf });
      watch.dispose();
      session.dispose();
    }
    assert.deepEqual(alerts, []);
  });

  it('is parsed once for each value that is kept, however often anybody looks', () => {
    let parses = 0;
    const entry = (subject: string) => ({
      get account() {
        parses += 1;
        return 'mine';
      },
      keptAt: now,
      told: [[subject, now]],
    });
    const one = window();
    for (const subject of ['equity', 'connection']) {
      state.value = [entry(subject)];
      for (let looks = 0; looks < 10; looks += 1) {
        assert.deepEqual([...one.told(now).keys()], [subject]);
        assert.deepEqual(one.firstEquities, []);
      }
    }
    assert.equal(parses, 2);
  });

  it('is nothing where it cannot be read', () => {
    const good = {
      account: 'mine',
      keptAt: now,
      told: [['equity', now]],
    };
    for (const bad of [7, 'x', null, {}, [null, { ...good, told: [['equity', 'now']] }]]) {
      state.value = bad;
      assert.equal(window().told(now).size, 0);
    }
    state.value = [{ ...good, first: { seenAt: 1, equity: '1,5' } }, 7, good];
    assert.equal(window().told(now).size, 1);
  });
});
