import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Clock } from '../../../../src/base/time.ts';
import type { OperationName } from '../../../../src/api/operations.ts';
import { compactState } from '../../../../src/exchange/rateLimit/normalizeState.ts';
import type { Priority } from '../../../../src/exchange/rateLimit/priority.ts';
import { RateLimitFile } from '../../../../src/exchange/rateLimit/rateLimitFile.ts';
import {
  emptyState,
  settleCharge,
  addCharge,
  totalWeight,
  type Charge,
  type RateLimitState,
} from '../../../../src/exchange/rateLimit/rateLimitState.ts';
import { rateLimitFileName } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { spawnOwned } from '../../../support/childProcess.ts';
import { english } from '../../../support/english.ts';
import { eventually } from '../../../support/eventually.ts';
import { failureOf } from '../../../support/failureOf.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { folderOfEachTest } from '../../../support/project.ts';

const holder = path.join(import.meta.dirname, '../../../support/rateLimitFileHolder.ts');

/** Blocks this process, as an overloaded machine does. */
function stall(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

describe('rate-limit states in a file', () => {
  const clock = new FakeClock();
  const folder = folderOfEachTest();
  let problems: unknown[];

  beforeEach(() => void (problems = []));

  const file = (name = 'state.json') => path.join(folder.path, name);
  function open(name = 'state.json'): RateLimitFile {
    const onProblem = (error: unknown): void => void problems.push(error);
    return new RateLimitFile({ folder: folder.path, name, clock, onProblem });
  }
  const breakFile = () => rename(file(), file('aside')).then(() => mkdir(file()));
  const repairFile = () => rmdir(file()).then(() => rename(file('aside'), file()));
  const aCharge = (weight: number): Charge => ({
    id: crypto.randomUUID(),
    weight,
    operation: 'orders',
    maxDurationMs: 1000,
  });
  /** One charge, however often the store repeats the change. */
  const spend = (weight: number) => {
    const charge = aCharge(weight);
    return (state: RateLimitState) => addCharge(state, charge, clock.now());
  };

  it('are what another window, or this one after a reload, reads', async () => {
    await open().update(spend(7));
    assert.equal(totalWeight(open().read().entries), 7);
    assert.deepEqual(await readdir(folder.path), ['state.json']);
  });

  it('lose nothing under concurrent changes', async () => {
    const stores = Array.from({ length: 10 }, () => open());
    await Promise.all(
      stores.flatMap((store) => [1, 2, 3].map((weight) => store.update(spend(weight)))),
    );
    assert.equal(totalWeight(open().read().entries), 60);
    assert.deepEqual(problems, []);
  });

  describe('beside a lock that stays', () => {
    /** For these tests, the clock of a lock’s age is so many times as fast. */
    const speed = 10;
    const steadyNow = performance.now.bind(performance);
    beforeEach(() => void Object.assign(performance, { now: () => steadyNow() * speed }));
    afterEach(() => void Reflect.deleteProperty(performance, 'now'));

    it('wait two seconds for a lock that stays, independent of its age by the wall clock', async () => {
      writeFileSync(file('state.json.lock'), 'of somebody');
      const longAgo = new Date(Date.now() - 10_000);
      utimesSync(file('state.json.lock'), longAgo, longAgo);
      const startedAt = performance.now();
      await open().update(spend(7));
      assert.ok(performance.now() - startedAt > 1900, 'it did not wait for the lock');
      assert.equal(totalWeight(open().read().entries), 7);
      assert.deepEqual(await readdir(folder.path), ['state.json']);
    });

    it('wait as long for a lock that another takes the moment it is free', async () => {
      await eventually('a process of some seconds', () => performance.now() > 2100);
      const { statSync } = fs;
      const lookBy = (look: unknown): void => {
        Object.assign(fs, { statSync: look });
        syncBuiltinESMExports();
      };
      const lock = file('state.json.lock');
      writeFileSync(lock, 'of one');
      lookBy((name: string) => {
        lookBy(statSync);
        rmSync(lock);
        const gone = statSync(name, { throwIfNoEntry: false });
        writeFileSync(lock, 'of another');
        return gone;
      });
      try {
        const startedAt = performance.now();
        await open().update(spend(7));
        assert.ok(performance.now() - startedAt > 1900, 'it took a lock away that was alive');
      } finally {
        lookBy(statSync);
      }
    });

    it('survive a process that was killed while it changed them, without its change', async () => {
      await open().update(spend(3));
      const child = spawnOwned(process.execPath, [holder, folder.path], { stdio: 'pipe' });
      const output = child.stdout ?? assert.fail();
      await once(output, 'data');
      assert.deepEqual(await readdir(folder.path), ['state.json', 'state.json.lock']);
      const killed = once(child, 'exit');
      child.kill('SIGKILL');
      await killed;
      await open().update(spend(7));
      assert.equal(totalWeight(open().read().entries), 10);
      assert.deepEqual(await readdir(folder.path), ['state.json']);
    });

    it('are not changed by a process that stalled while another took the lock and changed them', async () => {
      const store = open();
      let runs = 0;
      await store.update((state) => {
        runs += 1;
        if (runs === 1) {
          rmSync(file('state.json.lock'));
          writeFileSync(file(), JSON.stringify(spend(1)(emptyState)));
          writeFileSync(file('state.json.lock'), 'of another');
          stall(1100 / speed);
        }
        return spend(7)(state);
      });
      assert.equal(runs, 2);
      const { entries, pausedUntil } = open().read();
      assert.deepEqual([totalWeight(entries), pausedUntil > clock.now()], [8, false]);
    });
  });

  it('count as a pause of a minute while they cannot be read', async () => {
    await open().update(spend(3));
    const store = open();
    store.read();
    for (const text of ['', '{"entries":[{"weight":"1"}]}', '[1']) {
      writeFileSync(file(), text);
      assert.equal(open().read().pausedUntil, clock.now() + 60_000);
      const { entries, pausedUntil } = store.read();
      assert.deepEqual([totalWeight(entries), pausedUntil], [3, clock.now() + 60_000]);
    }
    await open().update(spend(7));
    assert.equal(open().read().pausedUntil, clock.now() + 60_000);
    assert.equal(totalWeight(open().read().entries), 7);
  });

  it('limit times to the latest that are possible', async () => {
    const far = clock.now() + 2 * 86_400_000;
    const entries = [{ id: 'far', weight: 5, endsAt: far, isForeign: false }];
    const strange = { ...emptyState, entries, pausedUntil: far, bulkSpentAt: far, lastSentAt: far };
    writeFileSync(file(), JSON.stringify(strange));
    const { entries: near, pausedUntil, bulkSpentAt, lastSentAt } = open().read();
    const times = [near[0]?.endsAt, pausedUntil, bulkSpentAt, lastSentAt];
    const delays = times.map((time) => Number(time) - clock.now());
    assert.deepEqual(delays, [120_000, 86_400_000, 60_000, 0]);
    await open().update((state) => state);
    await clock.advance(1000);
    assert.equal(open().read().pausedUntil, clock.now() + 86_399_000);
  });

  it('continue in memory and report it once while the file fails, and lose nothing when it works again', async () => {
    await open().update(spend(1));
    const store = open();
    store.read();
    await breakFile();
    await store.update(spend(7));
    await store.update(spend(7));
    await clock.advance(60_000);
    await store.update(spend(7));
    assert.equal(totalWeight(store.read().entries), 22, 'the file fails again');
    assert.equal(problems.length, 1);
    await repairFile();
    await open().update(spend(2));
    await clock.advance(60_000);
    await store.update(spend(7));
    assert.equal(totalWeight(open().read().entries), 31);
    assert.equal(problems.length, 1);
  });

  describe('that cannot be written', () => {
    const windows: RateLimiter[] = [];

    beforeEach(() => {
      writeFileSync(file('noFolder'), '');
      for (let nth = 0; nth < 10; nth += 1) {
        const options = { folder: file('noFolder'), name: 'state.json', clock };
        const store = new RateLimitFile({ ...options, onProblem: () => undefined });
        windows.push(new RateLimiter({ store, clock, share: () => 0.5 }));
      }
    });
    afterEach(() => {
      for (const window of windows.splice(0)) window.dispose();
    });

    const acquire = (window: RateLimiter, operation: OperationName, priority: Priority) =>
      window.acquire({ operation, weight: 5, priority, maxDurationMs: 20_000 });

    it('lets each window read the account once a minute', async () => {
      const sentAt: number[] = [];
      const start = clock.now();
      const poll = async (window: RateLimiter): Promise<never> => {
        for (;;) {
          (await acquire(window, 'accounts', 'refresh')).complete({ kind: 'answered' });
          sentAt.push(clock.now() - start);
        }
      };
      for (const window of windows) poll(window).catch(() => undefined);
      await eventually('the first reads', () => sentAt.length === 10);
      await clock.advance(59_999);
      assert.equal(sentAt.length, 10);
      await clock.advance(2000);
      await eventually('the next reads', () => sentAt.length === 20);
    });

    it('refuses other requests, and says why', async () => {
      const [window] = windows as [RateLimiter];
      let changes = 0;
      window.onDidChange(() => (changes += 1));
      for (const priority of ['interactive', 'refresh', 'bulk'] as const) {
        const failure = await failureOf(acquire(window, 'orders', priority));
        assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
        assert.match(english(failure.detail), /rate-limit file cannot be written/);
      }
      assert.deepEqual([window.usage.isUnshared, changes], [true, 1]);
    });

    it('sends requests again once it can be written, a minute later', async () => {
      const [window] = windows as [RateLimiter];
      await failureOf(acquire(window, 'orders', 'interactive'));
      rmSync(file('noFolder'));
      await failureOf(acquire(window, 'orders', 'interactive'));
      await clock.advance(60_000);
      await failureOf(acquire(window, 'orders', 'interactive'));
      await window.flushed();
      assert.equal(window.usage.isUnshared, false);
      await acquire(window, 'orders', 'interactive');
    });
  });

  describe('on a machine whose clocks change', () => {
    let [wallMs, steadyMs] = [0, 0];
    beforeEach(() => {
      [wallMs, steadyMs] = [Date.UTC(2026, 0, 1), 1_000_000];
    });

    const openHere = (): RateLimitFile => {
      const wall: Clock = {
        now: () => wallMs,
        steadyNow: () => steadyMs,
        after: () => () => undefined,
      };
      const onProblem = (error: unknown): never => assert.fail(String(error));
      const options = { folder: folder.path, name: 'state.json', onProblem };
      return new RateLimitFile({ ...options, clock: wall, monotonicNow: () => steadyMs });
    };
    /** How much longer each time of the state lasts: that of a request, then that of the pause. */
    const leftMs = () => {
      const { entries, pausedUntil } = openHere().read();
      return [Number(entries[0]?.endsAt) - steadyMs, pausedUntil - steadyMs];
    };
    beforeEach(() =>
      openHere().update((state) => ({
        ...addCharge(state, aCharge(5), steadyMs),
        pausedUntil: steadyMs + 30_000,
      })),
    );

    for (const [what, wallPassesMs, newSteadyMs, left] of [
      ['keep their times while time passes', 1000, 1_001_000, [5000, 29_000]],
      ['keep them when the wall clock is set forward', 3_600_000, 1_001_000, [5000, 29_000]],
      ['begin them again when the wall clock is set back', -3_600_000, 1_001_000, [6000, 30_000]],
      ['begin them again after a reboot', 3_600_000, 1000, [6000, 30_000]],
    ] as const)
      it(what, () => {
        [wallMs, steadyMs] = [wallMs + wallPassesMs, newSteadyMs];
        assert.deepEqual(leftMs(), left);
      });
  });

  it('are read as another window writes them, intents included', async () => {
    const now = clock.now();
    writeFileSync(
      file(),
      `{"entries":[{"id":"ours-until-1","weight":7,"endsAt":${now - 10},"isForeign":false},
        {"id":"others-1-60000","weight":3,"endsAt":${now},"isForeign":true,"shortestMs":60000}],
        "limits":[{"weight":500,"windowMs":60000}],"learnedAt":${now - 5000},"lastSentAt":${now},
        "pausedUntil":${now + 9000},"passed":[{"id":"1","operation":"accounts"}],
        "bulkSpentAt":${now - 1},"writtenAt":{"wallMs":${now},"steadyMs":${now}},"fileId":"1"}`,
    );
    await mkdir(file('state.json.intents'));
    const intent = `20000_5_cancelAll_d3b07384-d9a0-4c9b-8f3e-1c2b3a4d5e6f`;
    writeFileSync(path.join(file('state.json.intents'), intent), '');
    const { entries, limits, learnedAt, pausedUntil, passed } = open().read();
    const shown = entries.map(({ weight, endsAt }) => `${weight} ${endsAt - now}`);
    assert.deepEqual(shown, ['7 -10', '3 0', '5 25000']);
    assert.deepEqual(limits, [{ weight: 500, windowMs: 60_000 }]);
    assert.deepEqual([learnedAt, pausedUntil], [now - 5000, now + 9000]);
    const operations = passed.map(({ operation }) => operation);
    assert.deepEqual(operations, ['accounts', 'cancelAll']);
  });

  it('stay shared while the file cannot be read for a moment', async () => {
    const store = open();
    await store.update(spend(1));
    await breakFile();
    assert.equal(totalWeight(store.read().entries), 1);
    const saved = store.update(spend(7));
    await new Promise(setImmediate);
    rmdirSync(file());
    renameSync(file('aside'), file());
    await open().update(spend(2));
    await saved;
    assert.equal(totalWeight(store.read().entries), 10);
    assert.equal(totalWeight(open().read().entries), 10);
    assert.deepEqual(problems, []);
  });

  it('lose nothing that was added up in memory in the same part of a window', async () => {
    const ended = (id: string, weight: number) => (state: RateLimitState) => {
      const charge = { id, weight, operation: 'orders', maxDurationMs: 1000 } as const;
      const answered = { kind: 'answered' } as const;
      return compactState(settleCharge(state, charge, answered, clock.now() - 10), clock.now());
    };
    const store = open();
    await store.update(ended('both', 10));
    await breakFile();
    await store.update(ended('mine', 100));
    await repairFile();
    await open().update(ended('theirs', 200));
    await clock.advance(60_000);
    await store.update((state) => state);
    const { entries } = store.read();
    assert.ok(totalWeight(entries) >= 310, JSON.stringify(entries));
  });

  it('are completed by each window that counted more before the file was deleted', async () => {
    const [one, other] = [open(), open()];
    await one.update(spend(10));
    await other.update(spend(20));
    rmSync(file());
    const later = open();
    await later.update(spend(1));
    assert.equal(totalWeight(later.read().entries), 1, 'it cannot know');
    assert.equal(totalWeight(one.read().entries), 11);
    for (const window of [other, one, later]) await window.update(spend(2));
    for (const window of [one, other, later]) assert.equal(totalWeight(window.read().entries), 37);
  });

  it('have a name that does not reveal the exchange or the key', () => {
    const key = { apiKey: 'MARKED-key', apiSecret: 'MARKED-secret' };
    const name = rateLimitFileName('https://host.example', key);
    assert.match(name, /^[0-9a-f]{32}\.json$/);
    assert.equal(name, rateLimitFileName('https://host.example', { apiKey: 'MARKED-key' }));
    assert.notEqual(name, rateLimitFileName('https://other.example', key));
    assert.notEqual(name, rateLimitFileName('https://host.example', { token: 'MARKED-token' }));
  });
});
