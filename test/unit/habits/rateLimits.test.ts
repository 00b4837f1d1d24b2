import fc from 'fast-check';
import assert from 'node:assert/strict';
import { RateLimits } from '../../../src/account/session/rateLimits.ts';
import { parseJson } from '../../../src/base/exactJson.ts';
import { presetScheme } from '../../../src/exchange/auth/scheme.ts';
import { defaultConventions } from '../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../src/exchange/history/exchangeConventions.ts';
import {
  learnedConventionsInMemory,
  nothingLearned,
} from '../../../src/exchange/history/learnedConventions.ts';
import type { Fetch } from '../../../src/exchange/http/fetch.ts';
import { ExchangeClient } from '../../../src/exchange/client.ts';
import { failureFromBody, failureFromStatus } from '../../../src/exchange/http/failures.ts';
import {
  compactState,
  fromFileTimes,
  toFileTimes,
} from '../../../src/exchange/rateLimit/normalizeState.ts';
import { emptyState } from '../../../src/exchange/rateLimit/rateLimitState.ts';
import { createMemoryStore, parseState } from '../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../src/exchange/rateLimit/rateLimiter.ts';
import { doubtLimits } from '../../../src/exchange/rateLimit/staleLimits.ts';
import { aProfile } from '../../support/builders.ts';
import { failureOf } from '../../support/failureOf.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { testHabits } from '../../support/habits.ts';
import { limitedExchange } from '../../support/limitedExchange.ts';
import { folderOfEachTest } from '../../support/project.ts';

const now = Date.UTC(2026, 10, 20, 10);
const date = new Date(now).toUTCString();
const minuteMs = 60_000;

/** How long the exchange wants us to wait, on a machine that is three minutes fast; nothing if it is no rate limit. */
function pauseMs(headers: Record<string, string>, body = '', status = 429): number | undefined {
  const head = { status, headers: { get: (name: string) => ({ date, ...headers })[name] ?? null } };
  const failure = failureFromStatus(head, body, [429, 418], now + 3 * minuteMs);
  assert.equal(failure.kind, 'rateLimited');
  return failure.retryAfterMs;
}

testHabits(
  'Retry-After',
  (
    [
      [
        'a date, on a machine whose clock is three minutes fast',
        'RFC 9110',
        'Fri, 20 Nov 2026 10:02:00 GMT',
        120_000,
      ],
      ['a date in ISO 8601', 'sibling', '2026-11-20T10:02:00Z', 120_000],
      ['an epoch time in milliseconds', 'sibling', String(now + 120_000), 120_000],
      ['a fraction of a second', 'Binance', '1.5', 2000],
      ['a unit', 'sibling', '120s', 120_000],
      ['minutes', 'sibling', '2m', 120_000],
      ['more than 15 minutes', 'Binance, ban of 3 days', '259200', 86_400_000],
      ['two hours', 'sibling', '7200', 7_200_000],
    ] as const
  ).map(([form, source, value, ms]) => ({
    habit: `Retry-After has ${form}`,
    source,
    sees: `a pause of ${ms / 1000} s`,
    check: () => assert.equal(pauseMs({ 'retry-after': value }), ms),
  })),
);

testHabits(
  'words of a rate limit',
  (
    [
      [`IP banned until ${now + 120_000}. Please use the websocket.`, 'Binance', 120_000],
      ['You are banned until 2026-11-20 10:02:00 UTC', 'sibling', 120_000],
      ['Rate limit exceeded, retry in 12.5 seconds', 'sibling', 13_000],
      [`Too many requests: banned_until_${now + 120_000}`, 'attack on pauses', 120_000],
      [`bannedUntil: ${now + 120_000}`, 'attack on pauses', 120_000],
      ['IP banned until Fri, 20 Nov 2026 10:02:00 GMT', 'attack on pauses', 120_000],
      ['Rate limit: retry after 2 minutes', 'attack on pauses', 120_000],
      ['Too many requests. Please try again in 5 minutes', 'attack on pauses', 300_000],
      ['Rate limit. Retry after: 30 seconds', 'attack on pauses', 30_000],
      ['rate_limit: retry_after 1h', 'sibling', 3_600_000],
      ['banned for 120 seconds', 'attack on pauses', 120_000],
      ['IPBannedUntil', 'sibling', undefined],
      ['apiLimitExceeded', 'Kraken Futures', undefined],
      ['TOO_MANY_REQUESTS', 'Gate', undefined],
      ['toomanyrequests', 'sibling', undefined],
      ['requestLimitReached', 'sibling', undefined],
    ] as const
  ).map(([words, source, ms]) => ({
    habit: `a 403, and a success, say “${words}”`,
    source,
    sees: `a rate limit${ms === undefined ? '' : ` and a pause of ${ms / 1000} s`}, not a refused key`,
    check: () => {
      const body = JSON.stringify({ error: words });
      assert.equal(pauseMs({}, body, 403), ms);
      const success = { status: 200, headers: { get: () => null } };
      assert.equal(failureFromBody(success, parseJson(body), now)?.kind, 'rateLimited');
    },
  })),
);

