import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { OperationName } from '../../../../src/api/operations.ts';
import type { UsedWeight } from '../../../../src/exchange/rateLimit/limits.ts';
import type { Priority } from '../../../../src/exchange/rateLimit/priority.ts';
import type {
  RateLimitState,
  SendResult,
} from '../../../../src/exchange/rateLimit/rateLimitState.ts';
import {
  createMemoryStore,
  type RateLimitStore,
} from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter, type Reservation } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { worstFixed, worstSliding, type Arrival } from '../../../support/arrivals.ts';
import { english } from '../../../support/english.ts';
import { failureOf } from '../../../support/failureOf.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const answered: SendResult = { kind: 'answered' };
const perMinute = (weight: number) => ({ weight, windowMs: 60_000 });
const perSecond = (weight: number) => ({ weight, windowMs: 1000 });
const hundred = { limits: [perMinute(100)], learnedAt: 1e15 };
/** How long the machine has run when a test begins: its two clocks show very different times. */
const uptimeMs = 3_600_000;

function rateLimit(interval: string, limit: string, rateLimitType = 'HARD_LIMIT') {
  return { intervalNum: '1', limit, interval, rateLimitType, extra: {} };
}

describe('the rate limiter', () => {
  let clock: FakeClock;
  let limiter: RateLimiter;
  let share: number;

  beforeEach(() => {
    clock = new FakeClock(undefined, uptimeMs);
    share = 1;
    limiter = limiterOf(hundred);
  });
  afterEach(() => limiter.dispose());

  function limiterOf(state: Partial<RateLimitState>): RateLimiter {
    return limiterWith(createMemoryStore(state));
  }
  function limiterWith(store: RateLimitStore): RateLimiter {
    return new RateLimiter({
      ...{ store, clock, share: () => share },
      monotonicNow: () => clock.steadyNow(),
    });
  }

  function take(
    weight: number,
    priority: Priority = 'refresh',
    signal?: AbortSignal,
    operation: OperationName = priority === 'cancel' ? 'cancelAll' : 'orders',
  ): Promise<Reservation> {
    return limiter.acquire({ operation, weight, priority, maxDurationMs: 20_000 }, signal);
  }

  /** Takes and answers at once. */
  async function spend(weight: number, priority: Priority = 'refresh'): Promise<void> {
    (await take(weight, priority)).complete(answered);
    await limiter.flushed();
  }

  /** The used weight after a request of weight 10 whose answer has these headers. */
  async function usedAfterHeader(...usedWeights: UsedWeight[]): Promise<number> {
    (await take(10)).complete({ kind: 'answered', usedWeights });
    await limiter.flushed();
    return limiter.usage.used;
  }

  /** Whether a promise is fulfilled once everything that is due has run. */
  async function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
    let isDone = false;
    promise.then(() => (isDone = true)).catch(() => undefined);
    await clock.advance(0);
    return isDone;
  }

  /** Asserts that a promise waits for the first delay and is fulfilled after the second. */
  async function assertWaits(promise: Promise<unknown>, waitMs: number, moreMs: number) {
    await clock.advance(waitMs);
    assert.equal(await isFulfilled(promise), false);
    await clock.advance(moreMs);
    assert.ok(await isFulfilled(promise));
  }

  it('frees weight one interval after the answer, not after the sending', async () => {
    const first = await take(75);
    await clock.advance(10_000);
    first.complete(answered);
    const next = take(10);
    await assertWaits(next, 59_000, 1200);
  });

  it('counts an unanswered request five seconds longer, and an unsent one not at all', async () => {
    (await take(75)).complete({ kind: 'unanswered' });
    const next = take(75);
    await clock.advance(64_900);
    assert.equal(await isFulfilled(next), false);
    await clock.advance(300);
    (await next).complete({ kind: 'unsent' });
    assert.ok(await isFulfilled(take(75)));
  });

  it('reserves a quarter, at most 25, for cancel-alls, and keeps bulk from as much again, at most 30', async () => {
    for (const [priority, room] of [
      ['bulk', 50],
      ['refresh', 75],
      ['interactive', 75],
      ['cancel', 100],
    ] as const) {
      limiter = limiterOf({ limits: [perMinute(100)] });
      let taken = 0;
      for (let next = take(5, priority); await isFulfilled(next); next = take(5, priority)) {
        (await next).complete(answered);
        await limiter.flushed();
        taken += 5;
      }
      assert.equal(taken, room, priority);
    }
    limiter = limiterOf({ limits: [perMinute(1000)] });
    for (let at = 0; at < 97; at += 1) await spend(10);
    assert.equal(limiter.usage.used, 970);
    assert.equal(await isFulfilled(take(10)), false);
    assert.ok(await isFulfilled(take(25, 'cancel')));
  });

  it('reserves the weight of a DELETE in every limit that can hold it', async () => {
    share = 0.5;
    for (const limit of [10, 20, 30, 38, 40, 60]) {
      limiter = limiterOf({ limits: [perMinute(limit)] });
      let taken = 0;
      while (await isFulfilled(take(1))) taken += 1;
      assert.ok(await isFulfilled(take(5, 'cancel')), `of ${limit}, after ${taken}`);
      limiter.dispose();
    }
  });

  it('reserves the weight of a second DELETE when bulk requests fit beside both', async () => {
    for (const [limit, left] of [
      [29, 1],
      [30, 2],
      [50, 2],
    ] as const) {
      limiter = limiterOf({ limits: [perMinute(limit)] });
      assert.ok(await isFulfilled(take(10, 'bulk')), `bulk of ${limit}`);
      while (await isFulfilled(take(1)));
      for (let nth = 1; nth <= left; nth += 1)
        assert.ok(await isFulfilled(take(5, 'cancel')), `${nth} of ${limit}`);
      limiter.dispose();
    }
  });

  it('lets the reads of a cancel-all use the reserve, but for one DELETE', async () => {
    await spend(75);
    const read = () => take(5, 'cancel', undefined, 'accounts');
    for (let nth = 1; nth <= 4; nth += 1) assert.ok(await isFulfilled(read()), String(nth));
    assert.equal((await failureOf(read())).kind, 'rateLimited');
    assert.ok(await isFulfilled(take(5, 'cancel')));
    assert.equal(limiter.usage.used, 100);
  });

  it('sends the read of a cancel-all, then its DELETE, when a limit holds only one of them', async () => {
    limiter = limiterOf({ limits: [perSecond(5)] });
    (await take(5, 'cancel', undefined, 'accounts')).complete(answered);
    const cancel = take(5, 'cancel');
    await assertWaits(cancel, 0, 1100);
  });

  it('sends a DELETE before the reads of an earlier one', async () => {
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 1500 }] });
    await spend(75);
    await spend(25, 'cancel');
    const order: string[] = [];
    for (const operation of ['accounts', 'cancelAll'] as const)
      void take(5, 'cancel', undefined, operation).then(() => order.push(operation));
    await clock.advance(2000);
    assert.deepEqual(order, ['cancelAll', 'accounts']);
  });

  it('has room for a plan while the plan leaves the weight of the DELETEs', () => {
    for (const [limit, used] of [
      [1000, 985],
      [40, 25],
      [10, 0],
      [5, 0],
    ] as const) {
      const entry = { id: 'used', weight: used, endsAt: clock.steadyNow(), isForeign: false };
      for (const others of [[], [perSecond(5000)]]) {
        const state = { limits: [perMinute(limit), ...others], entries: [entry] };
        assert.equal(limiterOf(state).hasRoomForPlan, true, String(limit));
        const more = [{ ...entry, weight: used + 1 }];
        assert.equal(limiterOf({ ...state, entries: more }).hasRoomForPlan, false, String(limit));
      }
    }
  });

  it('keeps ordinary requests and the reads of a cancel-all to the share', async () => {
    share = 0.509;
    await spend(38);
    assert.equal(await isFulfilled(take(1)), false);
    assert.ok(await isFulfilled(take(7, 'cancel', undefined, 'accounts')));
    assert.equal((await failureOf(take(1, 'cancel', undefined, 'accounts'))).kind, 'rateLimited');
    assert.deepEqual([limiter.usage.ownShare, limiter.usage.limit], [50, 100]);
  });

  it('lets DELETEs use the rest of the limit beyond the share, and never more', async () => {
    share = 0.2;
    await spend(15);
    for (let press = 1; press <= 17; press += 1)
      assert.ok(await isFulfilled(take(5, 'cancel')), `press ${press}`);
    assert.equal(limiter.usage.used, 100);
    assert.equal(await isFulfilled(take(5, 'cancel')), false);
    const failure = await failureOf(take(1, 'cancel', undefined, 'accounts'));
    assert.equal(failure.kind, 'rateLimited');
  });

  it('has a DELETE wait until what others used comes free', async () => {
    const endsAt = clock.steadyNow() - 59_000;
    const entries = [{ id: 'others', weight: 92, endsAt, isForeign: true }];
    limiter = limiterOf({ ...hundred, entries });
    assert.ok(await isFulfilled(take(5, 'cancel')));
    await assertWaits(take(5, 'cancel'), 1000, 200);
  });

  describe('when the whole limit is used', () => {
    beforeEach(async () => {
      share = 0.5;
      for (let sent = 0; sent < 100; sent += 5) await spend(5, 'cancel');
    });

    it('says when a DELETE can be sent, and sends it then', async () => {
      const readyInMs = limiter.cancelAllReadyAt - clock.now();
      assert.ok(readyInMs > 60_000 && readyInMs < 60_200, String(readyInMs));
      await clock.advance(readyInMs - 1500);
      const cancel = take(5, 'cancel');
      await assertWaits(cancel, 1499, 1);
      assert.ok(limiter.cancelAllReadyAt <= clock.now());
    });

    it('never sends a DELETE whose signal was aborted', async () => {
      await clock.advance(limiter.cancelAllReadyAt - clock.now() - 1000);
      const controller = new AbortController();
      const cancel = take(5, 'cancel', controller.signal);
      assert.equal(await isFulfilled(cancel), false);
      controller.abort();
      await assert.rejects(cancel, { name: 'AbortError' });
      await clock.advance(120_000);
      assert.deepEqual([limiter.usage.used, clock.waiting], [0, 0]);
    });

    it('refuses a DELETE at once that would have to wait longer than it may', async () => {
      const room = { operation: 'cancelAll', weight: 5, priority: 'cancel' } as const;
      const within = (waitMs: number) =>
        limiter.acquire({ ...room, maxDurationMs: 20_000, waitMs });
      const { kind, retryAfterMs = 0 } = await failureOf(within(60_000));
      assert.deepEqual([kind, retryAfterMs > 60_000], ['rateLimited', true]);
      const waiting = within(90_000);
      await clock.advance(retryAfterMs - 1);
      assert.equal(await isFulfilled(waiting), false);
      await clock.advance(1);
      (await waiting).complete(answered);
    });
  });

  it('obeys each of several limits', async () => {
    limiter = limiterOf({ limits: [perSecond(40), perMinute(80)] });
    await spend(30);
    const second = take(30);
    assert.equal(await isFulfilled(second), false);
    await clock.advance(1060);
    (await second).complete(answered);
    const third = take(30);
    await assertWaits(third, 58_000, 2000);
  });

  it('sends waiting requests by priority, then in order of arrival', async () => {
    await spend(75);
    const order: string[] = [];
    for (const name of ['refresh 1', 'refresh 2', 'interactive 1'])
      void take(10, name.slice(0, -2) as Priority)
        .then(() => order.push(name))
        .catch(() => order.push(`${name} refused`));
    await clock.advance(61_000);
    assert.deepEqual(order, ['interactive 1 refused', 'refresh 1', 'refresh 2']);
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    order.length = 0;
    await spend(75);
    for (const priority of ['bulk', 'refresh', 'interactive'] as const)
      void take(10, priority).then(() => order.push(priority));
    await clock.advance(6000);
    assert.deepEqual(order, ['interactive', 'refresh', 'bulk']);
  });

  it('sends bulk requests at once until half of what they may use is used, then at a pace, and paces no others', async () => {
    limiter = limiterOf({ limits: [perMinute(1000)] });
    const sent: number[] = [];
    const sendOn = async (): Promise<void> => {
      for (;;) sent.push(await spend(10, 'bulk').then(() => clock.now()));
    };
    const start = clock.now();
    const sentWithin = (ms: number) => sent.filter((at) => at - start <= ms).length;
    void sendOn();
    await clock.advance(0);
    assert.equal(sent.length, 47);
    assert.ok(await isFulfilled(take(10)));
    await clock.advance(59_000);
    // Room for others is left, and comes free again and again.
    const [atHalf, atEnd] = [sentWithin(30_000), sentWithin(59_000)];
    assert.ok(atHalf >= 50 && atHalf <= 53, String(atHalf));
    assert.ok(atEnd >= 90 && atEnd <= 94, String(atEnd));
    assert.ok(await isFulfilled(take(10, 'interactive')));
  });

  it('has two bulk requests under way at most, also of those that came at once', async () => {
    const sent: Reservation[] = [];
    for (let count = 0; count < 5; count += 1) void take(1, 'bulk').then((one) => sent.push(one));
    await clock.advance(0);
    assert.equal(sent.length, 2);
    for (const left of [3, 4, 5]) {
      sent[left - 3]?.complete(answered);
      await clock.advance(0);
      assert.equal(sent.length, left);
    }
  });

  it('paces bulk requests while other programs use the limit', async () => {
    limiter = limiterOf({
      limits: [perMinute(1000)],
      entries: [{ id: 'other', weight: 480, endsAt: clock.steadyNow(), isForeign: true }],
    });
    const sent: number[] = [];
    const sendOn = async (): Promise<void> => {
      for (;;) sent.push(await spend(10, 'bulk').then(() => 10));
    };
    void sendOn();
    await clock.advance(1);
    assert.deepEqual(sent, [10, 10, 10, 10, 10]);
    await clock.advance(10_000);
    const inTenSeconds = sent.length;
    assert.ok(inTenSeconds >= 20 && inTenSeconds <= 22, String(inTenSeconds));
  });

  it('refuses a person’s request that would wait long, and says how long', async () => {
    await spend(75);
    const failure = await failureOf(take(10, 'interactive'));
    assert.deepEqual([failure.kind, failure.sent], ['rateLimited', 'no']);
    assert.ok((failure.retryAfterMs ?? 0) > 60_000 && (failure.retryAfterMs ?? 0) < 60_200);
    assert.equal(clock.waiting, 0);
  });

  it('has a person’s request wait for those under way that may be answered soon', async () => {
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    const underWay = await take(75);
    const next = take(10, 'interactive');
    await clock.advance(1000);
    underWay.complete(answered);
    await assertWaits(next, 5000, 300);
  });

  it('lets no light request leave before a heavier one of a higher priority', async () => {
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    await spend(72);
    const [heavy, light] = [take(10, 'interactive'), take(1)];
    await spend(1, 'cancel');
    assert.deepEqual([await isFulfilled(heavy), await isFulfilled(light)], [false, false]);
    await clock.advance(5100);
    assert.deepEqual([await isFulfilled(heavy), await isFulfilled(light)], [true, true]);
  });

  it('counts requests as waiting that have no weight yet, not those that are being saved', async () => {
    const first = take(70);
    assert.equal(limiter.usage.waiting, 0);
    await first;
    const later = [take(30), take(1)];
    assert.equal(limiter.usage.waiting, 2);
    limiter.dispose();
    await Promise.allSettled(later);
    assert.equal(limiter.usage.waiting, 0);
  });

  it('immediately refuses a request above the whole limit', async () => {
    const failure = await failureOf(take(76));
    assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
    assert.match(
      english(failure.detail),
      /weight 76 is more than .* limit 100 in 60 s: raise that setting/,
    );
  });

  it('refuses a waiting request when a new limit can never hold it', async () => {
    await spend(75);
    const waiting = failureOf(take(30));
    await clock.advance(0);
    limiter.setLimits([rateLimit('MINUTE', '20')]);
    await clock.advance(1100);
    assert.equal((await waiting).kind, 'configuration');
  });

  it('immediately refuses a waiting request when a pause exceeds its deadline', async () => {
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 5000 }] });
    const under = await take(75);
    await spend(0.5, 'cancel');
    under.complete(answered);
    const waiting = failureOf(take(10, 'interactive'));
    await clock.advance(1000);
    assert.equal(limiter.usage.waiting, 1);
    (await take(1, 'cancel')).complete({ kind: 'limited', retryAfterMs: 20_000 });
    await clock.advance(0);
    assert.equal(limiter.usage.waiting, 0);
    assert.equal((await waiting).retryAfterMs, 20_000);
  });

  it('accepts one result of a request, and after that only a pause', async () => {
    const reservation = await take(10);
    reservation.complete(answered);
    reservation.complete({ kind: 'unsent' });
    await limiter.flushed();
    assert.equal(limiter.usage.used, 10);
    reservation.complete({ kind: 'limited', retryAfterMs: 30_000 });
    await limiter.flushed();
    assert.equal(limiter.usage.used, 10);
    assert.equal(limiter.usage.pausedUntil, clock.now() + 30_000);
  });

  it('cleans up after an aborted wait', async () => {
    await spend(75);
    const controller = new AbortController();
    const waiting = take(10, 'refresh', controller.signal);
    await clock.advance(0);
    assert.equal(limiter.usage.waiting, 1);
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual([limiter.usage.waiting, limiter.usage.used], [0, 75]);
    await clock.advance(61_000);
    assert.deepEqual([limiter.usage.used, clock.waiting], [0, 0]);
    await assert.rejects(take(1, 'refresh', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('reports the limit of which the greatest part is used', async () => {
    limiter = limiterOf({ limits: [perSecond(100), perMinute(300)] });
    const shown = () => [limiter.usage.used, limiter.usage.limit];
    assert.deepEqual(shown(), [0, 100]);
    await spend(50);
    assert.deepEqual(shown(), [50, 100]);
    await clock.advance(2000);
    assert.deepEqual(shown(), [50, 300]);
  });

  it('is not changed by the wall clock, whichever way that is set', async () => {
    for (const aheadMs of [3_600_000, -86_400_000]) {
      limiter = limiterOf({ limits: [perMinute(1000)], learnedAt: 1e15 });
      for (let spent = 0; spent < 97; spent += 1) await spend(10);
      clock.setAhead(aheadMs);
      await clock.advance(10_000);
      assert.equal(limiter.usage.used, 970);
      await assertWaits(take(10), 49_000, 2000);
      (await take(10)).complete({ kind: 'limited', retryAfterMs: 30_000 });
      clock.setAhead(-aheadMs);
      await assertWaits(take(10, 'bulk'), 29_900, 2101);
    }
  });

  it('counts the weight of other clients from a header against the whole limit', async () => {
    share = 0.5;
    assert.equal(await usedAfterHeader(perMinute(80)), 80);
    assert.ok(await isFulfilled(take(5)));
    assert.equal(await isFulfilled(take(5)), false);
    await clock.advance(61_000);
    assert.equal(limiter.usage.used, 10);
  });

  it('never counts less because of a header', async () => {
    await spend(50);
    assert.equal(await usedAfterHeader(perMinute(3)), 60);
  });

  describe('with a header of used weight', () => {
    it('applies the limit of the header’s own window', async () => {
      const second = perSecond(60);
      limiter = limiterOf({ limits: [second, perMinute(1000)] });
      for (let at = 0; at < 5; at += 1) {
        await usedAfterHeader({ weight: 100 + at * 10, windowMs: 60_000 });
        await clock.advance(1100);
        assert.equal(limiter.usage.used, 100 + at * 10);
      }
    });

    it('reads a header without a window as the minute’s', async () => {
      limiter = limiterOf({ limits: [perSecond(60), ...hundred.limits] });
      assert.equal(await usedAfterHeader({ weight: 40, windowMs: undefined }), 40);
      await clock.advance(2000);
      assert.equal(limiter.usage.used, 40);
    });

    it('counts headers of several windows, each in its own window and longer ones', async () => {
      const day = 86_400_000;
      limiter = limiterOf({ limits: [...hundred.limits, { weight: 1000, windowMs: day }] });
      assert.equal(await usedAfterHeader(perMinute(40), { weight: 900, windowMs: day }), 900);
      assert.equal(limiter.usage.limit, 1000);
      assert.ok(await isFulfilled(take(20)), 'the day’s 860 have not used up the minute');
      await clock.advance(61_000);
      assert.ok(await isFulfilled(take(50)));
      assert.equal(await isFulfilled(take(10)), false, '30 are left of the day, 25 are reserved');
    });

    it('ignores an unknown window, and more than the limit', async () => {
      assert.equal(await usedAfterHeader({ weight: 40, windowMs: 3_600_000 }), 10);
      assert.equal(await usedAfterHeader(perMinute(101)), 20);
      assert.equal(await usedAfterHeader(perMinute(100)), 100);
    });
  });

  describe('when the exchange asks for a pause', () => {
    const limited = async (retryAfterMs?: number): Promise<void> => {
      (await take(5)).complete({ kind: 'limited', retryAfterMs });
      await limiter.flushed();
    };

    it('sends nothing until then, and says until when', async () => {
      await limited(30_000);
      assert.equal(limiter.usage.pausedUntil, clock.now() + 30_000);
      await assertWaits(take(5), 29_900, 101);
      assert.equal(limiter.usage.pausedUntil, undefined);
    });

    it('sends nothing sooner because a later pause is shorter', async () => {
      await limited(30_000);
      (await take(5, 'cancel')).complete({ kind: 'limited', retryAfterMs: 1000 });
      await limiter.flushed();
      assert.equal(limiter.usage.pausedUntil, clock.now() + 30_000);
    });

    it('sends one read-back of a cancel-all in each pause', async () => {
      const readBack = () => take(5, 'cancel', undefined, 'accounts');
      for (let pause = 1; pause <= 3; pause += 1) {
        (await take(5)).complete({ kind: 'paused', retryAfterMs: 30_000 });
        assert.ok(await isFulfilled(readBack()), `pause ${pause}`);
        assert.equal((await failureOf(readBack())).sent, 'no', `pause ${pause}`);
        await clock.advance(91_000);
      }
    });

    it('sends nothing else, at any priority', async () => {
      await limited(30_000);
      for (const operation of ['orders', 'exchangeInfo'] as const) {
        const failure = await failureOf(take(1, 'cancel', undefined, operation));
        assert.deepEqual([failure.kind, failure.retryAfterMs], ['rateLimited', 30_000]);
      }
    });
  });

  describe('after a pause', () => {
    const paused = { ...hundred, pausedUntil: uptimeMs + 1000 };
    let sent: Reservation[];

    async function queue(count: number): Promise<void> {
      limiter.dispose();
      limiter = limiterOf(paused);
      sent = [];
      for (let index = 0; index < count; index += 1)
        void take(1).then(
          (reservation) => sent.push(reservation),
          () => undefined,
        );
      await clock.advance(1000);
    }

    it('sends one request, then two, then four while none succeeds', async () => {
      await queue(20);
      const counts = [sent.length];
      for (let step = 0; step < 3; step += 1) {
        for (const reservation of sent) reservation.complete(answered);
        await clock.advance(1999);
        counts.push(sent.length);
        await clock.advance(1);
        counts.push(sent.length);
      }
      assert.deepEqual(counts, [1, 1, 3, 3, 7, 7, 15]);
    });

    it('sends all that wait when one has succeeded', async () => {
      await queue(20);
      sent[0]?.succeed();
      await clock.advance(0);
      assert.equal(sent.length, 20);
    });

    it('starts again with one after the next pause, even if earlier requests succeed', async () => {
      await queue(20);
      sent[0]?.complete({ kind: 'limited', retryAfterMs: 5000 });
      sent[0]?.succeed();
      (await take(5, 'cancel')).succeed();
      await clock.advance(5000);
      assert.equal(sent.length, 2);
    });

    it('sends a cancel-all immediately', async () => {
      await queue(20);
      assert.ok(await isFulfilled(take(5, 'cancel', undefined, 'accounts')));
      assert.ok(await isFulfilled(take(5, 'cancel')));
      assert.equal(sent.length, 1);
    });
  });

  describe('the limits', () => {
    it('are read after the pause of a refusal that our count does not explain, before all but a cancel-all', async () => {
      const order: OperationName[] = [];
      const leave = async (priority: Priority, operation: OperationName): Promise<void> => {
        (await take(1, priority, undefined, operation)).complete(answered);
        order.push(operation);
        if (operation === 'exchangeInfo') limiter.setLimits([rateLimit('MINUTE', '100')]);
      };
      await limiter.ensureLimits(() => leave('refresh', 'exchangeInfo'));
      (await take(20)).complete({ kind: 'limited', retryAfterMs: 30_000 });
      const later = leave('refresh', 'orders');
      await leave('cancel', 'accounts');
      assert.deepEqual(order, ['accounts']);
      await clock.advance(31_000);
      assert.deepEqual(order, ['accounts', 'exchangeInfo', 'orders']);
      await later;
    });

    it('are read as soon as the pause ends, however much was sent before it', async () => {
      const leave = async (): Promise<void> => {
        (await take(1, 'refresh', undefined, 'exchangeInfo')).complete(answered);
        limiter.setLimits([rateLimit('MINUTE', '1000')]);
      };
      await limiter.ensureLimits(leave);
      limiter.setLimits([rateLimit('MINUTE', '1000')]);
      for (let sent = 0; sent < 10; sent += 1) await spend(10, 'interactive');
      (await take(1, 'interactive')).complete({ kind: 'limited', retryAfterMs: 5000 });
      assert.ok(limiter.usage.limit < 1000);
      await clock.advance(5100);
      assert.equal(limiter.usage.limit, 1000);
    });

    it('are read again a minute after that failed, and after a day', async () => {
      limiter = limiterOf({});
      let asked = 0;
      const ask = (): Promise<void> => {
        asked += 1;
        if (asked === 1) return Promise.reject(new Error('not there'));
        limiter.setLimits([rateLimit('MINUTE', '100')]);
        return Promise.resolve();
      };
      const counts: number[] = [];
      for (const passMs of [0, 59_000, 1000, 60_000, 23 * 3_600_000, 3_600_000]) {
        await clock.advance(passMs);
        await limiter.ensureLimits(ask);
        counts.push(asked);
      }
      assert.deepEqual(counts, [1, 1, 2, 2, 2, 3]);
    });
  });

  it('never exceeds the limit in any window, or the share without DELETEs, with any delays', async () => {
    const request = fc.record({
      weight: fc.constantFrom(1, 5, 10),
      priority: fc.constantFrom<Priority[]>('cancel', 'cancel', 'interactive', 'refresh', 'bulk'),
      pauseMs: fc.integer({ min: 0, max: 3000 }),
      thereMs: fc.integer({ min: 0, max: 9000 }),
      backMs: fc.integer({ min: 0, max: 9000 }),
      isAnswered: fc.boolean(),
    });
    let busiest = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 40, maxLength: 80 }), async (requests) => {
        clock = new FakeClock(undefined, uptimeMs);
        share = 0.6;
        limiter = limiterOf(hundred);
        const arrivals: (Arrival & { readonly isDelete: boolean })[] = [];
        const run = async (one: (typeof requests)[number]): Promise<void> => {
          const reservation = await take(one.weight, one.priority).catch(() => undefined);
          if (!reservation) return;
          const isDelete = one.priority === 'cancel';
          arrivals.push({ at: clock.now() + one.thereMs, weight: one.weight, isDelete });
          const ending: SendResult = one.isAnswered ? answered : { kind: 'unanswered' };
          const tookMs = one.isAnswered ? one.thereMs + one.backMs : Math.max(one.thereMs, 5000);
          clock.after(tookMs, () => reservation.complete(ending));
        };
        for (const one of requests) {
          void run(one);
          await clock.advance(one.pauseMs);
        }
        await clock.advance(600_000);
        limiter.dispose();
        busiest = Math.max(busiest, worstSliding(arrivals, 60_000));
        assert.ok(worstSliding(arrivals, 60_000) <= 100);
        assert.ok(worstFixed(arrivals, 60_000) <= 100);
        const ordinary = arrivals.filter(({ isDelete }) => !isDelete);
        assert.ok(worstSliding(ordinary, 60_000) <= 60);
      }),
      { numRuns: 25 },
    );
    assert.ok(busiest >= 70, `the limit was never approached: ${busiest}`);
  });
});
