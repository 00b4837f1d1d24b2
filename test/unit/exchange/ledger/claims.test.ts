import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ExchangeError } from '../../../../src/exchange/errors.ts';
import {
  emptyBooks,
  weightOf,
  type Books,
  type Ending,
} from '../../../../src/exchange/ledger/books.ts';
import { BooksFile } from '../../../../src/exchange/ledger/booksFile.ts';
import type { BooksStore } from '../../../../src/exchange/ledger/booksStore.ts';
import type { Claim } from '../../../../src/exchange/ledger/claims.ts';
import { WeightLedger, type Reservation } from '../../../../src/exchange/ledger/weightLedger.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/project.ts';

const answered: Ending = { kind: 'answered' };

describe('cancel-alls of several windows', () => {
  let clock: FakeClock;
  let folder: TemporaryFolder;
  let windows: WeightLedger[];

  beforeEach(async () => {
    clock = new FakeClock();
    folder = await temporaryFolder();
    windows = [];
  });
  afterEach(async () => {
    rmSync(lock(), { force: true });
    await Promise.all(windows.map((one) => one.settled()));
    for (const one of windows) one.dispose();
    await folder.remove();
  });

  const file = () => path.join(folder.path, 'books.json');
  const lock = () => `${file()}.lock`;
  const claims = () => (existsSync(`${file()}.claims`) ? readdirSync(`${file()}.claims`) : []);

  function store(): BooksFile {
    const onProblem = (error: unknown): never => assert.fail(String(error));
    return new BooksFile({ folder: folder.path, name: 'books.json', clock, onProblem });
  }

  /** Windows that find these books. */
  function open(count: number, books: Partial<Books> = {}): readonly WeightLedger[] {
    writeFileSync(file(), JSON.stringify({ ...emptyBooks, ...books }));
    const opened = Array.from(
      { length: count },
      () => new WeightLedger({ store: store(), clock, share: () => 1 }),
    );
    windows.push(...opened);
    return opened;
  }

  /** Books of the usual limit, of which this weight was spent just now. */
  const spent = (weight: number): Partial<Books> => ({
    entries: [{ id: 'spent', weight, endsAt: clock.now(), isForeign: false }],
  });

  function claimOf(weight: number): Claim {
    const spending = { id: crypto.randomUUID(), weight, operation: 'cancelAll' } as const;
    return { spending: { ...spending, longestMs: 20_000 }, sentAt: clock.now() };
  }

  const holdLock = (): void => writeFileSync(lock(), 'of somebody');

  const cancel = (
    window: WeightLedger,
    operation: 'cancelAll' | 'accounts' = 'cancelAll',
  ): Promise<Reservation> =>
    window.acquire({ operation, weight: 5, priority: 'cancel', longestMs: 20_000 });

  /** What became of promises once all that runs without waiting for the lock has run. */
  async function outcomes(all: readonly Promise<unknown>[]): Promise<string[]> {
    const seen = all.map(() => 'waits');
    for (const [index, one] of all.entries())
      one.then(
        () => (seen[index] = 'goes'),
        (error: unknown) => (seen[index] = error instanceof ExchangeError ? 'told' : String(error)),
      );
    await clock.advance(0);
    return seen;
  }

  const countOf = (seen: readonly string[], outcome: string): number =>
    seen.filter((one) => one === outcome).length;

  it('go at once while somebody holds the lock, and before anything is written', async () => {
    const [first, second] = open(2, spent(100)) as [WeightLedger, WeightLedger];
    holdLock();
    const reservation = await cancel(first);
    assert.equal(second.standing.used, 105);
    reservation.end(answered);
    rmSync(lock());
    await first.settled();
    assert.deepEqual([second.standing.used, claims()], [105, []]);

    await cancel(second);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(claims().length, 1, 'the books were written before the request could be sent');
    await second.settled();
    assert.deepEqual([first.standing.used, claims()], [110, []]);
  });

  it('never take more than the limit at one instant', async () => {
    const all = open(6, spent(990));
    holdLock();
    const asked = all.map((one) => cancel(one));
    assert.equal(countOf(await outcomes(asked), 'goes'), 2);
    rmSync(lock());
    const ended = await Promise.allSettled(asked);
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 2);
    await Promise.all(all.map((one) => one.settled()));
    assert.deepEqual([weightOf(store().read().entries), claims()], [1000, []]);
  });

  it('take no more than the reserve before they are booked: others may be taking the rest', async () => {
    const all = open(8);
    holdLock();
    const asked = all.map((one) => cancel(one));
    assert.equal(countOf(await outcomes(asked), 'goes'), 5);
    rmSync(lock());
    await Promise.all(asked);
    await Promise.all(all.map((one) => one.settled()));
    assert.equal(weightOf(store().read().entries), 40);
  });

  it('pass a freeze once, whichever window sends them, and their read-back too', async () => {
    const frozenUntil = clock.now() + 30_000;
    const all = open(3, { frozenUntil });
    holdLock();
    const asked = all.flatMap((one) => [cancel(one), cancel(one, 'accounts')]);
    assert.deepEqual((await outcomes(asked)).slice(0, 2), ['goes', 'goes']);
    rmSync(lock());
    const ended = await Promise.allSettled(asked);
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 2);
  });

  it('leave the way through a freeze to another when one of them was not sent', async () => {
    const [first, second] = open(2, { frozenUntil: clock.now() + 30_000 }) as [
      WeightLedger,
      WeightLedger,
    ];
    const unsent = await cancel(first);
    await first.settled();
    await assert.rejects(cancel(second), ExchangeError);
    unsent.end({ kind: 'unsent' });
    await first.settled();
    await cancel(second);
  });

  it('go by the line when the claim that stood in their way is taken back', async () => {
    const [window] = open(1, spent(995)) as [WeightLedger];
    const other = store();
    const claim = claimOf(5);
    other.announce(claim);
    holdLock();
    const asked = cancel(window);
    assert.deepEqual(await outcomes([asked]), ['waits']);
    other.withdraw(claim);
    rmSync(lock());
    await asked;
  });

  it('see each other also when one waits for the lock and the other heeds none', async () => {
    const [rival] = open(1, spent(995)) as [WeightLedger];
    const inTheWay = claimOf(5);
    const shared = store();
    shared.announce(inTheWay);
    let rivals: Promise<Reservation> | undefined;
    const update: BooksStore['update'] = (change) => {
      shared.withdraw(inTheWay);
      return shared.update((books) => {
        rivals ??= cancel(rival);
        return change(books);
      });
    };
    const hooked: BooksStore = {
      read: () => shared.read(),
      update,
      announce: (claim) => shared.announce(claim),
      withdraw: (claim) => shared.withdraw(claim),
    };
    const waiting = new WeightLedger({ store: hooked, clock, share: () => 1 });
    windows.push(waiting);
    await assert.rejects(cancel(waiting), ExchangeError);
    await rivals;
    assert.equal(waiting.standing.used, 1000);
  });

  it('count when their process died before it booked them', async () => {
    const [dead] = open(1, spent(990)) as [WeightLedger];
    holdLock();
    await cancel(dead);
    const [first, second] = Array.from({ length: 2 }, () => {
      const window = new WeightLedger({ store: store(), clock, share: () => 1 });
      windows.push(window);
      return window;
    }) as [WeightLedger, WeightLedger];
    assert.equal(first.standing.used, 995);
    await cancel(first);
    assert.deepEqual(await outcomes([cancel(second)]), ['waits']);
  });
});
