import assert from 'node:assert/strict';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  emptyBooks,
  reserve,
  weightOf,
  type Books,
} from '../../../../src/exchange/ledger/books.ts';
import { BooksFile } from '../../../../src/exchange/ledger/booksFile.ts';
import { booksName } from '../../../../src/exchange/ledger/booksName.ts';
import { WeightLedger } from '../../../../src/exchange/ledger/weightLedger.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/project.ts';

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

  it('take the lock of a process that died, and wait for one that is alive', async () => {
    writeFileSync(file('books.json.lock'), 'of the dead');
    const longAgo = new Date(Date.now() - 10_000);
    utimesSync(file('books.json.lock'), longAgo, longAgo);
    await open().update(spend(7));
    assert.equal(weightOf(open().read().entries), 7);
    assert.equal(existsSync(file('books.json.lock')), false);

    writeFileSync(file('books.json.lock'), 'of the living');
    const startedAt = performance.now();
    await open().update(spend(7));
    assert.ok(performance.now() - startedAt > 1500, 'it did not wait for the lock');
    assert.equal(weightOf(open().read().entries), 14);
  });

  it('are not changed by somebody whose lock was taken meanwhile', async () => {
    const store = open();
    let runs = 0;
    await store.update((books) => {
      runs += 1;
      if (runs === 1) writeFileSync(file('books.json.lock'), 'of another');
      else if (runs === 2) assert.deepEqual(books, emptyBooks);
      const longAgo = new Date(Date.now() - 10_000);
      if (runs === 1) utimesSync(file('books.json.lock'), longAgo, longAgo);
      return spend(7)(books);
    });
    assert.equal(runs, 2);
    assert.equal(weightOf(open().read().entries), 7);
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

  it('go on in memory, and say so, where no file can be', async () => {
    await mkdir(file());
    const store = open();
    await store.update(spend(7));
    await store.update(spend(7));
    assert.equal(weightOf(store.read().entries), 14);
    assert.equal(problems.length, 1);
  });

  it('are named for exchange and key without telling either', () => {
    const key = { apiKey: 'MARKED-key', apiSecret: 'MARKED-secret' };
    const name = booksName('https://host.example', key);
    assert.match(name, /^ledger-[0-9a-f]{32}\.json$/);
    assert.equal(name, booksName('https://host.example', { apiKey: 'MARKED-key' }));
    assert.notEqual(name, booksName('https://other.example', key));
    assert.notEqual(name, booksName('https://host.example', { token: 'MARKED-token' }));
  });

  it('let a cancel-all go at once while another process holds the lock', async () => {
    const ledger = new WeightLedger({ store: open(), clock, share: () => 1 });
    writeFileSync(file('books.json.lock'), 'of the living');
    const request = {
      operation: 'cancelAll',
      weight: 5,
      priority: 'cancel',
      longestMs: 1000,
    } as const;
    const startedAt = performance.now();
    const reservation = await ledger.acquire(request);
    assert.ok(performance.now() - startedAt < 500);
    assert.equal(existsSync(file()), false);
    reservation.end({ kind: 'answered', usedWeight: undefined });
    await ledger.settled();
    assert.equal(weightOf(open().read().entries), 5);
    assert.doesNotMatch(readFileSync(file(), 'utf8'), /MARKED/);
    ledger.dispose();
  });
});
