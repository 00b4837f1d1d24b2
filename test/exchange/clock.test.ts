import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { systemClock, type Clock } from '../../src/base/time.ts';
import { defaultHmacQuery, presetScheme } from '../../src/exchange/auth/scheme.ts';
import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { ErrorKind } from '../../src/exchange/exchangeError.ts';
import { operationNames } from '../../src/api/operations.ts';
import { anAccount, wire } from '../support/builders.ts';
import { cancelAllOverHttp, type CancelAllOverHttp } from '../support/cancelAllOverHttp.ts';
import { cancelAllOf, ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { errorOf, failureOf } from '../support/failureOf.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';
import { readHistory } from '../support/historyRequest.ts';

const aheadMs = 90_000;
const aheadClock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };
const accounts = '/api/v1/accounts';
const information = '/api/v1/system/exchangeInfo';

const kindOf = async (call: Promise<unknown>): Promise<ErrorKind> => (await failureOf(call)).kind;

const pathsOf = ({ requests }: HostileServer) => requests.map(({ path }) => path.split('?')[0]);

describe('a read that is refused for its time', () => {
  const serve = serversOfEachTest();
  const refusal = '{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow."}';

  /** Takes a timestamp within 5 s of its clock, which its Date shows. */
  const venue = (words = refusal) =>
    serve((request, response) => {
      response.setHeader('date', new Date(aheadClock.now()).toUTCString());
      const { searchParams } = new URL(request.url ?? '', 'http://host');
      const awayMs = Math.abs(Number(searchParams.get('timestamp')) - aheadClock.now());
      return awayMs > 5000 ? response.writeHead(400).end(words) : response.end(wire(anAccount()));
    });

  it('is not read if the error is unrelated or nothing was signed', async () => {
    const server = await venue('{"msg":"Unknown symbol."}');
    assert.equal(await kindOf(clientFor(server).accounts()), 'refused');
    const timely = await venue();
    assert.equal(await kindOf(clientFor(timely, { signedOperations: [] }).accounts()), 'refused');
    const bearer = { auth: presetScheme('bearer'), credentials: { token: 'a-token' } } as const;
    assert.equal(await kindOf(clientFor(timely, bearer).accounts()), 'refused');
    assert.deepEqual([...pathsOf(server), ...pathsOf(timely)], [accounts, accounts, accounts]);
  });

  it('may be exchange information itself, when that is signed', async () => {
    const server = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://host');
      response.setHeader('date', new Date(aheadClock.now()).toUTCString());
      const awayMs = Math.abs(Number(searchParams.get('timestamp')) - aheadClock.now());
      if (awayMs > 5000) return response.writeHead(401).end(refusal);
      return response.end(
        `{"serverTime":${aheadClock.now()},"symbols":[],"rateLimits":[],"timezone":"UTC"}`,
      );
    });
    const client = clientFor(server, { auth: defaultHmacQuery, signedOperations: operationNames });
    await client.exchangeInfo();
    assert.equal(server.requests.length, 3);
  });
});

describe('a window whose clock is ten minutes ahead and that reads no exchange information', () => {
  const serve = serversOfEachTest();
  const skewMs = 600_000;
  const clock: Clock = { ...systemClock, now: () => Date.now() + skewMs };
  const bearer = {
    auth: presetScheme('bearer'),
    credentials: { token: 'a-token' },
    clock,
  } as const;
  const emptyPage = '{"content":[],"size":0,"totalPages":0,"totalElements":0}';
  /** Milliseconds between its clock and the exchange's, as far as it knows. */
  const clockErrorOf = (client: ExchangeClient) => Math.abs(client.clockAheadMs + skewMs);

  it('learns the exchange’s time to a second from any answer', async () => {
    const server = await serve((_request, response) => response.end(emptyPage));
    const client = clientFor(server, bearer);
    await readHistory(client, 'trades');
    assert.ok(clockErrorOf(client) <= 1000, String(client.clockAheadMs));
    assert.ok(!pathsOf(server).includes(information));
  });

  const unrelatedServers: [string, RequestListener][] = [
    ['a cache', (_request, response) => response.writeHead(200, { age: '7' }).end(emptyPage)],
    ['a page in its place', (_request, response) => response.end('<html>Sign in</html>')],
    ['a refusal', (_request, response) => response.writeHead(403).end('{"message":"no"}')],
  ];
  for (const [source, answer] of unrelatedServers)
    it(`learns nothing from the Date of ${source}`, async () => {
      const server = await serve((request, response) => {
        response.setHeader('date', new Date(0).toUTCString());
        answer(request, response);
      });
      const client = clientFor(server, bearer);
      await readHistory(client, 'trades').catch(() => undefined);
      assert.equal(client.clockAheadMs, 0);
    });
});

