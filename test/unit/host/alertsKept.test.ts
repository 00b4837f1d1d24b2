import assert from 'node:assert/strict';
import type { Profile } from '../../../src/account/profile.ts';
import { TimeZone } from '../../../src/base/timeZone.ts';
import { defaultDialect } from '../../../src/exchange/dialect/dialect.ts';
import { KeptAlerts } from '../../../src/host/alerts/keptAlerts.ts';
import type { Log } from '../../../src/host/log.ts';

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
      assert.deepEqual([...each.told], [['near:btc_usdt', now]]);
      assert.deepEqual(each.firstEquities, [{ seenAt: now, equity: '1.10' }]);
    }
  });

  it('is known to the window that told also when the write is lost, and written with the next', () => {
    const one = window();
    one.tell(['near:btc_usdt'], now);
    one.keepFirstEquity({ seenAt: now, equity: '1.10' });
    state.value = undefined;
    assert.equal(one.told.get('near:btc_usdt'), now);
    one.tell(['equity'], now + 1);
    assert.deepEqual([...window().told.keys()], ['equity', 'near:btc_usdt']);
    assert.equal(window().firstEquities.length, 1);
  });

  it('is of one account, whatever profile opens it and whatever other account the profile had', () => {
    window().tell(['equity'], now);
    window().keepFirstEquity({ seenAt: now, equity: '1.10' });
    const other = window('other');
    assert.deepEqual([other.told.size, other.firstEquities], [0, []]);
    assert.equal(window('mine', { name: 'Renamed' }).told.size, 1);
    other.tell(['equity'], now);
    assert.equal(window().told.size, 1);
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

  it('is not kept of the practice exchange', () => {
    const practice = window('mine', { environment: 'practice' });
    practice.tell(['equity'], now);
    assert.equal(state.value, undefined);
    assert.equal(practice.told.size, 1);
  });

  it('is forgotten after a week, with accounts that nobody opens any more', () => {
    window('other').tell(['equity'], now);
    window().tell(['equity'], now);
    window().tell(['near:btc_usdt'], now + 7 * dayMs);
    assert.deepEqual([...window().told.keys()], ['near:btc_usdt']);
    assert.equal((state.value as unknown[]).length, 1);
  });

  it('stays small whatever symbols an exchange sends', () => {
    const symbols = Array.from({ length: 2000 }, (_, index) => `near:${index}`);
    window().tell(symbols, now);
    assert.equal(window().told.size, 500);
  });

  it('is nothing where it cannot be read', () => {
    const good = {
      account: 'mine',
      keptAt: now,
      told: [['equity', now]],
    };
    for (const bad of [7, 'x', null, {}, [null, { ...good, told: [['equity', 'now']] }]]) {
      state.value = bad;
      assert.equal(window().told.size, 0);
    }
    state.value = [{ ...good, first: { seenAt: 1, equity: '1,5' } }, 7, good];
    assert.equal(window().told.size, 1);
  });
});
