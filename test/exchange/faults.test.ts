import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { defaultRecipe } from '../../src/exchange/auth/scheme.ts';
import type { FetcherName } from '../../src/exchange/fetch.ts';
import type { RequestRecord } from '../../src/exchange/requestRecord.ts';
import { serveExchange } from '../../src/practice/serve.ts';
import { anAccount, wire } from '../support/builders.ts';
import { clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { english } from '../support/english.ts';

function json(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

for (const fetcher of ['node-fetch', 'vscode'] as const satisfies readonly FetcherName[]) {
  describe(`the client over ${fetcher} and an exchange that fails`, () => {
    const serve = serversOfEachTest();

    it('says that the credentials were not accepted, in the exchange’s words', async () => {
      const exchange = await serveExchange({ seed: 1 });
      try {
        const wrongKey = clientFor({ ...exchange, apiKey: 'MARKED-other' }, { fetcher });
        const failure = await failureOf(wrongKey.accounts());
        assert.deepEqual([failure.kind, failure.sent, failure.status], ['auth', 'yes', 401]);
        assert.match(failure.serverWords ?? '', /key/i);
        const wrongSecret = clientFor({ ...exchange, apiSecret: 'MARKED-other' }, { fetcher });
        assert.match((await failureOf(wrongSecret.cancelAll())).serverWords ?? '', /signature/i);
      } finally {
        await exchange.close();
      }
    });

    it('repeats no credential that the exchange repeats, in its words or in a field', async () => {
      const server = await serve((request, response) => {
        const sent = `${String(request.headers['x-api-key'])} ${request.url}`;
        if (request.url?.startsWith('/api/v1/orders')) json(response, 401, `"unknown ${sent}"`);
        else
          json(response, 200, wire(anAccount()).replace('"equity":12012.5', `"equity":"${sent}"`));
      });
      const client = clientFor(server, { fetcher });
      const words = (await failureOf(client.orders({ page: 0 }))).serverWords ?? '';
      assert.match(words, /^unknown •••/);
      assert.match(
        english((await failureOf(client.accounts())).detail),
        /should be a number and is text with digits$/,
      );
    });

    it('repeats no signature by RSA in hex that the exchange repeats', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const server = await serve(({ headers }, response) =>
        json(response, 401, `{"message":"not by us: sig_${String(headers['x-signature'])}"}`),
      );
      const auth = { ...defaultRecipe, scheme: 'custom', algorithm: 'rsaSha256' } as const;
      const credentials = { apiKey: markedCredentials.apiKey, privateKey: pem };
      const client = clientFor(server, { fetcher, auth, credentials });
      assert.equal((await failureOf(client.accounts())).serverWords, 'not by us: sig_•••');
      assert.match(String(server.requests[0]?.headers['x-signature']), /^[0-9a-f]{512}$/);
    });

    it('repeats no part of a long secret, wherever the words are cut, and nothing invisible', async () => {
      const secret = 'MARKED'.repeat(16);
      for (let before = 0; before < 320; before += 40) {
        const words = `${'.'.repeat(before)}\\u202e${secret}`;
        const server = await serve((request, response) =>
          request.url?.startsWith('/api/v1/orders')
            ? json(response, 400, `{"message":"${words}"}`)
            : json(response, 200, `{"upl":"${words}"}`),
        );
        const client = clientFor({ ...server, apiSecret: secret }, { fetcher });
        const told = [
          (await failureOf(client.orders({ page: 0 }))).serverWords ?? '',
          english((await failureOf(client.accounts())).detail),
        ];
        for (const text of told) {
          assert.ok(text.length <= 300);
          assert.doesNotMatch(text, /\p{Cf}/u);
        }
      }
    });

    it('says how long the limit lasts', async () => {
      const exchange = await serveExchange({ seed: 1, weightLimit: 10 });
      try {
        const client = clientFor(exchange, { fetcher });
        await client.orders({ page: 0 });
        const failure = await failureOf(client.accounts());
        assert.equal(failure.kind, 'rateLimited');
        const waitMs = failure.retryAfterMs ?? assert.fail('no Retry-After');
        assert.ok(waitMs > 50_000 && waitMs <= 60_000, String(waitMs));
      } finally {
        await exchange.close();
      }
    });

    it('tells a 500 with and without words', async () => {
      const server = await serve((request, response) =>
        request.url?.startsWith('/api/v1/accounts')
          ? json(response, 500, '{"message":"out of order\\u0007"}')
          : response.writeHead(502).end('<html><h1>Bad Gateway</h1></html>'),
      );
      const client = clientFor(server, { fetcher });
      assert.equal((await failureOf(client.accounts())).serverWords, 'out of order');
      const failure = await failureOf(client.orders({ page: 0 }));
      assert.deepEqual(
        [failure.kind, failure.status, failure.serverWords],
        ['server', 502, undefined],
      );
    });

    it('tells HTML, an empty body, broken JSON and bytes that are no text from an answer', async () => {
      const bodies = ['<!doctype html><p>Log in', '', '{"upl":', Buffer.from([0x22, 0xff, 0x22])];
      const server = await serve((_request, response) => response.end(bodies.shift()));
      const client = clientFor(server, { fetcher });
      for (const detail of ['an HTML page', 'no JSON', 'no JSON', 'no UTF-8 text']) {
        const failure = await failureOf(client.accounts());
        assert.deepEqual([failure.kind, failure.sent, failure.status], ['malformed', 'yes', 200]);
        assert.match(english(failure.detail), new RegExp(detail));
        assert.equal(failure.serverWords, undefined);
      }
    });

    it('tells the words of an answer that is nothing but words, and those of a redirect, without a key in them', async () => {
      const { apiKey } = markedCredentials;
      const server = await serve(({ url }, response) => {
        if (url?.startsWith('/api/v1/accounts')) response.end(`Closed for ${apiKey} until noon`);
        else json(response, 307, '{"message":"We have moved"}');
      });
      const client = clientFor(server, { fetcher, credentials: markedCredentials });
      const plain = await failureOf(client.accounts());
      assert.equal(plain.kind, 'malformed');
      assert.match(plain.serverWords ?? '', /^Closed for .+ until noon$/);
      assert.ok(!plain.serverWords?.includes(apiKey));
      const { kind, serverWords } = await failureOf(client.orders({ page: 0 }));
      assert.deepEqual([kind, serverWords], ['redirected', 'We have moved']);
    });

    it('names the field of an answer that is not what the interface promises', async () => {
      const text = wire(anAccount()).replace('"equity":12012.5', '"equity":{}');
      const server = await serve((_request, response) => json(response, 200, text));
      const failure = await failureOf(clientFor(server, { fetcher }).accounts());
      assert.equal(english(failure.detail), '$.equity should be a number and is an object');
    });

    it('tells a connection cut before the answer from one cut within it', async () => {
      const server = await serve((request, response) => {
        if (request.url?.startsWith('/api/v1/accounts')) request.socket.destroy();
        else {
          response.writeHead(200, { 'content-length': '1000' }).write('{"content":[');
          setImmediate(() => request.socket.destroy());
        }
      });
      const client = clientFor(server, { fetcher });
      const before = await failureOf(client.accounts());
      assert.deepEqual([before.kind, before.sent, before.status], ['network', 'maybe', undefined]);
      const within = await failureOf(client.orders({ page: 0 }));
      assert.deepEqual([within.kind, within.sent, within.status], ['network', 'yes', 200]);
    });

    it('knows that nothing was sent where nobody listens', async () => {
      const server = await serve(() => undefined);
      await server.close();
      for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost')]) {
        const failure = await failureOf(clientFor({ url }, { fetcher }).cancelAll());
        assert.deepEqual(
          [failure.kind, failure.sent, english(failure.detail)],
          ['network', 'no', 'ECONNREFUSED'],
        );
      }
    });

    it('ends a request whose answer, or the rest of it, does not come', async () => {
      const server = await serve((request, response) => {
        if (request.url?.startsWith('/api/v1/orders')) response.writeHead(200).write('{');
      });
      const client = clientFor(server, { fetcher, deadlineMs: 200 });
      const silent = await failureOf(client.accounts());
      assert.deepEqual([silent.kind, silent.sent], ['timeout', 'maybe']);
      const stalled = await failureOf(client.orders({ page: 0 }));
      assert.deepEqual([stalled.kind, stalled.sent], ['timeout', 'yes']);
    });

    it('stops reading a body beyond the cap, also one that arrives compressed', async () => {
      const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      );
      const maxBodyBytes = 1024 * 1024;
      const failure = await failureOf(clientFor(server, { fetcher, maxBodyBytes }).accounts());
      assert.deepEqual([failure.kind, english(failure.detail)], ['tooLarge', '1 MB']);
    });

    it('never follows a redirect: no request and no credential reaches the other host', async () => {
      const other = await serve((_request, response) => json(response, 200, '[]'));
      const statuses = [301, 302, 307, 308];
      let status = 0;
      const server = await serve((_request, response) =>
        response.writeHead(status, { location: `${other.url}/api/v1/accounts` }).end(),
      );
      const client = clientFor(server, { fetcher });
      for (status of statuses) {
        for (const call of [() => client.accounts(), () => client.cancelAll()]) {
          const failure = await failureOf(call());
          assert.equal(failure.kind, 'redirected');
          assert.equal(english(failure.detail), new URL(other.url).host);
        }
      }
      assert.equal(server.requests.length, 2 * statuses.length);
      assert.deepEqual(other.requests, []);
    });

    it('gives the caller’s own abort back, and lets nothing out after one', async () => {
      const server = await serve(() => undefined);
      const client = clientFor(server, { fetcher });
      const controller = new AbortController();
      const asked = client.accounts(controller.signal);
      setImmediate(() => controller.abort());
      await assert.rejects(asked, { name: 'AbortError' });
      const seen = server.requests.length;
      await assert.rejects(client.accounts(AbortSignal.abort()), { name: 'AbortError' });
      assert.equal(server.requests.length, seen);
    });

    it('sends a DELETE once over a kept connection that the exchange has just closed', async () => {
      const server = await serve((request, response) => {
        if (request.method === 'DELETE') request.socket.destroy();
        else json(response, 200, wire(anAccount()));
      });
      const client = clientFor(server, { fetcher });
      await client.accounts();
      await failureOf(client.cancelAll());
      assert.equal(server.requests.filter(({ method }) => method === 'DELETE').length, 1);
    });

    it('tells the log of an answer that is not understood, as of none', async () => {
      const records: RequestRecord[] = [];
      const server = await serve(({ method }, response) =>
        json(response, 200, method === 'GET' ? '[]' : '{}'),
      );
      const client = clientFor(server, { fetcher, onRequest: (record) => records.push(record) });
      await failureOf(client.accounts());
      await failureOf(client.cancelAll());
      assert.deepEqual(
        records.map(({ method, result }) => `${method} ${result}`),
        ['GET 200 malformed', 'DELETE 200 malformed'],
      );
    });

    it('tells the log names, never values', async () => {
      const records: RequestRecord[] = [];
      const server = await serve((_request, response) => json(response, 401, '{"error":"no"}'));
      const client = clientFor(server, { fetcher, onRequest: (record) => records.push(record) });
      await failureOf(client.orders({ page: 0, symbol: 'MARKED_usdt' }));
      assert.equal(records.length, 1);
      const [{ durationMs, ...record }] = records as [RequestRecord];
      assert.ok(durationMs >= 0);
      assert.deepEqual(record, {
        method: 'GET',
        path: '/api/v1/orders/history',
        parameterNames: ['symbol', 'page'],
        attempt: 1,
        priority: 'interactive',
        result: '401 auth',
        weight: 10,
      });
      const [sent] = server.requests;
      assert.equal(sent?.headers['x-api-key'], markedCredentials.apiKey);
    });
  });
}
