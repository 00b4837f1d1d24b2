import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { booksInMemory } from '../../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { worstFixed, worstSliding } from '../support/arrivals.ts';
import { ampleLedger, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { asDate, inSeconds } from '../support/hostileExchange/limit.ts';
import { exchangesOfEachTest } from '../support/hostileExchange.ts';

const minuteMs = 60_000;

describe('an exchange that says that its limit was passed', () => {
  const start = exchangesOfEachTest();
  const limit = { weight: 0, windowMs: minuteMs, window: 'sliding', status: 429 } as const;

  const pauses: [string, (() => string) | undefined, number][] = [
    ['in seconds', () => inSeconds(30_000), 30_000],
    ['by a date', () => asDate(30_000), 30_000],
    ['as nothing', () => inSeconds(0), 1000],
    ['by a date that has passed', () => asDate(-30_000), 1000],
    ['by nonsense', () => 'soon', minuteMs],
    ['below zero', () => '-1', minuteMs],
    ['beyond all patience', () => '999999', 15 * minuteMs],
    ['not at all', undefined, minuteMs],
  ];
  for (const [how, retryAfter, pauseMs] of pauses)
    it(`and how long ${how} is left alone for ${pauseMs / 1000} s`, async () => {
      const ledger = ampleLedger();
      const exchange = await start({ limit: { ...limit, ...(retryAfter && { retryAfter }) } });
      const client = clientFor(exchange, { ledger });
      const before = Date.now();
      const failure = await failureOf(client.cancelAll());
      assert.deepEqual([failure.kind, failure.sent], ['rateLimited', 'yes']);
      const untilMs = (ledger.standing.frozenUntil ?? before) - before;
      assert.ok(untilMs > pauseMs - 1000 && untilMs < pauseMs + 3000, String(untilMs));
      ledger.dispose();
    });
});

describe('requests in every mix, with uneven ways', () => {
  const start = exchangesOfEachTest();

  it('never have more weight arrive in a window than the limit, however it is counted', async () => {
    const [weight, windowMs] = [100, 1000];
    const exchange = await start({ uplinkMs: () => 1 + Math.random() * 40 });
    const books = { limits: [{ weight, windowMs }], learnedAt: Number.MAX_SAFE_INTEGER };
    const ledger = new WeightLedger({
      store: booksInMemory(books),
      clock: systemClock,
      share: () => 1,
    });
    const client = clientFor(exchange, { ledger }).at('refresh');
    const calls = Array.from({ length: 60 }, (_none, index) =>
      index % 3 === 0
        ? client.orders({ page: 0 })
        : index % 3 === 1
          ? client.accounts()
          : client.feeTiers(),
    );
    await Promise.all(calls);
    const worst = [
      worstSliding(exchange.arrivals, windowMs),
      worstFixed(exchange.arrivals, windowMs),
    ];
    assert.ok(Math.max(...worst) <= weight, worst.join(' '));
    assert.ok(
      Math.max(...worst) > weight / 2,
      `the limit was hardly approached: ${worst.join(' ')}`,
    );
    ledger.dispose();
  });
});