testHabits(
  'fields of a rate limit',
  (
    [
      [{ message: 'x', label: 'TOO_MANY_REQUESTS' }, 'Gate', undefined],
      [{ error: 'Too many requests', retryAfter: 30 }, 'attack on pauses', 30_000],
      [{ error: 'Too many requests', retry_after: 2.5 }, 'Discord', 3000],
      [{ error: { message: 'Too many requests', retryAfter: '45' } }, 'sibling', 45_000],
    ] as const
  ).map(([fields, source, ms]) => ({
    habit: `a 400, and a success, have ${JSON.stringify(fields)}`,
    source,
    sees: `a rate limit${ms === undefined ? '' : ` and a pause of ${ms / 1000} s`}, not a refusal`,
    check: () => {
      const body = JSON.stringify(fields);
      assert.equal(pauseMs({}, body, 400), ms);
      const success = { status: 200, headers: { get: () => null } };
      const failure = failureFromBody(success, parseJson(body), now);
      assert.deepEqual([failure?.kind, failure?.retryAfterMs], ['rateLimited', ms]);
    },
  })),
);

testHabits('words of a ban', [
  {
    habit: 'a 403 says “banned for violating the terms”',
    source: 'sibling',
    sees: 'a refused key, no rate limit',
    check: () => {
      const head = { status: 403, headers: { get: () => null } };
      const body = JSON.stringify({ error: 'banned for violating the terms' });
      assert.equal(failureFromStatus(head, body, [429], now).kind, 'auth');
    },
  },
]);

const named = (limit: string, interval = 'MINUTE') => {
  const rateLimitType = 'HARD_LIMIT';
  return { rateLimitType, interval, intervalNum: '1', limit, extra: {} };
};
const perMinute = (weight: number) => ({ weight, windowMs: minuteMs });

testHabits('a limit that no request fits into', [
  {
    habit: 'a HARD_LIMIT of 4 a minute',
    source: 'attack on cancel-all',
    sees: 'the conservative limit, and a cancel-all that goes',
    check: async () => {
      const limiter = new RateLimiter({
        store: createMemoryStore(),
        clock: new FakeClock(),
        share: () => 0.5,
      });
      limiter.setLimits([named('4')]);
      const request = { operation: 'cancelAll', weight: 5, priority: 'cancel' } as const;
      await limiter.acquire({ ...request, maxDurationMs: 1000 });
      assert.equal(limiter.usage.limit, 1000);
      limiter.dispose();
    },
  },
]);

describe('limits per address', () => {
  const folder = folderOfEachTest();

  /** What two keys of one exchange, in two windows, have used in the eyes of the second. */
  async function usedOfOther(...limitsPer: readonly ('origin' | 'key')[]): Promise<number> {
    const clock = new FakeClock();
    const onProblem = (error: unknown): never => assert.fail(String(error));
    const options = { folder: folder.path, clock, share: () => 0.5, onProblem };
    const windows = [new RateLimits(options), new RateLimits(options)];
    const limiters = limitsPer.map((limitPer, nth) =>
      (windows[nth] ?? assert.fail()).forProfile(
        aProfile({ limitPer, baseUrl: `https://host.example/v${nth}` }),
        { apiKey: `key ${nth}` },
      ),
    );
    const [first = assert.fail(), second = assert.fail()] = limiters;
    const request = { operation: 'orders', weight: 10, priority: 'refresh' } as const;
    (await first.acquire({ ...request, maxDurationMs: 1000 })).complete({ kind: 'answered' });
    await first.flushed();
    for (const window of windows) window.dispose();
    return second.usage.used;
  }

  testHabits('limits per address', [
    {
      habit: 'two keys of one origin',
      source: 'Binance',
      sees: 'one count for both',
      check: async () => assert.equal(await usedOfOther('origin', 'origin'), 10),
    },
    {
      habit: 'two keys that the exchange counts apart',
      source: 'Bitvavo',
      sees: 'a count for each',
      check: async () => assert.equal(await usedOfOther('key', 'key'), 0),
    },
  ]);
});