describe('a cancel-all whose first request is signed with a wrong clock', () => {
  const serve = serversOfEachTest();
  const skewMs = 600_000;
  const refusal = '{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow."}';
  const runners: CancelAllOverHttp[] = [];
  afterEach(() => {
    for (const { dispose } of runners.splice(0)) dispose();
  });

  /** Its clock is wrong by this much, and it has read nothing. */
  function windowAt(server: HostileServer, wrongByMs: number): CancelAllOverHttp {
    const clock: Clock = { ...systemClock, now: () => Date.now() + wrongByMs };
    const rateLimiter = ampleRateLimiter();
    const client = clientFor(server, { clock, rateLimiter });
    const runner = cancelAllOverHttp({ client, url: server.url, rateLimiter });
    runners.push(runner);
    return runner;
  }

  /** Takes a DELETE within 5 s of its time; answers each read with this status. */
  const exchangeWithoutReads = (status: number, headers: Record<string, string> = {}) =>
    serve((request, response) => {
      if (request.method === 'GET') return response.writeHead(status, headers).end();
      return isTimely(request) ? response.end('[]') : response.writeHead(401).end(refusal);
    });

  const deletesAt = ({ requests }: HostileServer): number =>
    requests.filter(({ method }) => method === 'DELETE').length;

  const emergencies: [string, number, Record<string, string>][] = [
    ['in a pause of the exchange', 429, { 'retry-after': '60' }],
    ['while reads fail', 503, {}],
  ];
  for (const [situation, status, headers] of emergencies)
    for (const wrongByMs of [skewMs, -skewMs])
      it(`is accepted at the second press ${situation}, with a clock wrong by ${wrongByMs} ms`, async () => {
        const server = await exchangeWithoutReads(status, headers);
        const runner = windowAt(server, wrongByMs);
        await assert.rejects(runner.client.list('feeTiers'));
        const outcomes: (string | undefined)[] = [];
        for (let press = 1; press <= 3; press += 1) {
          await runner.cancelAll.run();
          assert.equal(deletesAt(server), press);
          outcomes.push(runner.reports.at(-1)?.outcome);
        }
        assert.deepEqual(outcomes, ['refused', 'unverified', 'unverified']);
        assert.ok(Math.abs(runner.client.clockAheadMs + wrongByMs) <= 1000);
      });

  const unrelatedAnswers: [string, RequestListener][] = [
    ['a cache', (_request, response) => response.writeHead(401, { age: '7' }).end(refusal)],
    ['a gateway that fails', (_request, response) => response.writeHead(502).end(refusal)],
    ['a page with 403', (_request, response) => response.writeHead(403).end('<html>Timestamp')],
    ['a page with 401', (_request, response) => response.writeHead(401).end('<html>Sign in')],
    ['another refusal', (_request, response) => response.writeHead(403).end('{"msg":"no"}')],
  ];
  for (const [source, answer] of unrelatedAnswers)
    it(`learns nothing from the Date of ${source}`, async () => {
      const server = await serve((request, response) => {
        response.setHeader('date', new Date(0).toUTCString());
        answer(request, response);
      });
      const client = clientFor(server);
      await errorOf(cancelAllOf(client));
      assert.deepEqual([client.clockAheadMs, deletesAt(server)], [0, 1]);
    });

  it('learns nothing if the DELETE carries no time', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('date', new Date(0).toUTCString());
      response.writeHead(401).end(refusal);
    });
    const client = clientFor(server, { auth: presetScheme('bearer'), credentials: { token: 't' } });
    await errorOf(cancelAllOf(client));
    assert.deepEqual([client.clockAheadMs, deletesAt(server)], [0, 1]);
  });
});

/** Whether a request is signed within 5 s of this machine's time. */
function isTimely({ url = '' }: IncomingMessage): boolean {
  const timestamp = new URL(url, 'http://host').searchParams.get('timestamp');
  return Math.abs(Number(timestamp) - Date.now()) <= 5000;
}
