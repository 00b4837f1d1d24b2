import assert from 'node:assert/strict';
import { pause } from '../../../src/base/deadline.ts';
import { booksInMemory } from '../../../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../../../src/exchange/ledger/weightLedger.ts';
import { defaultHmacQuery } from '../../../src/exchange/auth/scheme.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import type { Fetch, FetchRequest } from '../../../src/exchange/fetch.ts';
import { Transport } from '../../../src/exchange/transport.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { english } from '../../support/english.ts';

const asItIs = (answer: unknown) => answer;
const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield await Promise.resolve(megabyte);
}

function transportOf(fetch: Fetch, clock: FakeClock, ledger = ampleLedger()): Transport {
  return new Transport({
    baseUrl: 'https://host.example/prefix',
    auth: defaultHmacQuery,
    credentials: { apiKey: 'the-key', apiSecret: 'the-secret' },
    fetch,
    clock,
    ledger,
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
  const error: unknown = await transportOf(fetch, new FakeClock(1000))
    .send('accounts', [], { priority: 'interactive' }, asItIs)
    .catch((thrown: unknown) => thrown);
  return { ...(seen[0] ?? assert.fail('nothing was sent')), error };
}

describe('the transport', () => {
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
      it(`gives ${what}, unless told otherwise, and leaves no timer`, async () => {
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
        const sending = transportOf(fetch, clock).send(operation, [], { priority }, asItIs);
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
      sentAt.push(clock.now());
      await pause(clock, delayMs, signal);
      return { status: 503, headers: { get: () => null }, body: megabytes(0) };
    };

  it('gives the requests of a refresh one deadline together, and tells what stood before it', async () => {
    const clock = new FakeClock(0);
    const sentAt: number[] = [];
    const transport = transportOf(unavailableAfter(clock, 15_000, sentAt), clock);
    const asked = transport.send('accounts', [], { priority: 'refresh' }, asItIs);
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

  it('gives those of bulk three deadlines together, and counts no wait for weight', async () => {
    const clock = new FakeClock(0);
    const sentAt: number[] = [];
    const limits = [{ weight: 14, windowMs: 60_000 }];
    const ledger = new WeightLedger({ store: booksInMemory({ limits }), clock, share: () => 1 });
    const transport = transportOf(unavailableAfter(clock, 18_000, sentAt), clock, ledger);
    const asked = transport.send('accounts', [], { priority: 'bulk' }, asItIs);
    asked.catch(() => undefined);
    await clock.advance(300_000);
    await assert.rejects(asked, ExchangeError);
    assert.equal(sentAt.length, 3);
    assert.ok(sentAt.every((at, index) => index === 0 || at - (sentAt[index - 1] ?? 0) > 70_000));
    ledger.dispose();
  });

  it('asks the fetch never to follow, and puts the key in its header and nowhere else', async () => {
    const { url, request } = await send(0);
    assert.equal(request.redirect, 'manual');
    assert.equal(request.method, 'GET');
    assert.deepEqual(request.headers, { accept: 'application/json', 'X-API-KEY': 'the-key' });
    assert.match(
      url,
      /^https:\/\/host\.example\/prefix\/api\/v1\/accounts\?timestamp=1000&signature=[0-9a-f]{64}$/,
    );
  });

  it('leaves nothing booked of what was aborted at any moment before it left', async () => {
    for (let moments = 0; moments < 40; moments += 1) {
      const ledger = ampleLedger();
      let left = 0;
      const fetch: Fetch = () => {
        left += 1;
        return Promise.reject(new Error('lost'));
      };
      const controller = new AbortController();
      const { signal } = controller;
      const sending = { priority: 'interactive', signal, isOnce: true } as const;
      const sent = transportOf(fetch, new FakeClock(), ledger).send(
        'accounts',
        [],
        sending,
        (answer) => answer,
      );
      const ended = sent.catch(() => undefined);
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      controller.abort();
      await ended;
      await ledger.settled();
      assert.equal(ledger.standing.used, 5 * left, `aborted after ${moments} moments`);
      ledger.dispose();
    }
  });
});
