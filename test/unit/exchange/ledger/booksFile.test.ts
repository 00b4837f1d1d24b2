import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { renameSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import {
  emptyBooks,
  end,
  reserve,
  weightOf,
  type Books,
} from '../../../../src/exchange/ledger/books.ts';
import { compact } from '../../../../src/exchange/ledger/booksTimes.ts';
import { BooksFile } from '../../../../src/exchange/ledger/booksFile.ts';
import type { Priority } from '../../../../src/exchange/ledger/priority.ts';
import { WeightLedger } from '../../../../src/exchange/ledger/weightLedger.ts';
import { booksName } from '../../../../src/exchange/ledger/booksName.ts';
import { spawnOwned } from '../../../support/childProcess.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/project.ts';

const holder = path.join(import.meta.dirname, '../../../support/booksHolder.ts');

/** As a process does that the machine leaves out for a while. */
function stall(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

describe('the books in a file', () => {
  const clock = new FakeClock();
  let folder: TemporaryFolder;
  let problems: unknown[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    problems = [];
  });
  afterEach(() => folder.remove());

  const file = (name = 'books.json') => path.join(folder.path, name);
  function open(name = 'books.json'): BooksFile {
    const onProblem = (error: unknown): void => void problems.push(error);
    return new BooksFile({ folder: folder.path, name, clock, onProblem });
  }
  const spend = (weight: number) => (books: Books) =>
    reserve(
      books,
      { id: crypto.randomUUID(), weight, operation: 'orders', longestMs: 1000 },
      clock.now(),
    );

  it('are what another process, or this one after a reload, finds', async () => {
    await open().update(spend(7));
    assert.equal(weightOf(open().read().entries), 7);
    assert.deepEqual(await readdir(folder.path), ['books.json']);
  });

  it('lose nothing of what many change at once', async () => {
    const stores = Array.from({ length: 10 }, () => open());
    await Promise.all(
      stores.flatMap((store) => [1, 2, 3].map((weight) => store.update(spend(weight)))),
    );
    assert.equal(weightOf(open().read().entries), 60);
    assert.deepEqual(problems, []);
  });

  it('wait two seconds for a lock that stays, whatever the clock on the wall says of it', async () => {
    writeFileSync(file('books.json.lock'), 'of somebody');
    const longAgo = new Date(Date.now() - 10_000);
    utimesSync(file('books.json.lock'), longAgo, longAgo);
    const startedAt = performance.now();
    await open().update(spend(7));
    assert.ok(performance.now() - startedAt > 1900, 'it did not wait for the lock');
    assert.equal(weightOf(open().read().entries), 7);
    assert.deepEqual(await readdir(folder.path), ['books.json']);
  });

  it('wait as long for a lock that another takes at the moment when it was free', async () => {
    await eventually('a process of some seconds', () => performance.now() > 2100);
    const { statSync } = fs;
    const lookBy = (look: unknown): void => {
      Object.assign(fs, { statSync: look });
      syncBuiltinESMExports();
    };
    const lock = file('books.json.lock');
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

  it('outlive a process that was killed while it changed them, and keep nothing of it', async () => {
    await open().update(spend(3));
    const child = spawnOwned(process.execPath, [holder, folder.path], { stdio: 'pipe' });
    const output = child.stdout ?? assert.fail();
    await once(output, 'data');
    assert.deepEqual(await readdir(folder.path), ['books.json', 'books.json.lock']);
    const killed = once(child, 'exit');
    child.kill('SIGKILL');
    await killed;
    await open().update(spend(7));
    assert.equal(weightOf(open().read().entries), 10);
    assert.deepEqual(await readdir(folder.path), ['books.json']);
  });

  it('are not changed by somebody who stalled while another took the lock and changed them', async () => {
    const store = open();
    let runs = 0;
    await store.update((books) => {
      runs += 1;
      if (runs === 1) {
        rmSync(file('books.json.lock'));
        writeFileSync(file(), JSON.stringify(spend(1)(emptyBooks)));
        writeFileSync(file('books.json.lock'), 'of another');
        stall(1100);
      }
      return spend(7)(books);
    });
    assert.equal(runs, 2);
    const { entries, frozenUntil } = open().read();
    assert.deepEqual([weightOf(entries), frozenUntil], [8, 0]);
  });

  it('count as a pause of a minute when they cannot be understood', async () => {
    for (const text of ['', '{"entries":[{"weight":"1"}]}', '[1']) {
      writeFileSync(file(), text);
      assert.equal(open().read().frozenUntil, clock.now() + 60_000);
    }
    await open().update(spend(7));
    assert.equal(open().read().frozenUntil, clock.now() + 60_000);
    assert.equal(weightOf(open().read().entries), 7);
  });

  it('keep the limits that were known when they can no more be understood', async () => {
    const store = open();
    const limits = [{ weight: 20, windowMs: 60_000 }];
    await store.update((books) => ({ ...books, limits }));
    writeFileSync(file(), '{"entries":[],"limits":[]}');
    assert.deepEqual(store.read().limits, limits);
  });

  it('bring times near that are beyond all that can be', async () => {
    const far = clock.now() + 86_400_000;
    const entries = [{ id: 'far', weight: 5, endsAt: far, isForeign: false }];
    const strange = { ...emptyBooks, entries, frozenUntil: far, bulkSpentAt: far, lastSentAt: far };
    writeFileSync(file(), JSON.stringify(strange));
    const { entries: near, frozenUntil, bulkSpentAt, lastSentAt } = open().read();
    const times = [near[0]?.endsAt, frozenUntil, bulkSpentAt, lastSentAt];
    const delays = times.map((time) => Number(time) - clock.now());
    assert.deepEqual(delays, [120_000, 900_000, 60_000, 0]);
    await open().update((books) => books);
    await clock.advance(1000);
    assert.equal(open().read().frozenUntil, clock.now() + 899_000);
  });

  it('go on in memory, and say so once, where no file can be; and come back to it with all', async () => {
    await open().update(spend(1));
    const store = open();
    store.read();
    await rename(file(), file('aside'));
    await mkdir(file());
    await store.update(spend(7));
    await store.update(spend(7));
    assert.equal(weightOf(store.read().entries), 15);
    assert.equal(problems.length, 1);
    await rmdir(file());
    await rename(file('aside'), file());
    await open().update(spend(2));
    await clock.advance(60_000);
    await store.update(spend(7));
    assert.equal(weightOf(open().read().entries), 24);
    assert.equal(problems.length, 1);
  });

  it('keep the limit together where five windows have none but their own', async () => {
    writeFileSync(file('noFolder'), '');
    const spent = { weight: 0, cancels: 0 };
    const ledgers = [1, 2, 3, 4, 5].map(() => {
      const onProblem = (error: unknown): void => void problems.push(error);
      const store = new BooksFile({ folder: file('noFolder'), name: 'own', clock, onProblem });
      return new WeightLedger({ store, clock, share: () => 1 });
    });
    const take = (ledger: WeightLedger, weight: number, priority: Priority, whenGone: () => void) =>
      ledger.acquire({ operation: 'orders', weight, priority, longestMs: 20_000 }).then(
        () => {
          spent.weight += weight;
          whenGone();
        },
        () => undefined,
      );
    for (const ledger of ledgers) {
      for (let request = 0; request < 120; request += 1)
        for (const priority of ['interactive', 'refresh', 'bulk'] as const)
          void take(ledger, 10, priority, () => undefined);
      await ledger.settled();
      for (let request = 0; request < 3; request += 1)
        await take(ledger, 5, 'cancel', () => (spent.cancels += 1));
    }
    assert.equal(problems.length, 5);
    assert.equal(spent.cancels, 15);
    assert.ok(spent.weight >= 5 * 100 && spent.weight <= 1000, `${spent.weight} were spent`);
    const before = spent.weight;
    await clock.advance(90_000);
    await Promise.all(ledgers.map((ledger) => ledger.settled()));
    assert.ok(spent.weight > before, 'nobody goes on');
    for (const ledger of ledgers) ledger.dispose();
  });

  it('let a request go alone where a part of the limit is less than it weighs', async () => {
    writeFileSync(file('noFolder'), '');
    const onProblem = (error: unknown): void => void problems.push(error);
    const store = new BooksFile({ folder: file('noFolder'), name: 'own', clock, onProblem });
    const ledger = new WeightLedger({ store, clock, share: () => 1 });
    await store.update((books) => ({ ...books, limits: [{ weight: 40, windowMs: 60_000 }] }));
    const asked = { operation: 'orders', weight: 10, priority: 'refresh', longestMs: 1 } as const;
    await ledger.acquire(asked);
    await ledger.settled();
    void ledger.acquire(asked).catch(() => undefined);
    assert.equal(ledger.standing.waiting, 1);
    ledger.dispose();
  });

  it('stay shared when the file cannot be read for a moment', async () => {
    const store = open();
    await store.update(spend(1));
    await rename(file(), file('aside'));
    await mkdir(file());
    assert.equal(weightOf(store.read().entries), 1);
    const booked = store.update(spend(7));
    await new Promise(setImmediate);
    rmdirSync(file());
    renameSync(file('aside'), file());
    await open().update(spend(2));
    await booked;
    assert.equal(weightOf(store.read().entries), 10);
    assert.equal(weightOf(open().read().entries), 10);
    assert.deepEqual(problems, []);
  });

  it('lose nothing of what was added up apart from them in the same part of a window', async () => {
    const ended = (id: string, weight: number) => (books: Books) => {
      const spending = { id, weight, operation: 'orders', longestMs: 1000 } as const;
      const answered = { kind: 'answered' } as const;
      return compact(end(books, spending, answered, clock.now() - 10), clock.now());
    };
    const store = open();
    await store.update(ended('both', 10));
    await rename(file(), file('aside'));
    await mkdir(file());
    await store.update(ended('mine', 100));
    await rmdir(file());
    await rename(file('aside'), file());
    await open().update(ended('theirs', 200));
    await clock.advance(60_000);
    await store.update((books) => books);
    const { entries } = store.read();
    assert.ok(weightOf(entries) >= 310, JSON.stringify(entries));
  });

  it('are named for exchange and key without telling either', () => {
    const key = { apiKey: 'MARKED-key', apiSecret: 'MARKED-secret' };
    const name = booksName('https://host.example', key);
    assert.match(name, /^ledger-[0-9a-f]{32}\.json$/);
    assert.equal(name, booksName('https://host.example', { apiKey: 'MARKED-key' }));
    assert.notEqual(name, booksName('https://other.example', key));
    assert.notEqual(name, booksName('https://host.example', { token: 'MARKED-token' }));
  });
});
