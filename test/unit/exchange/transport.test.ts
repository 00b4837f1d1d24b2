import assert from 'node:assert/strict';
import { defaultHmacQuery } from '../../../src/exchange/auth/scheme.ts';
import { ExchangeError } from '../../../src/exchange/errors.ts';
import type { Fetch, FetchRequest } from '../../../src/exchange/fetch.ts';
import { Transport } from '../../../src/exchange/transport.ts';
import { ampleLedger } from '../../support/exchangeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield await Promise.resolve(megabyte);
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
  const transport = new Transport({
    baseUrl: 'https://host.example/prefix',
    auth: defaultHmacQuery,
    credentials: { apiKey: 'the-key', apiSecret: 'the-secret' },
    fetch,
    clock: new FakeClock(1000),
    ledger: ampleLedger(),
  });
  const error: unknown = await transport
    .send('accounts', [], { priority: 'interactive' })
    .catch((thrown: unknown) => thrown);
  return { ...(seen[0] ?? assert.fail('nothing was sent')), error };
}

describe('the transport', () => {
  it('reads 8 MB, and not a byte more', async () => {
    const within = (await send(8)).error;
    assert.ok(within instanceof ExchangeError && within.failure.kind === 'malformed');
    const beyond = (await send(9)).error;
    assert.ok(beyond instanceof ExchangeError);
    assert.deepEqual([beyond.failure.kind, beyond.failure.detail], ['tooLarge', '8 MB']);
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
});
