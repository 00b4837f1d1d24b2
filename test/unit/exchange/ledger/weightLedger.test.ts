import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Clock } from '../../../../src/base/clock.ts';
import { booksInMemory, type BooksStore } from '../../../../src/exchange/ledger/booksStore.ts';
import type { Books, Ending } from '../../../../src/exchange/ledger/books.ts';
import { limitIn, limitsIn } from '../../../../src/exchange/ledger/limits.ts';
import type { RateLimit } from '../../../../src/exchange/records.ts';
import type { Priority } from '../../../../src/exchange/ledger/priority.ts';
import type { UsedWeight } from '../../../../src/exchange/ledger/usedWeight.ts';
import { WeightLedger, type Reservation } from '../../../../src/exchange/ledger/weightLedger.ts';
import type { OperationName } from '../../../../src/exchange/operations.ts';
import { worstFixed, worstSliding, type Arrival } from '../../../support/arrivals.ts';
import { english } from '../../../support/english.ts';
import { failureOf } from '../../../support/failureOf.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const answered: Ending = { kind: 'answered' };
const hundred: Partial<Books> = { limits: [{ weight: 100, windowMs: 60_000 }], learnedAt: 1e15 };

describe('the weight ledger', () => {
  let clock: FakeClock;
  let ledger: WeightLedger;
  let share: number;

  beforeEach(() => {
    clock = new FakeClock();
    share = 1;
    ledger = ledgerOf(hundred);
  });
  afterEach(() => ledger.dispose());

  function ledgerOf(books: Partial<Books>): WeightLedger {
    return new WeightLedger({ store: booksInMemory(books), clock, share: () => share });
  }

  function take(
    weight: number,
    priority: Priority = 'refresh',
    signal?: AbortSignal,
    operation: OperationName = priority === 'cancel' ? 'cancelAll' : 'orders',
  ): Promise<Reservation> {
    return ledger.acquire({ operation, weight, priority, longestMs: 20_000 }, signal);
  }

  /** Takes and answers at once. */
  async function spend(weight: number, priority: Priority = 'refresh'): Promise<void> {
    (await take(weight, priority)).end(answered);
    await ledger.settled();
  }

  /** Whether a promise has been kept once everything that is due has run. */
  async function isThere(promise: Promise<unknown>): Promise<boolean> {
    let there = false;
    promise.then(
      () => void (there = true),
      () => undefined,
    );
    await clock.advance(0);
    return there;
  }

  it('gives weight back one interval after the answer, not after the sending', async () => {
    const first = await take(75);
    await clock.advance(10_000);
    first.end(answered);
    const next = take(10);
    await clock.advance(59_000);
    assert.equal(await isThere(next), false);
    await clock.advance(1200);
    assert.ok(await isThere(next));
  });

  it('keeps what was not answered five seconds longer, and nothing of what never left', async () => {
    (await take(75)).end({ kind: 'unanswered' });
    const next = take(75);
    await clock.advance(64_900);
    assert.equal(await isThere(next), false);
    await clock.advance(300);
    (await next).end({ kind: 'unsent' });
    assert.ok(await isThere(take(75)));
  });

  it('leaves a quarter, at most 25, to a cancel-all, and as much again, at most 30, from bulk', async () => {
    for (const [priority, room] of [
      ['bulk', 50],
      ['refresh', 75],
      ['interactive', 75],
      ['cancel', 100],
    ] as const) {
      ledger = ledgerOf({ limits: [{ weight: 100, windowMs: 60_000 }] });
      let taken = 0;
      while (taken < 200 && (await isThere(take(5, priority)))) taken += 5;
      assert.equal(taken, room, priority);
    }
    ledger = ledgerOf({ limits: [{ weight: 1000, windowMs: 60_000 }] });
    for (let at = 0; at < 97; at += 1) await spend(10);
    assert.equal(ledger.standing.used, 970);
    assert.equal(await isThere(take(10)), false);
    assert.ok(await isThere(take(25, 'cancel')));
  });

  it('leaves a cancel-all its weight of every limit that can hold it', async () => {
    share = 0.5;
    for (const limit of [10, 20, 30, 38, 40, 60]) {
      ledger = ledgerOf({ limits: [{ weight: limit, windowMs: 60_000 }] });
      let taken = 0;
      while (await isThere(take(1))) taken += 1;
      assert.ok(await isThere(take(5, 'cancel')), `of ${limit}, after ${taken}`);
      ledger.dispose();
    }
  });

  it('leaves a second cancel-all its weight too where bulk still goes beside both', async () => {
    for (const [limit, left] of [
      [29, 1],
      [30, 2],
      [50, 2],
    ] as const) {
      ledger = ledgerOf({ limits: [{ weight: limit, windowMs: 60_000 }] });
      assert.ok(await isThere(take(10, 'bulk')), `bulk of ${limit}`);
      while (await isThere(take(1)));
      for (let nth = 1; nth <= left; nth += 1)
        assert.ok(await isThere(take(5, 'cancel')), `${nth} of ${limit}`);
      ledger.dispose();
    }
  });

  it('lets the reads of a cancel-all take the reserve but for a DELETE', async () => {
    await spend(75);
    const read = () => take(5, 'cancel', undefined, 'accounts');
    for (let nth = 1; nth <= 4; nth += 1) assert.ok(await isThere(read()), String(nth));
    assert.equal((await failureOf(read())).kind, 'rateLimited');
    assert.ok(await isThere(take(5, 'cancel')));
    assert.equal(ledger.standing.used, 100);
  });

  it('lets the reads of a cancel-all go, then its DELETE, where a limit holds but one of them', async () => {
    ledger = ledgerOf({ limits: [{ weight: 5, windowMs: 1000 }] });
    (await take(5, 'cancel', undefined, 'accounts')).end(answered);
    const cancel = take(5, 'cancel');
    assert.equal(await isThere(cancel), false);
    await clock.advance(1100);
    assert.ok(await isThere(cancel));
  });

  it('lets a DELETE go before the reads of an earlier one', async () => {
    ledger = ledgerOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    await spend(75);
    await spend(25, 'cancel');
    const order: string[] = [];
    for (const operation of ['accounts', 'cancelAll'] as const)
      void take(5, 'cancel', undefined, operation).then(() => order.push(operation));
    await clock.advance(6000);
    assert.deepEqual(order, ['cancelAll', 'accounts']);
  });

  it('has room to plan while the plan leaves the weight of the DELETEs', () => {
    for (const [limit, used] of [
      [1000, 985],
      [40, 25],
      [10, 0],
      [5, 0],
    ] as const) {
      const entry = { id: 'used', weight: used, endsAt: clock.now(), isForeign: false };
      const books = { limits: [{ weight: limit, windowMs: 60_000 }], entries: [entry] };
      assert.equal(ledgerOf(books).hasRoomToPlan, true, String(limit));
      const more = [{ ...entry, weight: used + 1 }];
      assert.equal(ledgerOf({ ...books, entries: more }).hasRoomToPlan, false, String(limit));
    }
  });

  it('takes no more than its share of the limit', async () => {
    share = 0.5;
    await spend(38);
    assert.equal(await isThere(take(1)), false);
    assert.ok(await isThere(take(12, 'cancel')));
    assert.deepEqual([ledger.standing.ours, ledger.standing.limit], [50, 100]);
  });

  it('keeps every one of several limits', async () => {
    ledger = ledgerOf({
      limits: [
        { weight: 40, windowMs: 1000 },
        { weight: 80, windowMs: 60_000 },
      ],
    });
    await spend(30);
    const second = take(30);
    assert.equal(await isThere(second), false);
    await clock.advance(1060);
    (await second).end(answered);
    const third = take(30);
    await clock.advance(58_000);
    assert.equal(await isThere(third), false);
    await clock.advance(2000);
    assert.ok(await isThere(third));
  });

  it('lets those who wait go by priority, then as they came', async () => {
    await spend(75);
    const order: string[] = [];
    for (const [name, priority] of [
      ['refresh 1', 'refresh'],
      ['refresh 2', 'refresh'],
      ['person', 'interactive'],
    ] as const)
      void take(10, priority).then(
        () => order.push(name),
        () => order.push(`${name} told to wait`),
      );
    await clock.advance(61_000);
    assert.deepEqual(order, ['person told to wait', 'refresh 1', 'refresh 2']);
    ledger = ledgerOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    order.length = 0;
    await spend(75);
    for (const priority of ['bulk', 'refresh', 'interactive'] as const)
      void take(10, priority).then(() => order.push(priority));
    await clock.advance(6000);
    assert.deepEqual(order, ['interactive', 'refresh', 'bulk']);
  });

  it('paces bulk instead of letting it burst, and holds nobody else back by it', async () => {
    ledger = ledgerOf({ limits: [{ weight: 1000, windowMs: 60_000 }] });
    const walked: number[] = [];
    const walk = async (): Promise<void> => {
      for (;;) walked.push(await spend(10, 'bulk').then(() => 10));
    };
    void walk();
    await clock.advance(0);
    assert.deepEqual(walked, [10, 10, 10, 10, 10]);
    assert.ok(await isThere(take(10)));
    await clock.advance(10_000);
    const inTenSeconds = walked.length;
    assert.ok(inTenSeconds >= 20, String(inTenSeconds));
    assert.ok(inTenSeconds <= 22, String(inTenSeconds));
  });

  it('tells somebody who looks on how long it would take instead of making them wait', async () => {
    await spend(75);
    const failure = await failureOf(take(10, 'interactive'));
    assert.deepEqual([failure.kind, failure.sent], ['rateLimited', 'no']);
    assert.ok((failure.retryAfterMs ?? 0) > 60_000 && (failure.retryAfterMs ?? 0) < 60_200);
    assert.equal(clock.waiting, 0);
  });

  it('counts as waiting whoever has no weight yet, and nobody whose weight is only being booked', async () => {
    const first = take(70);
    assert.equal(ledger.standing.waiting, 0);
    await first;
    const later = [take(30), take(1)];
    assert.equal(ledger.standing.waiting, 2);
    ledger.dispose();
    await Promise.allSettled(later);
    assert.equal(ledger.standing.waiting, 0);
  });

  it('refuses at once what the limit can never hold', async () => {
    const failure = await failureOf(take(76));
    assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
    assert.match(
      english(failure.detail),
      /weight 76 is more than .* limit 100 in 60 s: raise that setting/,
    );
  });

  it('refuses who waits when the limit that is learned can never hold it', async () => {
    await spend(75);
    const waiting = failureOf(take(30));
    await clock.advance(0);
    ledger.learn([
      { intervalNum: '1', limit: '20', interval: 'MINUTE', rateLimitType: 'HARD_LIMIT', extra: {} },
    ]);
    await clock.advance(1100);
    assert.equal((await waiting).kind, 'configuration');
  });

  it('tells at once who waits when a pause begins that is too long for them', async () => {
    ledger = ledgerOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    const under = await take(75);
    await spend(0.5, 'cancel');
    under.end(answered);
    const waiting = failureOf(take(10, 'interactive'));
    await clock.advance(1000);
    assert.equal(ledger.standing.waiting, 1);
    (await take(1, 'cancel')).end({ kind: 'limited', retryAfterMs: 20_000 });
    await clock.advance(0);
    assert.equal(ledger.standing.waiting, 0);
    assert.equal((await waiting).retryAfterMs, 20_000);
  });

  it('tells who waits in vain also while it always has something to write', async () => {
    const store = booksInMemory(hundred);
    const update: BooksStore['update'] = async (change) => {
      await setImmediate();
      if (isBusy) ledger.learn([]);
      return store.update(change);
    };
    let isBusy = false;
    ledger = new WeightLedger({ store: { ...store, update }, clock, share: () => 1 });
    (await take(5)).end({ kind: 'limited', retryAfterMs: 30_000 });
    await ledger.settled();
    await take(5, 'cancel');
    isBusy = true;
    const failure = await failureOf(take(5, 'cancel'));
    isBusy = false;
    assert.equal(failure.kind, 'rateLimited');
  });

  it('reads the books no oftener than it has to', async () => {
    const store = booksInMemory(hundred);
    let reads = 0;
    const read = () => {
      reads += 1;
      return store.read();
    };
    ledger = new WeightLedger({ store: { ...store, read }, clock, share: () => 1 });
    const readsOf = async (use: () => unknown): Promise<number> => {
      await ledger.settled();
      reads = 0;
      await use();
      await ledger.settled();
      return reads;
    };
    await spend(1);
    assert.equal(await readsOf(() => ledger.standing), 1);
    assert.equal(await readsOf(() => spend(10)), 2);
  });

  it('leaves no timer when the last who waited has left', async () => {
    await spend(75);
    const controller = new AbortController();
    const waiting = take(10, 'refresh', controller.signal);
    await clock.advance(0);
    assert.equal(clock.waiting, 1);
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.equal(clock.waiting, 0);
  });

  it('hears only once how a request ended, and later at most of a pause', async () => {
    const reservation = await take(10);
    reservation.end(answered);
    reservation.end({ kind: 'unsent' });
    await ledger.settled();
    assert.equal(ledger.standing.used, 10);
    reservation.end({ kind: 'limited', retryAfterMs: 30_000 });
    await ledger.settled();
    assert.equal(ledger.standing.used, 10);
    assert.equal(ledger.standing.frozenUntil, clock.now() + 30_000);
  });

  it('leaves nothing of a wait that was aborted', async () => {
    await spend(75);
    const controller = new AbortController();
    const waiting = take(10, 'refresh', controller.signal);
    await clock.advance(0);
    assert.equal(ledger.standing.waiting, 1);
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual([ledger.standing.waiting, ledger.standing.used], [0, 75]);
    await clock.advance(61_000);
    assert.deepEqual([ledger.standing.used, clock.waiting], [0, 0]);
    await assert.rejects(take(1, 'refresh', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('gives back what was taken for somebody who left meanwhile', async () => {
    const controller = new AbortController();
    const asked = take(10, 'refresh', controller.signal);
    controller.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await clock.advance(0);
    await ledger.settled();
    assert.equal(ledger.standing.used, 0);
  });

  it('tells those who wait when it is closed', async () => {
    await spend(75);
    const waiting = take(10);
    await clock.advance(0);
    ledger.dispose();
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(take(1), { name: 'AbortError' });
    assert.equal(clock.waiting, 0);
  });

  it('shows the limit of which the greatest part is used', async () => {
    ledger = ledgerOf({
      limits: [
        { weight: 100, windowMs: 1000 },
        { weight: 300, windowMs: 60_000 },
      ],
    });
    const shown = () => [ledger.standing.used, ledger.standing.limit];
    assert.deepEqual(shown(), [0, 100]);
    await spend(50);
    assert.deepEqual(shown(), [50, 100]);
    await clock.advance(2000);
    assert.deepEqual(shown(), [50, 300]);
  });

  describe('when the clock on the wall is set', () => {
    let setMs: number;
    let store: BooksStore;
    let wall: Clock;
    beforeEach(() => {
      setMs = 0;
      store = booksInMemory(hundred);
      wall = {
        now: () => clock.now() + setMs,
        after: (delayMs, callback) => clock.after(delayMs, callback),
      };
      ledger = open();
    });

    /** A window of a machine that was started this long after the clock's zero. */
    const open = (startedAtMs = 0) =>
      new WeightLedger({
        store,
        clock: wall,
        steadyNow: () => clock.now() - startedAtMs,
        share: () => 1,
      });

    it('holds weight for its whole interval when that is forward', async () => {
      await spend(75);
      setMs = 3_600_000;
      await clock.advance(10_000);
      assert.equal(ledger.standing.used, 75);
      const next = take(10);
      await clock.advance(49_000);
      assert.equal(await isThere(next), false);
      await clock.advance(2000);
      assert.ok(await isThere(next));
    });

    it('holds a pause for its whole length when that is forward', async () => {
      (await take(5)).end({ kind: 'limited', retryAfterMs: 30_000 });
      await ledger.settled();
      setMs = 3_600_000;
      assert.equal(ledger.standing.frozenUntil, wall.now() + 30_000);
    });

    it('holds what is under way for as long as it can last when that is forward', async () => {
      store = booksInMemory({ limits: [{ weight: 100, windowMs: 1000 }] });
      ledger = open();
      await take(75);
      await ledger.settled();
      setMs = 3_600_000;
      const next = take(10);
      await clock.advance(20_000);
      assert.equal(await isThere(next), false);
    });

    it('holds weight also in a window that was opened after that, and no longer for several', async () => {
      await spend(75);
      setMs = 3_600_000;
      const later = open();
      assert.equal(later.standing.used, 75);
      ledger = open();
      await spend(1, 'cancel');
      assert.deepEqual([later.standing.used, open().standing.used], [76, 76]);
      await clock.advance(61_000);
      assert.deepEqual([later.standing.used, ledger.standing.used], [0, 0]);
    });

    it('goes by that clock alone once the machine was started anew', async () => {
      await spend(75);
      await clock.advance(3_600_000);
      assert.equal(open(clock.now() - 1000).standing.used, 0);
    });

    it('lets nobody wait much longer when that is back', async () => {
      (await take(10, 'bulk')).end(answered);
      (await take(65)).end({ kind: 'limited', retryAfterMs: 30_000 });
      await ledger.settled();
      setMs = -24 * 3_600_000;
      const waiting = [take(10), take(10, 'bulk')];
      await clock.advance(900_100);
      assert.ok(await isThere(Promise.all(waiting)));
    });
  });

  it('books as spent what a header shows that others spent, against the whole limit', async () => {
    share = 0.5;
    (await take(10)).end({ kind: 'answered', usedWeights: [{ weight: 80, windowMs: 60_000 }] });
    await ledger.settled();
    assert.equal(ledger.standing.used, 80);
    assert.ok(await isThere(take(5)));
    assert.equal(await isThere(take(5)), false);
    await clock.advance(61_000);
    assert.equal(ledger.standing.used, 10);
  });

  it('never lowers what is booked by a header', async () => {
    await spend(50);
    (await take(10)).end({ kind: 'answered', usedWeights: [{ weight: 3, windowMs: 60_000 }] });
    await ledger.settled();
    assert.equal(ledger.standing.used, 60);
  });

  describe('with a header of used weight', () => {
    const shown = async (usedWeight: UsedWeight): Promise<number> => {
      (await take(10)).end({ kind: 'answered', usedWeights: [usedWeight] });
      await ledger.settled();
      return ledger.standing.used;
    };

    it('goes by the limit of the header’s own window', async () => {
      const second = { weight: 60, windowMs: 1000 };
      ledger = ledgerOf({ limits: [second, { weight: 1000, windowMs: 60_000 }] });
      for (let at = 0; at < 5; at += 1) {
        await shown({ weight: 100 + at * 10, windowMs: 60_000 });
        await clock.advance(1100);
        assert.equal(ledger.standing.used, 100 + at * 10);
      }
    });

    it('takes one that names no window for the minute’s', async () => {
      ledger = ledgerOf({ limits: [{ weight: 60, windowMs: 1000 }, ...(hundred.limits ?? [])] });
      assert.equal(await shown({ weight: 40, windowMs: undefined }), 40);
      await clock.advance(2000);
      assert.equal(ledger.standing.used, 40);
    });

    it('books those of several windows, each in its own and longer ones', async () => {
      const day = 86_400_000;
      ledger = ledgerOf({ limits: [...(hundred.limits ?? []), { weight: 1000, windowMs: day }] });
      const usedWeights = [
        { weight: 40, windowMs: 60_000 },
        { weight: 900, windowMs: day },
      ];
      (await take(10)).end({ kind: 'answered', usedWeights });
      await ledger.settled();
      assert.deepEqual([ledger.standing.used, ledger.standing.limit], [900, 1000]);
      assert.ok(await isThere(take(20)), 'the day’s 860 have not used up the minute');
      await clock.advance(61_000);
      assert.ok(await isThere(take(50)));
      assert.equal(await isThere(take(10)), false, 'of the day’s limit 30 are left, 25 kept free');
    });

    it('does not believe one of an unknown window, or of more than the limit', async () => {
      assert.equal(await shown({ weight: 40, windowMs: 3_600_000 }), 10);
      assert.equal(await shown({ weight: 101, windowMs: 60_000 }), 20);
      assert.equal(await shown({ weight: 100, windowMs: 60_000 }), 100);
    });
  });

  describe('when the exchange asks for a pause', () => {
    const limited = async (retryAfterMs?: number): Promise<void> => {
      (await take(5)).end({ kind: 'limited', retryAfterMs });
      await ledger.settled();
    };

    it('lets nothing go until then, and says until when', async () => {
      await limited(30_000);
      assert.equal(ledger.standing.frozenUntil, clock.now() + 30_000);
      const waiting = take(5);
      await clock.advance(29_900);
      assert.equal(await isThere(waiting), false);
      await clock.advance(101);
      assert.ok(await isThere(waiting));
      assert.equal(ledger.standing.frozenUntil, undefined);
    });

    it('waits 60 s from the last sending where it does not say how long, 15 minutes at most', async () => {
      await limited();
      assert.equal(ledger.standing.frozenUntil, clock.now() + 60_000);
      await clock.advance(60_000);
      await limited(3_600_000);
      assert.equal(ledger.standing.frozenUntil, clock.now() + 900_000);
    });

    it('makes a pause of nothing last a second, rather than ask for the next at once', async () => {
      await limited(0);
      assert.equal(ledger.standing.frozenUntil, clock.now() + 1000);
    });

    it('still lets a cancel-all and its read-back go, each once', async () => {
      await limited(30_000);
      const cancel = (operation: OperationName) => take(5, 'cancel', undefined, operation);
      assert.ok(await isThere(cancel('cancelAll')));
      assert.ok(await isThere(cancel('accounts')));
      for (const operation of ['cancelAll', 'accounts'] as const) {
        const failure = await failureOf(cancel(operation));
        assert.deepEqual([failure.kind, failure.retryAfterMs], ['rateLimited', 30_000]);
      }
      await clock.advance(30_001);
      await limited(30_000);
      assert.ok(await isThere(cancel('cancelAll')));
    });

    it('lets nothing else go, whatever its priority', async () => {
      await limited(30_000);
      for (const operation of ['orders', 'exchangeInfo'] as const) {
        const failure = await failureOf(take(1, 'cancel', undefined, operation));
        assert.deepEqual([failure.kind, failure.retryAfterMs], ['rateLimited', 30_000]);
      }
    });
  });

  describe('learning the limits', () => {
    const rateLimit = (interval: string, limit: string, rateLimitType = 'HARD_LIMIT') => ({
      intervalNum: '1',
      limit,
      interval,
      rateLimitType,
      extra: {},
    });

    it('supposes 1000 a minute until they are known', () => {
      ledger = ledgerOf({});
      assert.equal(ledger.standing.limit, 1000);
    });

    it('takes what it understands and leaves out what it does not', async () => {
      ledger.learn([
        rateLimit('FORTNIGHT', '7'),
        rateLimit('MINUTE', '9', 'ORDERS'),
        rateLimit('SECOND', '60'),
        { ...rateLimit('MINUTE', '300'), intervalNum: '2' },
      ]);
      await ledger.settled();
      const { limit, windowMs } = ledger.standing;
      assert.deepEqual([limit, windowMs], [60, 1000]);
      await spend(45);
      await clock.advance(1100);
      assert.ok(await isThere(take(45)));
    });

    it('understands a type and an interval however they are written', () => {
      for (const interval of ['MINUTE', 'minute', 'Minutes', 'MINUTES'])
        for (const type of ['HARD_LIMIT', 'hard_limit', 'Request_Weight'])
          assert.deepEqual(limitIn(rateLimit(interval, '100', type)), {
            weight: 100,
            windowMs: 60_000,
          });
      for (const strange of [
        rateLimit('FORTNIGHT', '7'),
        rateLimit('MINUTE', '9', 'ORDERS'),
        rateLimit('MINUTE', '0'),
        rateLimit('MINUTE', 'many'),
      ])
        assert.equal(limitIn(strange), undefined);
    });

    it('supposes no more than the number of a limit that is not understood', () => {
      const orders = rateLimit('MINUTE', '9', 'ORDERS');
      const supposed = (...strange: readonly ReturnType<typeof rateLimit>[]) =>
        limitsIn([orders, ...strange]).map(({ weight, windowMs }) => [weight, windowMs]);
      assert.deepEqual(supposed(), [[1000, 60_000]]);
      assert.deepEqual(supposed(rateLimit('M', '100')), [[100, 60_000]]);
      assert.deepEqual(supposed(rateLimit('M', '5000')), [[1000, 60_000]]);
      assert.deepEqual(supposed(rateLimit('M', 'many'), rateLimit('M', '0')), [[1000, 60_000]]);
      const day = rateLimit('DAY', '100000');
      assert.deepEqual(supposed(rateLimit('M', '100'), day), [
        [100_000, 86_400_000],
        [100, 60_000],
      ]);
      const minute = rateLimit('MINUTE', '6000');
      assert.deepEqual(supposed(rateLimit('WEEK', '1'), minute), [[6000, 60_000]]);
      assert.deepEqual(supposed(day), [[100_000, 86_400_000]]);
    });

    it('supposes one also beside those it understands where a field could not be read', () => {
      const minute = rateLimit('MINUTE', '6000');
      const beside = (fields: Partial<RateLimit>) =>
        limitsIn([minute, { ...rateLimit('MINUTE', '100'), ...fields }]).map(
          ({ weight }) => weight,
        );
      assert.deepEqual(beside({ interval: null }), [6000, 100]);
      assert.deepEqual(beside({ intervalNum: null }), [6000, 100]);
      assert.deepEqual(beside({ rateLimitType: null }), [6000, 100]);
      assert.deepEqual(beside({ limit: null }), [6000, 1000]);
      assert.deepEqual(beside({ rateLimitType: 'ORDERS', limit: null }), [6000]);
    });

    it('understands every whole number of intervals, however it is written, and no other', () => {
      const windowOf = (intervalNum: string) =>
        limitIn({ ...rateLimit('MINUTE', '100'), intervalNum })?.windowMs;
      for (const two of ['2', '2.0', '2e0', '0.2E1', '20e-1'])
        assert.equal(windowOf(two), 120_000, two);
      for (const none of ['1.5', '0', '-1', '1e300']) assert.equal(windowOf(none), undefined, none);
    });

    it('asks again when that failed a minute ago, and when what it knows is a day old', async () => {
      ledger = ledgerOf({});
      let asked = 0;
      const ask = (): Promise<void> => {
        asked += 1;
        if (asked === 1) return Promise.reject(new Error('not there'));
        ledger.learn([rateLimit('MINUTE', '100')]);
        return Promise.resolve();
      };
      const counts: number[] = [];
      for (const passMs of [0, 59_000, 1000, 60_000, 23 * 3_600_000, 3_600_000]) {
        await clock.advance(passMs);
        await ledger.introduce(ask);
        counts.push(asked);
      }
      assert.deepEqual(counts, [1, 1, 2, 2, 2, 3]);
    });

    it('asks once before anything else, and goes on when that fails', async () => {
      ledger = ledgerOf({});
      let asked = 0;
      const ask = (): Promise<never> => {
        asked += 1;
        return Promise.reject(new Error('not there'));
      };
      await Promise.all([ledger.introduce(ask), ledger.introduce(ask)]);
      await ledger.introduce(ask);
      assert.equal(asked, 1);
      ledger = ledgerOf({ ...hundred, learnedAt: clock.now() });
      await ledger.introduce(ask);
      assert.equal(asked, 1);
    });
  });

  it('never exceeds a limit, in any window, whatever the delays', async () => {
    const request = fc.record({
      weight: fc.constantFrom(1, 5, 10),
      priority: fc.constantFrom<Priority[]>('cancel', 'interactive', 'refresh', 'bulk'),
      pauseMs: fc.integer({ min: 0, max: 3000 }),
      thereMs: fc.integer({ min: 0, max: 9000 }),
      backMs: fc.integer({ min: 0, max: 9000 }),
      isAnswered: fc.boolean(),
    });
    let busiest = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 40, maxLength: 80 }), async (requests) => {
        clock = new FakeClock();
        ledger = ledgerOf(hundred);
        const arrivals: Arrival[] = [];
        const run = async (one: (typeof requests)[number]): Promise<void> => {
          const reservation = await take(one.weight, one.priority).catch(() => undefined);
          if (!reservation) return;
          arrivals.push({ at: clock.now() + one.thereMs, weight: one.weight });
          const ending: Ending = one.isAnswered ? answered : { kind: 'unanswered' };
          const tookMs = one.isAnswered ? one.thereMs + one.backMs : Math.max(one.thereMs, 5000);
          clock.after(tookMs, () => reservation.end(ending));
        };
        for (const one of requests) {
          void run(one);
          await clock.advance(one.pauseMs);
        }
        await clock.advance(600_000);
        ledger.dispose();
        busiest = Math.max(busiest, worstSliding(arrivals, 60_000));
        assert.ok(worstSliding(arrivals, 60_000) <= 100);
        assert.ok(worstFixed(arrivals, 60_000) <= 100);
      }),
      { numRuns: 60 },
    );
    assert.ok(busiest >= 70, `the limit was hardly approached: ${busiest}`);
  });
});
