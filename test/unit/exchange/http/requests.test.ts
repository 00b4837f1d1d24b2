import assert from 'node:assert/strict';
import { sleep } from '../../../../src/base/abort.ts';
import { defaultHmacQuery } from '../../../../src/exchange/auth/scheme.ts';
import { ExchangeClient } from '../../../../src/exchange/client.ts';
import { defaultConventions } from '../../../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../../../src/exchange/history/exchangeConventions.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import type { Fetch, FetchRequest } from '../../../../src/exchange/http/fetch.ts';
import { createMemoryStore } from '../../../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../../../src/exchange/rateLimit/rateLimiter.ts';
import { english } from '../../../support/english.ts';
import { cancelAllOf, ampleRateLimiter } from '../../../support/exchangeClient.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { wallClockJumps } from '../../../support/wallClockJumps.ts';

const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield await Promise.resolve(megabyte);
}

function clientOf(
  fetch: Fetch,
  clock: FakeClock,
  rateLimiter = ampleRateLimiter(),
): ExchangeClient {
  return new ExchangeClient({
    baseUrl: 'https://host.example/prefix',
    auth: defaultHmacQuery,
    credentials: { apiKey: 'the-key', apiSecret: 'the-secret' },
    fetch,
    clock,
    rateLimiter,
    conventions: new ExchangeConventions(defaultConventions),
  });
}

/** What the transport gave its fetch, and what it made of `bodyMegabytes` of spaces. */
async function send(
  bodyMegabytes: number,
): Promise<{ url: string; request: FetchRequest; error: unknown }> {
  const seen: { url: string; request: FetchRequest }[] = [];
  const fetch: Fetch = (url, request) => {
    seen.push({ url, request });
    return Promise.resolve({
      status: 200,
      headers: { get: () => null },
      body: megabytes(bodyMegabytes),
    });
  };
  const error: unknown = await clientOf(fetch, new FakeClock(1000))
    .accounts()
    .catch((thrown: unknown) => thrown);
  return { ...(seen[0] ?? assert.fail('nothing was sent')), error };
}

describe('a request', () => {
  it('reads 8 MB, and not a byte more', async () => {
    const within = (await send(8)).error;
    assert.ok(within instanceof ExchangeError && within.failure.kind === 'malformed');
    const beyond = (await send(9)).error;
    assert.ok(beyond instanceof ExchangeError);
    assert.deepEqual([beyond.failure.kind, english(beyond.failure.detail)], ['tooLarge', '8 MB']);
  });

  for (const [operation, priority] of [
    ['accounts', 'bulk'],
    ['cancelAll', 'cancel'],
  ] as const)
    for (const answers of [false, true]) {
      const what = `${operation} 20 seconds${answers ? ', body included' : ''}`;
      it(`allows ${what}, by default, and leaves no timer`, async () => {
        const clock = new FakeClock();
        const fetch: Fetch = (_url, { signal }) => {
          const ended = new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
          ended.catch(() => undefined);
          const body = { [Symbol.asyncIterator]: () => ({ next: () => ended }) };
          const response = { status: 200, headers: { get: () => null }, body };
          return answers ? Promise.resolve(response) : ended;
        };
        const client = clientOf(fetch, clock);
        const sending =
          operation === 'accounts' ? client.accounts({ priority }) : cancelAllOf(client);
        let hasEnded = false;
        sending.catch(() => (hasEnded = true));
        await clock.advance(19_999);
        assert.ok(!hasEnded);
        await clock.advance(1);
        assert.ok(hasEnded);
        await assert.rejects(sending, (error: unknown) => {
          assert.ok(error instanceof ExchangeError);
          const { kind, sent } = error.failure;
          assert.deepEqual([kind, sent], ['timeout', answers ? 'yes' : 'maybe']);
          return true;
        });
        assert.equal(clock.waiting, 0);
      });
    }

  /** Each request is answered 503 when it has taken so long. */
  const unavailableAfter =
    (clock: FakeClock, delayMs: number, sentAt: number[]): Fetch =>
    async (_url, { signal }) => {
      sentAt.push(clock.steadyNow());
      await sleep(clock, delayMs, signal);
      return { status: 503, headers: { get: () => null }, body: megabytes(0) };
    };

  for (const [name, aheadMs] of wallClockJumps)
    it(`tries a refresh three times while the wall clock is ${name}`, async () => {
      const clock = new FakeClock(0);
      const sentAt: number[] = [];
      const client = clientOf(unavailableAfter(clock, 1000, sentAt), clock);
      const asked = client.accounts({ priority: 'refresh' });
      asked.catch(() => undefined);
      for (let jump = 0; jump < 4; jump += 1) {
        await clock.advance(500);
        clock.setAhead(aheadMs);
      }
      await clock.advance(60_000);
      await assert.rejects(asked);
      assert.equal(sentAt.length, 3);
    });

  it('gives the requests of a refresh one deadline together, and reports the failure before it', async () => {
    const clock = new FakeClock(0);
    const sentAt: number[] = [];
    const client = clientOf(unavailableAfter(clock, 15_000, sentAt), clock);
    const asked = client.accounts({ priority: 'refresh' });
    let endedAt = 0;
    asked.catch(() => (endedAt = clock.now()));
    await clock.advance(60_000);
    await assert.rejects(asked, (error: unknown) => {
      assert.ok(error instanceof ExchangeError);
      assert.deepEqual([error.failure.kind, error.failure.status], ['server', 503]);
      return true;
    });
    assert.equal(sentAt.length, 2);
    assert.equal(endedAt, 20_000);
    assert.equal(clock.waiting, 0);
  });

  it('gives the requests of an export three deadlines together, without the wait for weight', async () => {
    const clock = new FakeClock(0);
    const sentAt: number[] = [];
    const limits = [{ weight: 14, windowMs: 60_000 }];
    const rateLimiter = new RateLimiter({
      store: createMemoryStore({ limits }),
      clock,
      share: () => 1,
    });
    const client = clientOf(unavailableAfter(clock, 18_000, sentAt), clock, rateLimiter);
    const asked = client.accounts({ priority: 'bulk' });
    asked.catch(() => undefined);
    await clock.advance(300_000);
    await assert.rejects(asked, ExchangeError);
    assert.equal(sentAt.length, 3);
    assert.ok(sentAt.every((at, index) => index === 0 || at - (sentAt[index - 1] ?? 0) > 70_000));
    rateLimiter.dispose();
  });

  it('charges no weight for a request that was aborted at any moment before it left', async () => {
    for (let moments = 0; moments < 40; moments += 1) {
      const rateLimiter = ampleRateLimiter();
      let left = 0;
      const fetch: Fetch = () => {
        left += 1;
        return Promise.reject(new Error('lost'));
      };
      const controller = new AbortController();
      const { signal } = controller;
      const sent = clientOf(fetch, new FakeClock(), rateLimiter).accounts({ signal });
      const ended = sent.catch(() => undefined);
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      controller.abort();
      await ended;
      await rateLimiter.flushed();
      assert.equal(rateLimiter.usage.used, 5 * left, `aborted after ${moments} moments`);
      rateLimiter.dispose();
    }
  });
});