/** A client on a fake clock, of an exchange whose information is read, or known only from before. */
function clientOf(limit: () => number, known: 'read' | 'before') {
  const clock = new FakeClock();
  const exchange = limitedExchange({ clock, limit, retryAfter: '60' });
  const rateLimiter = new RateLimiter({ store: createMemoryStore(), clock, share: () => 1 });
  const rateLimits = [{ ...named('120'), isEnforced: true }];
  const information = {
    timezone: null,
    rateLimits,
    supposedPerMinute: null,
    aheadMs: null,
    readAt: 1,
  };
  const unread = { status: 400, headers: new Headers(), body: null };
  const fetch: Fetch = (url, request) =>
    known === 'before' && url.includes('exchangeInfo')
      ? Promise.resolve(unread)
      : exchange.fetch(url, request);
  const facts = { ...nothingLearned, ...(known === 'before' ? { information } : {}) };
  const conventions = new ExchangeConventions(
    defaultConventions,
    learnedConventionsInMemory(facts),
  );
  const client = new ExchangeClient({
    ...{ baseUrl: 'https://host.example', auth: presetScheme('none'), credentials: {} },
    ...{ fetch, clock, rateLimiter, conventions },
  });
  return { clock, client, rateLimiter, exchange };
}

testHabits('limits that change or cannot be read', [
  {
    habit: 'the limit falls from 1000 to 40',
    source: 'attack on the limit',
    sees: 'half of what was sent, then what exchange information says, read before anything else',
    check: async () => {
      let limit = 1000;
      const { clock, client, rateLimiter, exchange } = clientOf(() => limit, 'read');
      for (let nth = 0; nth < 20; nth += 1) await client.accounts();
      limit = 40;
      await failureOf(client.accounts({ priority: 'refresh' }));
      assert.equal(rateLimiter.usage.limit, 53);
      const before = exchange.answered.length;
      await clock.advance(minuteMs + 1000);
      await client.accounts();
      const after = exchange.answered.slice(before).map(({ operation }) => operation);
      assert.deepEqual([after, rateLimiter.usage.limit], [['exchangeInfo', 'accounts'], 40]);
    },
  },
  {
    habit: 'the limit of a day is exceeded, that of a minute is not',
    source: 'sibling',
    sees: 'the limit of the day as it is, so that a cancel-all is not held up for hours',
    check: () => {
      const limits = [{ weight: 5000, windowMs: 86_400_000 }, perMinute(500)];
      const entries = [{ id: '1', weight: 400, endsAt: 0, isForeign: false }];
      const doubted = doubtLimits({ ...emptyState, limits, entries }, 1, 0).limits;
      assert.deepEqual(doubted, [perMinute(200), { weight: 5000, windowMs: 86_400_000 }]);
    },
  },
  {
    habit: 'the exchange refuses the first request of all, while its limit is unknown',
    source: 'an exchange without exchange information, whose address others use too',
    sees: 'the assumed limit: so little explains nothing',
    check: () => {
      const entries = [{ id: '1', weight: 6, endsAt: 0, isForeign: false }];
      const doubted = doubtLimits({ ...emptyState, entries }, 0.5, 0);
      assert.deepEqual(doubted.limits, [perMinute(1000)]);
      assert.deepEqual(doubtLimits(doubted, 0.5, 0).limits, [perMinute(20)]);
    },
  },
  {
    habit: 'the exchange refuses a second request of the same burst',
    source: 'sibling',
    sees: 'no lower limit: the first refusal explains it',
    check: () => {
      const entries = [{ id: '1', weight: 400, endsAt: 0, isForeign: false }];
      const once = doubtLimits({ ...emptyState, limits: [perMinute(500)], entries }, 1, 0);
      assert.equal(doubtLimits(once, 1, 0), once);
    },
  },
  {
    habit: 'exchange information cannot be read, but was once',
    source: 'Binance',
    sees: 'the limits known last, not the assumed ones',
    check: async () => {
      const { client, rateLimiter } = clientOf(() => 1000, 'before');
      await client.accounts();
      assert.equal(rateLimiter.usage.limit, 120);
    },
  },
]);

