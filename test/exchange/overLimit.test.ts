import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/time.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { asDate, inSeconds } from '../support/hostileExchange/limit.ts';
import { readHistory } from '../support/historyRequest.ts';

const minuteMs = 60_000;

describe('an exchange that reports an exceeded limit', () => {
  const start = exchangesOfEachTest();
  const limit = { weight: 0, windowMs: minuteMs } as const;

  const pauses: [string, (() => string) | undefined, number][] = [
    ['in seconds', () => inSeconds(30_000), 30_000],
    ['as a date', () => asDate(30_000), 30_000],
    ['as nothing', () => inSeconds(0), 1000],
    ['as a date in the past', () => asDate(-30_000), 1000],
    ['as nonsense', () => 'soon', minuteMs],
    ['as less than zero', () => '-1', minuteMs],
    ['as eleven days', () => '999999', 15 * minuteMs],
    ['not at all', undefined, minuteMs],
  ];
  for (const [how, retryAfter, pauseMs] of pauses)
    it(`and gives the pause ${how} gets no request for ${pauseMs / 1000} s`, async () => {
      const rateLimiter = ampleRateLimiter();
      const exchange = await start({ limit: { ...limit, ...(retryAfter && { retryAfter }) } });
      const client = clientFor(exchange, { rateLimiter });
      const before = Date.now();
      const failure = await failureOf(client.cancelAll());
      assert.deepEqual([failure.kind, failure.sent], ['rateLimited', 'yes']);
      const untilMs = (rateLimiter.usage.pausedUntil ?? before) - before;
      assert.ok(untilMs > pauseMs - 1000 && untilMs < pauseMs + 3000, String(untilMs));
      rateLimiter.dispose();
    });
});

describe('a mix of requests with uneven delays', () => {
  const start = exchangesOfEachTest();

  it('never exceeds the limit in any window, as the exchange counts it', async () => {
    const [weight, windowMs] = [100, 1000];
    const exchange = await start({ uplinkMs: () => 1 + Math.random() * 40 });
    const state = { limits: [{ weight, windowMs }], learnedAt: Number.MAX_SAFE_INTEGER };
    const rateLimiter = new RateLimiter({
      store: createMemoryStore(state),
      clock: systemClock,
      share: () => 1,
    });
    const client = clientFor(exchange, { rateLimiter });
    const calls = Array.from({ length: 60 }, (_none, index) =>
      index % 3 === 0
        ? readHistory(client, 'orders', {}, { priority: 'refresh' })
        : index % 3 === 1
          ? client.accounts({ priority: 'refresh' })
          : client.feeTiers({ priority: 'refresh' }),
    );
    await Promise.all(calls);
    const worst = [
      worstSliding(exchange.arrivals, windowMs),
      worstFixed(exchange.arrivals, windowMs),
    ];
    assert.ok(Math.max(...worst) <= weight, worst.join(' '));
    assert.ok(
      Math.max(...worst) > weight / 2,
      `the limit was never approached: ${worst.join(' ')}`,
    );
    rateLimiter.dispose();
  });
});
