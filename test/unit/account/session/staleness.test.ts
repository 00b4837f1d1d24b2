import assert from 'node:assert/strict';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import {
  StalenessMonitor,
  roundedAge,
  staleAgeMs,
} from '../../../../src/account/session/staleness.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { anAccount } from '../../../support/builders.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const s = 1000;

describe('the staleness of figures', () => {
  it('begins with the second refresh that is missed', () => {
    assert.equal(staleAgeMs(0, 30 * s - 1, 15 * s), undefined);
    assert.equal(staleAgeMs(0, 30 * s, 15 * s), 30 * s);
    assert.equal(staleAgeMs(5 * s, 20 * s, 60 * s), undefined);
  });

  it('is of unknown age after the clock was set back', () => {
    assert.equal(staleAgeMs(1, 1, 15 * s), undefined);
    assert.equal(staleAgeMs(1, 0, 15 * s), Infinity);
    assert.equal(staleAgeMs(3600 * s, 10 * s, 15 * s), Infinity);
  });

  it('is shown in tens of seconds, minutes or hours, never older than it is', () => {
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

describe('the staleness monitor', () => {
  let clock: FakeClock;
  let store: AccountStore;
  let intervalMs: number;
  let monitor: StalenessMonitor;
  let reported: (number | undefined)[];

  beforeEach(() => {
    clock = new FakeClock();
    store = new AccountStore();
    intervalMs = 15 * s;
    const didChange = new Emitter<void>();
    monitor = new StalenessMonitor({ store, clock, intervalMs: () => intervalMs, didChange });
    reported = [];
    didChange.event(() => reported.push(monitor.staleAgeMs));
  });
  afterEach(() => monitor.dispose());

  const read = () =>
    store.replace({
      account: anAccount(),
      badRecords: [],
      asOf: clock.now(),
      readAt: clock.now(),
      sentAt: clock.now(),
      answeredAt: clock.now(),
    });

  it('reports nothing without figures', async () => {
    store.fail(new Error('network'));
    await clock.advance(3600 * s);
    assert.deepEqual([monitor.staleAgeMs, reported], [undefined, []]);
  });

  it('reports stale figures while nothing else happens, and each change of their shown age', async () => {
    read();
    await clock.advance(29 * s);
    assert.deepEqual(reported, []);
    await clock.advance(31 * s);
    assert.deepEqual(reported, [30 * s, 40 * s, 50 * s, 60 * s]);
  });

  it('is not reset by reads that fail', async () => {
    read();
    await clock.advance(20 * s);
    store.fail(new Error('network'));
    await clock.advance(10 * s);
    assert.equal(monitor.staleAgeMs, 30 * s);
    assert.deepEqual(reported, [30 * s]);
  });

  it('ends with the next good read', async () => {
    read();
    await clock.advance(60 * s);
    read();
    assert.equal(monitor.staleAgeMs, undefined);
    reported.length = 0;
    await clock.advance(25 * s);
    assert.deepEqual(reported, []);
  });

  it('returns the age after the machine slept, even before its next check', () => {
    read();
    const wokeAt = clock.now() + 8 * 3600 * s;
    clock.now = () => wokeAt;
    assert.equal(monitor.staleAgeMs, 8 * 3600 * s);
  });

  it('does not report stale figures when a window that read rarely gets the focus back', async () => {
    intervalMs = 60 * s;
    read();
    await clock.advance(50 * s);
    intervalMs = 15 * s;
    assert.equal(monitor.staleAgeMs, undefined);
    await clock.advance(70 * s);
    assert.equal(monitor.staleAgeMs, 120 * s);
  });

  it('reports once that the clock was set back, and ends with the next good read', async () => {
    read();
    clock.setAhead(-3600 * s);
    await clock.advance(30 * s);
    assert.deepEqual(reported, [Infinity]);
    read();
    assert.equal(monitor.staleAgeMs, undefined);
  });

  it('leaves no timer behind', () => {
    read();
    assert.equal(clock.waiting, 1);
    monitor.dispose();
    assert.equal(clock.waiting, 0);
  });
});
