import assert from 'node:assert/strict';
import { ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';
import { asDate, inSeconds } from '../support/hostileExchange/limit.ts';

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
