import assert from 'node:assert/strict';
import { AccountStore } from '../../../src/account/accountStore.ts';
import { Freshness, roundedAge, staleAgeMs } from '../../../src/account/freshness.ts';
import { anAccount } from '../../support/builders.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const s = 1000;

describe('the staleness of figures', () => {
  it('begins with the second refresh that is missed', () => {
    assert.equal(staleAgeMs(0, 30 * s - 1, 15 * s), undefined);
    assert.equal(staleAgeMs(0, 30 * s, 15 * s), 30 * s);
    assert.equal(staleAgeMs(5 * s, 20 * s, 60 * s), undefined);
  });

  it('is what a clock that was set back leaves: how old the figures are, nobody knows', () => {
    assert.equal(staleAgeMs(1, 1, 15 * s), undefined);
    assert.equal(staleAgeMs(1, 0, 15 * s), Infinity);
    assert.equal(staleAgeMs(3600 * s, 10 * s, 15 * s), Infinity);
  });

  it('is told in tens of seconds, minutes or hours, never older than it is', () => {
    const rounded = (ageS: number) => Object.values(roundedAge(ageS * s)).join(' ');
    assert.deepEqual([39.9, 119, 120, 179, 7199, 7200, 90_000].map(rounded), [
      '30 s',
      '110 s',
      '2 min',
      '2 min',
      '119 min',
      '2 h',
      '25 h',
    ]);
  });
});

describe('the freshness of an account', () => {
  let clock: FakeClock;
  let store: AccountStore;
  let intervalMs: number;
  let freshness: Freshness;
  let told: (number | undefined)[];

  beforeEach(() => {
    clock = new FakeClock();
    store = new AccountStore();
    intervalMs = 15 * s;
    freshness = new Freshness({ store, clock, intervalMs: () => intervalMs });
    told = [];
    freshness.onDidChange(() => told.push(freshness.staleMs));
  });
  afterEach(() => freshness.dispose());

  const read = () => store.replace({ account: anAccount(), badRecords: [], asOf: clock.now() });

  it('tells nothing of figures that there are none of', async () => {
    store.fail(new Error('network'));
    await clock.advance(3600 * s);
    assert.deepEqual([freshness.staleMs, told], [undefined, []]);
  });

  it('tells that they became stale without anything else happening, and each time their shown age changes', async () => {
    read();
    await clock.advance(29 * s);
    assert.deepEqual(told, []);
    await clock.advance(31 * s);
    assert.deepEqual(told, [30 * s, 40 * s, 50 * s, 60 * s]);
  });

  it('is not mended by reads that fail', async () => {
    read();
    await clock.advance(20 * s);
    store.fail(new Error('network'));
    await clock.advance(10 * s);
    assert.equal(freshness.staleMs, 30 * s);
    assert.deepEqual(told, [30 * s]);
  });

  it('ends with the next good read', async () => {
    read();
    await clock.advance(60 * s);
    read();
    assert.equal(freshness.staleMs, undefined);
    told.length = 0;
    await clock.advance(25 * s);
    assert.deepEqual(told, []);
  });

  it('knows after the machine slept, at whatever moment somebody asks', () => {
    read();
    const wokeAt = clock.now() + 8 * 3600 * s;
    clock.now = () => wokeAt;
    assert.equal(freshness.staleMs, 8 * 3600 * s);
  });

  it('does not blame a window that gets the focus back for reading seldom before', async () => {
    intervalMs = 60 * s;
    read();
    await clock.advance(50 * s);
    intervalMs = 15 * s;
    assert.equal(freshness.staleMs, undefined);
    await clock.advance(70 * s);
    assert.equal(freshness.staleMs, 120 * s);
  });

  it('tells once of a clock that was set back, and ends with the next good read', async () => {
    read();
    clock.sleep(-3600 * s);
    await clock.advance(30 * s);
    assert.deepEqual(told, [Infinity]);
    read();
    assert.equal(freshness.staleMs, undefined);
  });

  it('is not changed by whoever asks', async () => {
    read();
    intervalMs = 600 * s;
    assert.equal(freshness.staleMs, undefined);
    intervalMs = 15 * s;
    await clock.advance(30 * s);
    assert.equal(freshness.staleMs, 30 * s);
  });

  it('leaves no timer behind', () => {
    read();
    assert.equal(clock.waiting, 1);
    freshness.dispose();
    assert.equal(clock.waiting, 0);
  });
});
