import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/time.ts';
import type { RateLimitState } from '../../src/exchange/rateLimit/rateLimitState.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { eventually } from '../support/eventually.ts';
import {
  cancelAllOf,
  ampleRateLimiter,
  clientFor,
  markedCredentials,
} from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { readHistory } from '../support/historyRequest.ts';

function information(limit: number): string {
  const rateLimit = { intervalNum: 1, limit, interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' };
  return JSON.stringify({ rateLimits: [rateLimit], timezone: 'UTC', serverTime: 1, symbols: [] });
}

const sent = ({ requests }: HostileServer) =>
  requests.map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/').at(-1)}`);

describe('the rate limit of a client', () => {
  const serve = serversOfEachTest();
  let limiter: RateLimiter;
  const limiterOf = (state: Partial<RateLimitState>): RateLimiter =>
    new RateLimiter({ store: createMemoryStore(state), clock: systemClock, share: () => 1 });

  afterEach(() => limiter.dispose());

  /** A server that answers exchange information with `body`, other requests with an empty list. */
  const serveInformation = (body: string) =>
    serve((request, response) => response.end(request.url?.includes('exchangeInfo') ? body : '[]'));
  const serveLists = () => serve((_request, response) => response.end('[]'));
  const clientOf = (server: HostileServer) => clientFor(server, { rateLimiter: limiter });

  it('is read once, before anything else is sent', async () => {
    limiter = limiterOf({});
    const server = await serveInformation(information(70));
    const client = clientOf(server);
    await Promise.all([client.list('feeTiers'), client.list('leverage')]);
    assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure', 'GET leverage']);
    assert.deepEqual([limiter.usage.limit, limiter.usage.used], [70, 3]);
  });

  it('is read even if other fields are wrong, which are listed', async () => {
    const [limits = ''] = /"rateLimits":.*?\]/.exec(information(70)) ?? [];
    for (const [others, paths] of [
      ['"timezone":null,"serverTime":"soon","symbols":{}', ['timezone', 'serverTime', 'symbols']],
      ['"timezone":"UTC","symbols":[]', ['serverTime']],
    ] as const) {
      limiter = limiterOf({});
      const server = await serveInformation(`{${limits},${others}}`);
      const client = clientOf(server);
      await client.list('feeTiers');
      await client.list('feeTiers');
      assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure', 'GET structure']);
      assert.equal(limiter.usage.limit, 70);
      const { badRecords } = await client.exchangeInfo();
      const found = badRecords.map(({ path }) => path);
      assert.deepEqual(
        found,
        paths.map((field) => `$.${field}`),
      );
    }
  });

  it('is read once for all waiting requests; an aborted one ends immediately', async () => {
    limiter = limiterOf({});
    let answerInformation = (): void => assert.fail('no request');
    const server = await serve((request, response) => {
      if (!request.url?.includes('exchangeInfo')) response.end('[]');
      else answerInformation = () => response.end(information(70));
    });
    const client = clientOf(server);
    const caller = new AbortController();
    const given = assert.rejects(client.list('leverage', { signal: caller.signal }), /enough/);
    const others = client.list('feeTiers');
    await eventually('the request', () => server.requests.length === 1);
    caller.abort(new Error('enough'));
    await given;
    answerInformation();
    await others;
    assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure']);
  });

  it('is read before a cancel-all is planned, which waits at most two seconds for it', async () => {
    for (const isAnswered of [true, false]) {
      limiter = limiterOf({});
      const clock = new FakeClock();
      const server = await serve((request, response) => {
        if (isAnswered || !request.url?.includes('exchangeInfo'))
          response.end(request.url?.includes('exchangeInfo') ? information(70) : '[]');
      });
      const planned = clientFor(server, { rateLimiter: limiter, clock }).list('feeTiers', {
        priority: 'cancel',
      });
      await eventually('the request', () => server.requests.length > 0);
      if (!isAnswered) await clock.advance(2000);
      await planned;
      assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure']);
      assert.equal(limiter.usage.limit, isAnswered ? 70 : 1000);
      limiter.dispose();
    }
  });

  it('does not delay a cancel-all if it was ever read', async () => {
    limiter = limiterOf({ limits: [{ weight: 100, windowMs: 60_000 }], learnedAt: 0 });
    const server = await serveLists();
    await clientOf(server).list('feeTiers', { priority: 'cancel' });
    assert.deepEqual(sent(server), ['GET structure']);
  });

  it('is 1000 a minute while exchange information cannot be read', async () => {
    limiter = limiterOf({});
    const server = await serve((request, response) =>
      request.url?.includes('exchangeInfo') ? response.writeHead(500).end() : response.end('[]'),
    );
    const client = clientOf(server);
    await client.list('feeTiers');
    await client.list('feeTiers');
    const asked = Array<string>(3).fill('GET exchangeInfo');
    assert.deepEqual(sent(server), [...asked, 'GET structure', 'GET structure']);
    assert.equal(limiter.usage.limit, 1000);
  });

  it('reserves nothing for requests that cannot be signed or exceed the limit', async () => {
    limiter = ampleRateLimiter({ limits: [{ weight: 12, windowMs: 60_000 }] });
    const server = await serveLists();
    let reads = 0;
    const credentials = {
      apiKey: markedCredentials.apiKey,
      /** Readable when it is checked, and not when it is used. */
      get apiSecret() {
        if (++reads > 2) throw new Error('the key ring is locked');
        return markedCredentials.apiSecret;
      },
    };
    const client = clientFor(server, { rateLimiter: limiter, credentials });
    for (let round = 1; round <= 3; round += 1) {
      const failing = [cancelAllOf(client), readHistory(client, 'orders')].map(failureOf);
      const tiers = client.list('feeTiers');
      for (const { kind, sent: left } of await Promise.all(failing))
        assert.deepEqual([kind, left], ['configuration', 'no']);
      assert.deepEqual((await tiers).value, []);
      await limiter.flushed();
      assert.deepEqual([limiter.usage.used, limiter.usage.waiting], [round, 0]);
    }
    assert.deepEqual(new Set(sent(server)), new Set(['GET structure']));
  });

  it('counts what others used, according to a header', async () => {
    limiter = ampleRateLimiter();
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'X-MBX-USED-WEIGHT-1M': '640' }).end('[]'),
    );
    await clientOf(server).list('feeTiers');
    assert.equal(limiter.usage.used, 640);
  });

  for (const [status, headers, pauseMs] of [
    [429, { 'retry-after': '30' }, 30_000],
    [418, {}, 60_000],
    [503, { 'retry-after': '7200' }, 7_200_000],
  ] as const)
    it(`stops requests after a ${status}, except DELETEs and one read-back`, async () => {
      limiter = ampleRateLimiter();
      let isLimited = true;
      const server = await serve((_request, response) => {
        if (isLimited) response.writeHead(status, headers).end();
        else response.end('[]');
        isLimited = false;
      });
      const client = clientOf(server);
      await failureOf(client.accounts());
      const leftMs = (limiter.usage.pausedUntil ?? 0) - Date.now();
      assert.ok(leftMs > pauseMs - 5000 && leftMs <= pauseMs, String(leftMs));
      const held = await failureOf(client.list('feeTiers'));
      assert.deepEqual([held.kind, held.sent], ['rateLimited', 'no']);
      assert.deepEqual((await cancelAllOf(client)).value, []);
      await failureOf(client.accounts({ priority: 'cancel' }));
      assert.equal((await failureOf(client.accounts({ priority: 'cancel' }))).sent, 'no');
      await cancelAllOf(client);
      const requests = ['GET accounts', 'DELETE all', 'GET accounts', 'DELETE all'];
      assert.deepEqual(sent(server), requests);
    });
});
