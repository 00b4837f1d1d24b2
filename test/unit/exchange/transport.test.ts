import assert from 'node:assert/strict';
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