describe('a pause', () => {
  const longPause = { limits: [perMinute(1000)], learnedAt: 1e15, pausedUntil: now + 7_200_000 };
  const read = {
    operation: 'accounts',
    weight: 5,
    priority: 'interactive',
    maxDurationMs: 1000,
  } as const;

  it('of more than 15 minutes lets one request go each time that a person retries, and ends when that succeeds', async () => {
    const store = createMemoryStore(longPause);
    const limiter = new RateLimiter({ store, clock: new FakeClock(now), share: () => 1 });
    assert.ok(limiter.allowOneInPause());
    (await limiter.acquire(read)).complete({ kind: 'limited', retryAfterMs: 7_200_000 });
    assert.equal((await failureOf(limiter.acquire(read))).sent, 'no');
    assert.ok(limiter.allowOneInPause());
    const tried = await limiter.acquire(read);
    tried.complete({ kind: 'answered' });
    tried.succeed();
    assert.equal(limiter.usage.pausedUntil, undefined);
    limiter.dispose();
  });

  it('of less lets none go', async () => {
    const store = createMemoryStore({ ...longPause, pausedUntil: now + 899_000 });
    const limiter = new RateLimiter({ store, clock: new FakeClock(now), share: () => 1 });
    assert.equal(limiter.allowOneInPause(), false);
    assert.equal((await failureOf(limiter.acquire(read))).sent, 'no');
    limiter.dispose();
  });
});

/** What a person, or a fault of a disk, may have put where a figure was. */
const tamperedValues = [
  ...[1e308, -1e308, 9e15, -9e15, 1e12, -1, 0, 0.1, 5, 4e9],
  ...['7', '', null, true, [], {}],
];

describe('a rate-limit file that was tampered with', () => {
  const entry = { id: 'ours-until-1', weight: 7, endsAt: now - 10, isForeign: false };
  const whole = {
    entries: [entry, { ...entry, id: 'others', isForeign: true, shortestMs: minuteMs }],
    ...{ limits: [perMinute(500)], learnedAt: now - 5000, lastSentAt: now - 10 },
    ...{ pausedUntil: now + 9000, passed: [{ id: '1', operation: 'accounts' }] },
    ...{ bulkSpentAt: now - 1, writtenAt: { wallMs: now, steadyMs: 100 } },
  };
  const text = JSON.stringify(whole);
  const figures = [...text.matchAll(/(?<=:)-?[\d.]+/g)].map(({ 0: figure, index }) => ({
    index,
    end: index + figure.length,
  }));

  it('never makes a wait endless, and is whole again after the next change', () => {
    const value = fc.constantFrom(...tamperedValues.map((one) => JSON.stringify(one)), '1e999');
    const changes = fc.array(fc.tuple(fc.nat(figures.length - 1), value), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(changes, fc.constantFrom(0.01, 0.5, 1), (changed, share) => {
        let tampered = text;
        const byPlace = new Map(changed);
        for (const [place, by] of [...byPlace].toSorted(([one], [other]) => other - one)) {
          const { index = 0, end = 0 } = figures[place] ?? {};
          tampered = tampered.slice(0, index) + by + tampered.slice(end);
        }
        const parsed = parseState(tampered);
        if (!parsed) return;
        const clocks = { wallMs: now, steadyMs: 1000 };
        const state = fromFileTimes(parsed, clocks);
        const clock = new FakeClock(1000);
        const limiter = new RateLimiter({
          store: createMemoryStore(state),
          clock,
          share: () => share,
        });
        const waitMs = limiter.cancelAllReadyAt - clock.now();
        assert.ok(waitMs <= 32 * 86_400_000, `${waitMs} ms of ${tampered}`);
        for (const figure of Object.values(limiter.usage))
          if (typeof figure === 'number') assert.ok(Number.isFinite(figure), tampered);
        limiter.dispose();
        assert.ok(
          parseState(JSON.stringify(toFileTimes(compactState(state, 1000), clocks))),
          tampered,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
