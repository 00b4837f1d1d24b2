import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import type { Books } from '../../src/exchange/ledger/books.ts';
import { booksInMemory } from '../../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { eventually } from '../support/eventually.ts';
import { ampleLedger, clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { serversOfEachTest, type HostileServer } from '../support/hostileServer.ts';

function information(limit: number): string {
  const rateLimit = { intervalNum: 1, limit, interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' };
  return JSON.stringify({ rateLimits: [rateLimit], timezone: 'UTC', serverTime: 1, symbols: [] });
}

const sent = ({ requests }: HostileServer) =>
  requests.map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/').at(-1)}`);

describe('the weight of requests', () => {
  const serve = serversOfEachTest();
  let ledger: WeightLedger;
  const ledgerOf = (books: Partial<Books>): WeightLedger =>
    new WeightLedger({ store: booksInMemory(books), clock: systemClock, share: () => 1 });

  afterEach(() => ledger.dispose());

  it('is learned before anything else is sent, once', async () => {
    ledger = ledgerOf({});
    const server = await serve((request, response) =>
      response.end(request.url?.includes('exchangeInfo') ? information(70) : '[]'),
    );
    const client = clientFor(server, { ledger });
    await Promise.all([client.feeTiers(), client.leverage()]);
    assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure', 'GET leverage']);
    assert.deepEqual([ledger.standing.limit, ledger.standing.used], [70, 3]);
  });

  it('is learned whatever is wrong with the other fields, which are named', async () => {
    const [limits = ''] = /"rateLimits":.*?\]/.exec(information(70)) ?? [];
    for (const [others, paths] of [
      ['"timezone":null,"serverTime":"soon","symbols":{}', ['timezone', 'serverTime', 'symbols']],
      ['"timezone":"UTC","symbols":[]', ['serverTime']],
    ] as const) {
      ledger = ledgerOf({});
      const server = await serve((request, response) =>
        response.end(request.url?.includes('exchangeInfo') ? `{${limits},${others}}` : '[]'),
      );
      const client = clientFor(server, { ledger });
      await client.feeTiers();
      await client.feeTiers();
      assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure', 'GET structure']);
      assert.equal(ledger.standing.limit, 70);
      const { badRecords } = await client.exchangeInfo();
      assert.deepEqual(
        badRecords.map(({ path }) => path),
        paths.map((field) => `$.${field}`),
      );
    }
  });

  const hardLimit = (fields: string) => `{"rateLimitType":"HARD_LIMIT",${fields}}`;
  const day = hardLimit('"interval":"DAY","intervalNum":1,"limit":100000');
  const tellings: [name: string, rateLimits: string, limit: number, problems?: string[]][] = [
    ['with a decimal point', hardLimit('"interval":"MINUTE","intervalNum":1,"limit":100.0'), 100],
    ['with an exponent', hardLimit('"interval":"MINUTE","intervalNum":1e0,"limit":1e2'), 100],
    ['in quotes', hardLimit('"interval":"MINUTE","intervalNum":"1","limit":"100"'), 100],
    ['without a number of intervals', hardLimit('"interval":"MINUTE","limit":100'), 100],
    ['for no intervals', hardLimit('"interval":"MINUTE","intervalNum":null,"limit":100'), 100],
    [
      'beside a day’s',
      `${hardLimit('"interval":"MINUTE","intervalNum":1,"limit":100.0')},${day}`,
      100,
    ],
    ['in an interval that nobody knows', `${day},${hardLimit('"interval":"M","limit":100')}`, 100],
    [
      'in no interval, beside a day’s',
      `${day},${hardLimit('"limit":100')}`,
      100,
      ['$.rateLimits[1].interval'],
    ],
    [
      'for something that is no number of intervals',
      `${day},${hardLimit('"interval":"MINUTE","intervalNum":{},"limit":100')}`,
      100,
      ['$.rateLimits[1].intervalNum'],
    ],
    [
      'of no type',
      `${day},{"interval":"MINUTE","limit":100}`,
      100,
      ['$.rateLimits[1].rateLimitType'],
    ],
    [
      'as no number, beside a day’s',
      `${day},${hardLimit('"interval":"MINUTE","limit":"many"')}`,
      1000,
      ['$.rateLimits[1].limit'],
    ],
    ['as no record, beside a day’s', `${day},7`, 1000, ['$.rateLimits[1]']],
  ];
  for (const [name, rateLimits, limit, problems = []] of tellings)
    it(`is kept where the limit is told ${name}, and what could not be read is named`, async () => {
      ledger = ledgerOf({});
      const told = `{"rateLimits":[${rateLimits}],"timezone":"UTC","serverTime":1,"symbols":[]}`;
      const server = await serve((request, response) =>
        response.end(request.url?.includes('exchangeInfo') ? told : '[]'),
      );
      const client = clientFor(server, { ledger });
      await client.feeTiers();
      assert.deepEqual([ledger.standing.limit, ledger.standing.windowMs], [limit, 60_000]);
      const { badRecords } = await client.exchangeInfo();
      assert.deepEqual(
        badRecords.map(({ path }) => path),
        problems,
      );
    });

  it('never passes our part of a limit that is written as 100.0', async () => {
    const store = booksInMemory();
    ledger = new WeightLedger({ store, clock: systemClock, share: () => 0.5 });
    const server = await serve((request, response) =>
      response.end(
        request.url?.includes('exchangeInfo')
          ? information(100).replace('"limit":100', '"limit":100.0')
          : '{"content":[],"size":1,"totalPages":0,"totalElements":0}',
      ),
    );
    const client = clientFor(server, { ledger });
    await Promise.allSettled(Array.from({ length: 15 }, () => client.trades({ page: 0 })));
    const trades = sent(server).filter((request) => request === 'GET history').length;
    assert.ok(trades > 0 && trades * 10 + 1 <= 50, `${trades} of 10 each`);
  });

  it('is learned for all who wait; one who gives up meanwhile is let go at once', async () => {
    ledger = ledgerOf({});
    let answerInformation = (): void => assert.fail('nobody asked');
    const server = await serve((request, response) => {
      if (!request.url?.includes('exchangeInfo')) response.end('[]');
      else answerInformation = () => response.end(information(70));
    });
    const client = clientFor(server, { ledger });
    const caller = new AbortController();
    const given = assert.rejects(client.leverage(caller.signal), /enough/);
    const others = client.feeTiers();
    await eventually('the question', () => server.requests.length === 1);
    caller.abort(new Error('enough'));
    await given;
    answerInformation();
    await others;
    assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure']);
  });

  it('is learned before a cancel-all is planned, which waits two seconds for it at most', async () => {
    for (const isAnswered of [true, false]) {
      ledger = ledgerOf({});
      const clock = new FakeClock();
      const server = await serve((request, response) => {
        if (isAnswered || !request.url?.includes('exchangeInfo'))
          response.end(request.url?.includes('exchangeInfo') ? information(70) : '[]');
      });
      const planned = clientFor(server, { ledger, clock }).at('cancel').feeTiers();
      await eventually('the question', () => server.requests.length > 0);
      if (!isAnswered) await clock.advance(2000);
      await planned;
      assert.deepEqual(sent(server), ['GET exchangeInfo', 'GET structure']);
      assert.equal(ledger.standing.limit, isAnswered ? 70 : 1000);
      ledger.dispose();
    }
  });

  it('keeps no cancel-all waiting where limits were told before, be it a week ago', async () => {
    ledger = ledgerOf({ limits: [{ weight: 100, windowMs: 60_000 }], learnedAt: 0 });
    const server = await serve((_request, response) => response.end('[]'));
    await clientFor(server, { ledger }).at('cancel').feeTiers();
    assert.deepEqual(sent(server), ['GET structure']);
  });

  it('is not asked for by one who has given up before', async () => {
    ledger = ledgerOf({});
    const server = await serve(() => undefined);
    const asked = clientFor(server, { ledger }).leverage(AbortSignal.abort(new Error('enough')));
    await assert.rejects(asked, /enough/);
    assert.deepEqual(server.requests, []);
  });

  it('is held against 1000 a minute where exchange information does not come', async () => {
    ledger = ledgerOf({});
    const server = await serve((request, response) =>
      request.url?.includes('exchangeInfo') ? response.writeHead(500).end() : response.end('[]'),
    );
    const client = clientFor(server, { ledger });
    await client.feeTiers();
    await client.feeTiers();
    const asked = Array<string>(3).fill('GET exchangeInfo');
    assert.deepEqual(sent(server), [...asked, 'GET structure', 'GET structure']);
    assert.equal(ledger.standing.limit, 1000);
  });

  it('is refused at once where the limit can never hold it', async () => {
    ledger = ampleLedger({ limits: [{ weight: 12, windowMs: 60_000 }] });
    const server = await serve(() => undefined);
    const failure = await failureOf(clientFor(server, { ledger }).orders({ page: 0 }));
    assert.deepEqual([failure.kind, failure.sent], ['configuration', 'no']);
    assert.deepEqual(server.requests, []);
  });

  it('is kept from nobody by requests that cannot be signed, or that the limit can never hold', async () => {
    ledger = ampleLedger({ limits: [{ weight: 12, windowMs: 60_000 }] });
    const server = await serve((_request, response) => response.end('[]'));
    let reads = 0;
    const credentials = {
      apiKey: markedCredentials.apiKey,
      /** Sound when it is looked at, and not to be had when it is needed. */
      get apiSecret() {
        if (++reads > 2) throw new Error('the key ring is locked');
        return markedCredentials.apiSecret;
      },
    };
    const client = clientFor(server, { ledger, credentials });
    for (let round = 1; round <= 3; round += 1) {
      const failing = [client.cancelAll(), client.orders({ page: 0 })].map(failureOf);
      const tiers = client.feeTiers();
      for (const { kind, sent: left } of await Promise.all(failing))
        assert.deepEqual([kind, left], ['configuration', 'no']);
      assert.deepEqual((await tiers).value, []);
      await ledger.settled();
      assert.deepEqual([ledger.standing.used, ledger.standing.waiting], [round, 0]);
    }
    assert.deepEqual(new Set(sent(server)), new Set(['GET structure']));
  });

  it('is given back by a request that never left, and by one that was aborted while it waited', async () => {
    ledger = ampleLedger({ limits: [{ weight: 20, windowMs: 60_000 }] });
    const server = await serve((_request, response) => response.end('[]'));
    const gone = await serve(() => undefined);
    await gone.close();
    await failureOf(clientFor(gone, { ledger }).orders({ page: 0 }));
    await ledger.settled();
    assert.equal(ledger.standing.used, 0);

    const client = clientFor(server, { ledger }).at('refresh');
    await client.orders({ page: 0 });
    const controller = new AbortController();
    const waiting = client.orders({ page: 0 }, controller.signal);
    await eventually('the second to wait', () => ledger.standing.waiting === 1);
    controller.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    await ledger.settled();
    assert.deepEqual([ledger.standing.waiting, ledger.standing.used], [0, 10]);
    assert.equal(server.requests.length, 1);
  });

  it('counts when a request that was sent is aborted', async () => {
    ledger = ampleLedger();
    const controller = new AbortController();
    const server = await serve(() => controller.abort());
    const asked = clientFor(server, { ledger }).orders({ page: 0 }, controller.signal);
    await assert.rejects(asked, { name: 'AbortError' });
    assert.equal(ledger.standing.used, 10);
  });

  it('counts what a header shows that others spent', async () => {
    ledger = ampleLedger();
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'X-MBX-USED-WEIGHT-1M': '640' }).end('[]'),
    );
    await clientFor(server, { ledger }).feeTiers();
    assert.equal(ledger.standing.used, 640);
  });

  for (const [status, headers, pauseMs] of [
    [429, { 'retry-after': '30' }, 30_000],
    [418, {}, 60_000],
    [503, { 'retry-after': '7200' }, 900_000],
  ] as const)
    it(`stops after a ${status}, and lets a cancel-all and its read-back pass once`, async () => {
      ledger = ampleLedger();
      let isLimited = true;
      const server = await serve((_request, response) => {
        if (isLimited) response.writeHead(status, headers).end();
        else response.end('[]');
        isLimited = false;
      });
      const client = clientFor(server, { ledger });
      await failureOf(client.accounts());
      const leftMs = (ledger.standing.frozenUntil ?? 0) - Date.now();
      assert.ok(leftMs > pauseMs - 5000 && leftMs <= pauseMs, String(leftMs));
      const held = await failureOf(client.feeTiers());
      assert.deepEqual([held.kind, held.sent], ['rateLimited', 'no']);
      assert.deepEqual((await client.cancelAll()).value, []);
      await failureOf(client.at('cancel').accounts());
      for (const again of [client.cancelAll(), client.at('cancel').accounts()])
        assert.equal((await failureOf(again)).sent, 'no');
      assert.deepEqual(sent(server), ['GET accounts', 'DELETE all', 'GET accounts']);
    });

  it('does not stop after a 503 that says nothing', async () => {
    ledger = ampleLedger();
    const server = await serve((_request, response) => response.writeHead(503).end());
    await failureOf(clientFor(server, { ledger }).accounts());
    assert.equal(ledger.standing.frozenUntil, undefined);
  });

  it('gives a request its whole deadline after the wait', async () => {
    ledger = ampleLedger({ frozenUntil: Date.now() + 600 });
    const server = await serve((_request, response) => response.end('[]'));
    const client = clientFor(server, { ledger, deadlineMs: 500 });
    assert.deepEqual((await client.feeTiers()).value, []);
  });
});
