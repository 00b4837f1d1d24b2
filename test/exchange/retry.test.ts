import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { FetcherName } from '../../src/exchange/http/fetch.ts';
import type { RequestLogEntry } from '../../src/exchange/http/requestLog.ts';
import type { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { cancelAllOf, ampleRateLimiter, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import {
  accountReads,
  hostileServer,
  serversOfEachTest,
  type HostileServer,
} from '../support/hostileServer.ts';

const words = (message: string): string => JSON.stringify({ message });
type Answer = (response: ServerResponse) => void;
const status =
  (code: number, body = words('no'), headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);
const cutAfter =
  (body: string, code = 200): Answer =>
  (response) => {
    response.writeHead(code, { 'content-length': '1000' }).flushHeaders();
    if (body) response.write(body);
    setImmediate(() => response.req.socket.destroy());
  };
const good: Answer = (response) => response.end(wire(anAccount()));
const resetBeforeHead: Answer = ({ req }) => req.socket.destroy();
const resetAfterHead = cutAfter('');
const cutBody = cutAfter('[{"symbol":');
/** Challenges that a client with a stored password would answer. */
const basic = { 'www-authenticate': 'Basic realm="x"', 'proxy-authenticate': 'Basic realm="x"' };
const atOnce = { 'retry-after': '0' };
const silence: Answer = () => undefined;

for (const fetcher of ['node-fetch', 'vscode'] as const satisfies readonly FetcherName[]) {
  describe(`a read over ${fetcher}`, () => {
    const serve = serversOfEachTest();
    let rateLimiter: RateLimiter;
    let records: RequestLogEntry[];
    beforeEach(() => {
      rateLimiter = ampleRateLimiter();
      records = [];
    });
    afterEach(() => rateLimiter.dispose());

    /** A client of a server that gives one answer after the other, and repeats the last. */
    async function clientOf(...answers: [Answer, ...Answer[]]) {
      const server = await serve((_request, response) => {
        const answer = answers[Math.min(server.requests.length, answers.length) - 1];
        answer?.(response);
      });
      const onRequest = (record: RequestLogEntry): void => void records.push(record);
      return { server, client: clientFor(server, { fetcher, rateLimiter, onRequest }) };
    }

    /** Every request that reached the server was counted, and nothing else. */
    async function assertCounted({ requests }: HostileServer, weight: number): Promise<void> {
      await rateLimiter.flushed();
      assert.equal(rateLimiter.usage.used, requests.length * weight);
      const found = records.reduce((sum, record) => sum + record.weight, 0);
      assert.equal(found, requests.length * weight);
    }

    const statuses = (...codes: number[]) =>
      codes.map((code): [string, Answer] => [`a ${code}`, status(code)]);
    const passing: [string, Answer][] = [
      ['a connection that is reset before the answer', resetBeforeHead],
      ['a connection that is reset after the head', resetAfterHead],
      ['a body that is cut', cutBody],
      ...statuses(408, 425, 500, 502, 503, 504),
    ];
    for (const [name, fault] of passing)
      it(`is sent three times at most after ${name}; each attempt is counted and logged`, async () => {
        for (const third of [good, fault]) {
          rateLimiter.dispose();
          [rateLimiter, records] = [ampleRateLimiter(), []];
          const { server, client } = await clientOf(fault, fault, third);
          if (third === fault) await failureOf(client.accounts());
          else assert.equal((await client.accounts()).value.equity, '12012.5');
          const attempts = records.map(({ attempt }) => attempt);
          assert.deepEqual(attempts, [1, 2, 3]);
          assert.equal(server.requests.length, 3);
          await assertCounted(server, 5);
        }
      });

    it('is sent three times at most after a 429 whose pause is short, with the limits read in between', async () => {
      const slow = status(429, words('slow'), atOnce);
      const server = await serve((request, response) => {
        if (request.url?.includes('exchangeInfo')) response.end('{"rateLimits":[],"symbols":[]}');
        else slow(response);
      });
      const onRequest = (record: RequestLogEntry): void => void records.push(record);
      const client = clientFor(server, { fetcher, rateLimiter, onRequest });
      await failureOf(client.accounts());
      assert.equal(Math.max(...records.map(({ attempt }) => attempt)), 3);
      assert.equal(accountReads(server).length, 3);
      const sent = server.requests.map(({ path }) => path.includes('exchangeInfo'));
      assert.deepEqual(sent, [false, true, false, true, false]);
      assert.equal(records.length, sent.length);
    });

    const lasting: [string, Answer][] = [
      ...statuses(400, 401, 403, 404, 418, 422),
      ['a redirect', status(302, '', { location: 'https://elsewhere.example/' })],
      ['an HTML page', status(200, '<html>')],
      ['an answer of another shape', status(200, '{"content":7}')],
      ['an error with the status of a success', status(200, '{"code":7,"msg":"no"}')],
      ['a 400 whose body is cut', cutAfter('{', 400)],
    ];
    for (const [name, fault] of lasting)
      it(`is not sent again after ${name}`, async () => {
        const { server, client } = await clientOf(fault);
        await failureOf(client.accounts());
        assert.equal(accountReads(server).length, 1);
      });

    it('is not sent again after a 407, and refused for that status', async () => {
      const { server, client } = await clientOf(status(407, words('no'), basic), good);
      const { kind, sent, status: code } = await failureOf(client.accounts());
      assert.deepEqual([kind, sent, code], ['refused', 'yes', 407]);
      assert.equal(server.requests.length, 1);
      await rateLimiter.flushed();
      assert.equal(rateLimiter.usage.used, 5);
    });

    it('counts twice after a 421: the fetcher may have sent it again', async () => {
      const { server, client } = await clientOf(status(421));
      await failureOf(client.accounts());
      await rateLimiter.flushed();
      assert.equal(server.requests.length, fetcher === 'vscode' ? 2 : 1);
      assert.equal(rateLimiter.usage.used, 10);
    });

    it('is not sent again if the pause is too long to wait for', async () => {
      const { server, client } = await clientOf(
        status(429, words('slow down'), { 'retry-after': '30' }),
      );
      const failure = await failureOf(client.accounts());
      assert.deepEqual(
        [failure.kind, failure.sent, failure.status, failure.serverWords, failure.retryAfterMs],
        ['rateLimited', 'yes', 429, 'slow down', 30_000],
      );
      assert.equal(server.requests.length, 1);
      assert.ok(rateLimiter.usage.pausedUntil);
      assert.equal(rateLimiter.usage.waiting, 1, 'only exchange information waits');
    });

    it('counts no weight if no server listens, in three attempts', async () => {
      const { server, client } = await clientOf(good);
      await server.close();
      const failure = await failureOf(client.accounts());
      assert.deepEqual([failure.sent, failure.connection], ['no', 'unreachable']);
      const shown = records.map(({ attempt, weight }) => [attempt, weight]);
      assert.deepEqual(
        shown,
        [1, 2, 3].map((attempt) => [attempt, 0]),
      );
      await rateLimiter.flushed();
      assert.equal(rateLimiter.usage.used, 0);
    });

    describe('that is aborted', () => {
      const points: [string, Answer][] = [
        ['before the head', silence],
        ['within the body', (response) => response.writeHead(200).write('{"upl":')],
        ['in the pause before the next attempt', status(500)],
        ['within the body of an error', (response) => response.writeHead(500).write('{')],
      ];
      for (const [name, answer] of points)
        it(`${name} ends immediately and leaves no timer, connection or intent`, async () => {
          const clock = new FakeClock(Date.now());
          let open = 0;
          const server = await serve((request, response) => {
            open += 1;
            request.socket.once('close', () => (open -= 1));
            answer(response);
          });
          const onRequest = (record: RequestLogEntry): void => void records.push(record);
          // The pause after a failure is half a second.
          const options = { fetcher, rateLimiter, clock, random: () => 1, onRequest };
          const client = clientFor(server, options);
          const controller = new AbortController();
          const asked = client.accounts({ signal: controller.signal });
          const rejected = assert.rejects(asked, /enough/);
          const isPause = name.startsWith('in the pause');
          await eventually('the point', () => (isPause ? records : server.requests).length === 1);
          await new Promise(setImmediate);
          controller.abort(new Error('enough'));
          await rejected;
          assert.equal(clock.waiting, 0);
          assert.equal(server.requests.length, 1);
          if (isPause) await server.close();
          await eventually('the connection to end', () => open === 0);
          await rateLimiter.flushed();
          assert.deepEqual([rateLimiter.usage.waiting, rateLimiter.usage.used], [0, 5]);
        });
    });
  });

  describe(`the DELETE over ${fetcher}`, () => {
    const serve = serversOfEachTest();
    it('is sent once if a kept connection closes as it arrives', async () => {
      const ports = new Set<number | undefined>();
      const server = await serve((request, response) => {
        ports.add(request.socket.remotePort);
        if (server.requests.length < 3) response.end('[]');
        else request.socket.destroy();
      });
      const client = clientFor(server, { fetcher });
      await cancelAllOf(client);
      await cancelAllOf(client);
      const failure = await failureOf(cancelAllOf(client));
      assert.deepEqual([failure.sent, failure.connection], ['maybe', 'closed']);
      assert.deepEqual([server.requests.length, ports.size], [3, 1]);
    });

    it('is tried once if no server listens', async () => {
      const server = await hostileServer(() => undefined);
      await server.close();
      const records: RequestLogEntry[] = [];
      const onRequest = (record: RequestLogEntry): void => void records.push(record);
      const failure = await failureOf(cancelAllOf(clientFor(server, { fetcher, onRequest })));
      assert.deepEqual([failure.sent, failure.detail], ['no', 'ECONNREFUSED']);
      const seen = records.map(({ method, attempt }) => [method, attempt]);
      assert.deepEqual(seen, [['DELETE', 1]]);
    });
  });
}
