import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { fateOf } from '../../src/account/cancelAll/outcome.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { Failure } from '../../src/exchange/errors.ts';
import type { FetcherName } from '../../src/exchange/fetch.ts';
import type { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import type { RequestRecord } from '../../src/exchange/requestRecord.ts';
import { anAccount, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { ampleLedger, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { hostileServer, serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';

const words = (message: string): string => JSON.stringify({ message });
const good = (response: ServerResponse): void => void response.end(wire(anAccount()));

type Answer = (response: ServerResponse) => void;
const status =
  (code: number, body = words('no'), headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);
const resetBeforeHead: Answer = ({ req }) => req.socket.destroy();
const resetAfterHead: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).flushHeaders();
  setImmediate(() => response.req.socket.destroy());
};
const cutBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('[{"symbol":');
  setImmediate(() => response.req.socket.destroy());
};
/** What a carrier that knows a password would answer by itself. */
const basic = { 'www-authenticate': 'Basic realm="x"', 'proxy-authenticate': 'Basic realm="x"' };
const silence: Answer = () => undefined;

/** The system's clock, and how many of its timers wait. */
function countedClock(): Clock & { readonly waiting: () => number } {
  let timers = 0;
  return {
    now: () => systemClock.now(),
    waiting: () => timers,
    after: (delayMs, callback) => {
      timers += 1;
      let isOver = false;
      const over = (): void => {
        if (!isOver) timers -= 1;
        isOver = true;
      };
      const stop = systemClock.after(delayMs, () => {
        over();
        callback();
      });
      return () => {
        over();
        stop();
      };
    },
  };
}

for (const fetcher of ['node-fetch', 'vscode'] as const satisfies readonly FetcherName[]) {
  describe(`a read over ${fetcher}`, () => {
    const serve = serversOfEachTest();
    let ledger: WeightLedger;
    let records: RequestRecord[];
    beforeEach(() => {
      ledger = ampleLedger();
      records = [];
    });
    afterEach(() => ledger.dispose());

    /** A client of a server that answers each request in turn, the last answer for ever. */
    async function clientOf(...answers: [Answer, ...Answer[]]) {
      const server = await serve((_request, response) => {
        const answer = answers[Math.min(server.requests.length, answers.length) - 1];
        answer?.(response);
      });
      const onRequest = (record: RequestRecord): void => void records.push(record);
      return { server, client: clientFor(server, { fetcher, ledger, onRequest }) };
    }

    /** Every request that reached the server was booked, and nothing else. */
    async function isPaid({ requests }: HostileServer, weight: number): Promise<void> {
      await ledger.settled();
      assert.equal(ledger.standing.used, requests.length * weight);
      assert.equal(
        records.reduce((sum, record) => sum + record.weight, 0),
        requests.length * weight,
      );
    }

    const passing: [string, Answer][] = [
      ['a connection that is reset before the answer', resetBeforeHead],
      ['a connection that is reset after the head', resetAfterHead],
      ['a body that is cut', cutBody],
      ...[408, 425, 500, 502, 503, 504].map((code): [string, Answer] => [
        `a ${code}`,
        status(code),
      ]),
      ['a 429 whose pause is short', status(429, words('slow'), { 'retry-after': '0' })],
    ];
    for (const [name, fault] of passing) {
      it(`is answered after ${name}, twice; each attempt is paid and logged`, async () => {
        const { server, client } = await clientOf(fault, fault, good);
        assert.equal((await client.accounts()).value.equity, '12012.5');
        assert.deepEqual(
          records.map(({ attempt }) => attempt),
          [1, 2, 3],
        );
        assert.equal(server.requests.length, 3);
        await isPaid(server, 5);
      });

      it(`fails with ${name} the third time`, async () => {
        const { server, client } = await clientOf(fault);
        await failureOf(client.accounts());
        assert.equal(server.requests.length, 3);
        await isPaid(server, 5);
      });
    }

    const lasting: [string, Answer][] = [
      ...[400, 401, 403, 404, 418, 422].map((code): [string, Answer] => [
        `a ${code}`,
        status(code),
      ]),
      ['a redirect', status(302, '', { location: 'https://elsewhere.example/' })],
      ['an HTML page', status(200, '<html>')],
      ['an answer of another shape', status(200, '{"content":7}')],
      ['an error with the status of a success', status(200, '{"code":7,"msg":"no"}')],
      [
        'a 400 whose body is cut',
        (response) => {
          response.writeHead(400, { 'content-length': '1000' }).write('{');
          setImmediate(() => response.req.socket.destroy());
        },
      ],
    ];
    for (const [name, fault] of lasting)
      it(`is not sent again after ${name}`, async () => {
        const { server, client } = await clientOf(fault);
        await failureOf(client.accounts());
        assert.equal(server.requests.length, 1);
      });

    it('is not sent again after a 407, and refused for that status', async () => {
      const { server, client } = await clientOf(status(407, words('no'), basic), good);
      const { kind, sent, status: code } = await failureOf(client.accounts());
      assert.deepEqual([kind, sent, code], ['refused', 'yes', 407]);
      assert.equal(server.requests.length, 1);
      await ledger.settled();
      assert.equal(ledger.standing.used, 5);
    });

    it('is booked twice after a 421: whoever carries it may have sent it again', async () => {
      const { server, client } = await clientOf(status(421));
      await failureOf(client.accounts());
      await ledger.settled();
      assert.equal(server.requests.length, fetcher === 'vscode' ? 2 : 1);
      assert.equal(ledger.standing.used, 10);
    });

    it('is not sent again where nobody can wait for the end of a pause: its failure stands', async () => {
      const { server, client } = await clientOf(
        status(429, words('slow down'), { 'retry-after': '30' }),
      );
      const failure = await failureOf(client.accounts());
      assert.deepEqual(
        [failure.kind, failure.sent, failure.status, failure.serverWords, failure.retryAfterMs],
        ['rateLimited', 'yes', 429, 'slow down', 30_000],
      );
      assert.equal(server.requests.length, 1);
      assert.ok(ledger.standing.frozenUntil);
      assert.equal(ledger.standing.waiting, 0);
    });

    it('is told of a pause at once where it is a refresh', async () => {
      const { server, client } = await clientOf(
        status(503, words('slow down'), { 'retry-after': '0' }),
      );
      await failureOf(client.at('refresh').accounts());
      assert.equal(server.requests.length, 1);
    });

    it('waits in the line for the end of a pause where it is bulk', async () => {
      const { server, client } = await clientOf(
        status(429, words('slow'), { 'retry-after': '1' }),
        good,
      );
      const startedAt = performance.now();
      await client.at('bulk').accounts();
      assert.ok(performance.now() - startedAt >= 990);
      assert.equal(server.requests.length, 2);
    });

    it('freezes the ledger for words of too many requests, whatever the status', async () => {
      for (const [code, body] of [
        [400, '{"code":-1003,"msg":"Too many requests"}'],
        [401, words('Request rate exceeded')],
        [403, words('access too frequent')],
        [200, '{"code":"50011","msg":"Too many requests","content":null}'],
        [200, '{"code":-1003,"msg":"Too many requests","content":[],"totalElements":0}'],
        [200, '{"retCode":10006,"retMsg":"Too many visits!"}'],
      ] as const) {
        ledger.dispose();
        ledger = ampleLedger();
        const { server, client } = await clientOf(status(code, body));
        const failure = await failureOf(client.accounts());
        assert.deepEqual([failure.kind, failure.status], ['rateLimited', code]);
        await ledger.settled();
        const frozenMs = (ledger.standing.frozenUntil ?? 0) - systemClock.now();
        assert.ok(frozenMs > 55_000 && frozenMs <= 60_000, String(frozenMs));
        assert.equal(server.requests.length, 1);
      }
    });

    it('goes by the dialect’s statuses for the limit', async () => {
      const { server } = await clientOf(status(420));
      const client = clientFor(server, { fetcher, ledger, overLimitStatuses: [420] });
      assert.equal((await failureOf(client.accounts())).kind, 'rateLimited');
      await ledger.settled();
      assert.ok(ledger.standing.frozenUntil);
    });

    it('costs nothing where nobody listens, though it is tried three times', async () => {
      const { server, client } = await clientOf(good);
      await server.close();
      const failure = await failureOf(client.accounts());
      assert.deepEqual([failure.sent, failure.connection], ['no', 'unreachable']);
      assert.deepEqual(
        records.map(({ attempt, weight }) => [attempt, weight]),
        [1, 2, 3].map((attempt) => [attempt, 0]),
      );
      await ledger.settled();
      assert.equal(ledger.standing.used, 0);
    });

    it('is not sent again after our deadline: whoever waited that long has waited enough', async () => {
      const { server } = await clientOf(silence);
      const client = clientFor(server, { fetcher, ledger, deadlineMs: 100 });
      assert.equal((await failureOf(client.accounts())).kind, 'timeout');
      assert.equal(server.requests.length, 1);
    });

    describe('that is aborted', () => {
      const points: [string, Answer, (server: HostileServer) => boolean][] = [
        ['before the head', silence, ({ requests }) => requests.length === 1],
        [
          'within the body',
          (response) => response.writeHead(200).write('{"upl":'),
          ({ requests }) => requests.length === 1,
        ],
        ['in the pause before the next attempt', status(500), () => records.length === 1],
        [
          'within the body of an error',
          (response) => response.writeHead(500).write('{'),
          ({ requests }) => requests.length === 1,
        ],
      ];
      for (const [name, answer, isThere] of points)
        it(`${name} ends at once and leaves no timer, connection or reservation`, async () => {
          const clock = countedClock();
          let open = 0;
          const server = await serve((request, response) => {
            open += 1;
            request.socket.once('close', () => (open -= 1));
            answer(response);
          });
          const onRequest = (record: RequestRecord): void => void records.push(record);
          // The pause after a failure would be half a second.
          const random = (): number => 1;
          const client = clientFor(server, { fetcher, ledger, clock, random, onRequest });
          const controller = new AbortController();
          const asked = client.accounts(controller.signal);
          const rejected = assert.rejects(asked, /enough/);
          await eventually('the point', () => isThere(server));
          await new Promise(setImmediate);
          controller.abort(new Error('enough'));
          await rejected;
          assert.equal(clock.waiting(), 0);
          assert.equal(server.requests.length, 1);
          if (records[0]?.result === '500 server') await server.close();
          await eventually('the connection to end', () => open === 0);
          await ledger.settled();
          assert.deepEqual([ledger.standing.waiting, ledger.standing.used], [0, 5]);
        });

      it('while it waits for weight leaves nothing either', async () => {
        const clock = countedClock();
        ledger = ampleLedger({ frozenUntil: systemClock.now() + 5000 });
        const { server } = await clientOf(good);
        const client = clientFor(server, { fetcher, ledger, clock });
        const controller = new AbortController();
        const rejected = assert.rejects(client.accounts(controller.signal), /enough/);
        await eventually('it to wait', () => ledger.standing.waiting === 1);
        controller.abort(new Error('enough'));
        await rejected;
        await ledger.settled();
        assert.deepEqual(
          [ledger.standing.waiting, ledger.standing.used, clock.waiting()],
          [0, 0, 0],
        );
        assert.deepEqual(server.requests, []);
      });
    });
  });

  describe(`the DELETE over ${fetcher}`, () => {
    const serve = serversOfEachTest();
    const faults: [string, Answer, Partial<Failure>][] = [
      ['a reset before the head', resetBeforeHead, { kind: 'network', sent: 'maybe' }],
      ['a reset after the head', resetAfterHead, { kind: 'network', status: 200 }],
      ['a cut body', cutBody, { kind: 'network', status: 200 }],
      ['no answer', silence, { kind: 'timeout', sent: 'maybe' }],
      ['a 401', status(401, words('no'), basic), { kind: 'auth', status: 401 }],
      ['a 407', status(407, words('no'), basic), { kind: 'refused', status: 407 }],
      ['a 408', status(408), { kind: 'timeout', status: 408 }],
      ['a 421', status(421), { kind: 'refused', status: 421 }],
      ['a 425', status(425), { kind: 'server', status: 425 }],
      ['a 429', status(429), { kind: 'rateLimited', status: 429 }],
      [
        'a 429 without a pause',
        status(429, words('no'), { 'retry-after': '0' }),
        { kind: 'rateLimited', retryAfterMs: 0 },
      ],
      [
        'a 503 with Retry-After',
        status(503, words('no'), { 'retry-after': '0' }),
        { kind: 'server', status: 503 },
      ],
      ['a 500', status(500), { kind: 'server', status: 500 }],
      ['a 302', status(302, '', { location: '/' }), { kind: 'redirected', status: 302 }],
      ['an HTML page', status(200, '<html>'), { kind: 'malformed', status: 200 }],
      [
        'an error with the status of a success',
        status(200, '{"code":7,"msg":"nothing was cancelled"}'),
        { kind: 'refused', status: 200, serverCode: '7' },
      ],
      [
        'a 401 for its time',
        status(401, words('Timestamp outside of recvWindow')),
        { kind: 'auth', status: 401 },
      ],
    ];
    for (const [name, fault, expected] of faults)
      it(`is sent once, and ends as it must, after ${name}`, async () => {
        const ledger = ampleLedger();
        const server = await serve((request, response) =>
          request.method === 'DELETE' ? fault(response) : good(response),
        );
        const client = clientFor(server, { fetcher, ledger, deadlineMs: 200 });
        const failure = await failureOf(client.cancelAll());
        ledger.dispose();
        const deletes = server.requests.filter(({ method }) => method === 'DELETE');
        assert.equal(deletes.length, 1);
        const fate = fateOf({ kind: 'failed', failure });
        assert.equal(fate, /^a 40[17]/.test(name) ? 'refused' : 'unknown');
        for (const [fact, value] of Object.entries(expected))
          assert.deepEqual(failure[fact as keyof Failure], value, fact);
      });

    it('is sent once where a kept connection ends as it arrives', async () => {
      const ports = new Set<number | undefined>();
      const server = await serve((request, response) => {
        ports.add(request.socket.remotePort);
        if (server.requests.length < 3) response.end('[]');
        else request.socket.destroy();
      });
      const client = clientFor(server, { fetcher });
      await client.cancelAll();
      await client.cancelAll();
      const failure = await failureOf(client.cancelAll());
      assert.deepEqual([failure.sent, failure.connection], ['maybe', 'closed']);
      assert.deepEqual([server.requests.length, ports.size], [3, 1]);
    });

    it('is tried once where nobody listens', async () => {
      const server = await hostileServer(() => undefined);
      await server.close();
      const records: RequestRecord[] = [];
      const onRequest = (record: RequestRecord): void => void records.push(record);
      const failure = await failureOf(clientFor(server, { fetcher, onRequest }).cancelAll());
      assert.deepEqual([failure.sent, failure.detail], ['no', 'ECONNREFUSED']);
      assert.deepEqual(
        records.map(({ method, attempt }) => [method, attempt]),
        [['DELETE', 1]],
      );
    });
  });
}
