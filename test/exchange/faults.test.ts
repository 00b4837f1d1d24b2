import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';

import type { RequestLogEntry } from '../../src/exchange/http/requestLog.ts';
import { serveExchange } from '../../src/practice/http/practiceServer.ts';
import { english } from '../support/english.ts';
import { cancelAllOf, clientFor, markedCredentials } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { serversOfEachTest } from '../support/hostileServer.ts';
import { readHistory } from '../support/historyRequest.ts';

function json(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** The default; `retry.test.ts` has what differs between the two. */
const fetcher = 'vscode';

describe('the client and an exchange that fails', () => {
  const serve = serversOfEachTest();

  it('reports rejected credentials in the exchange’s words', async () => {
    const exchange = await serveExchange({ seed: 1 });
    try {
      const wrongKey = clientFor({ ...exchange, apiKey: 'MARKED-other' }, { fetcher });
      const failure = await failureOf(wrongKey.accounts());
      assert.deepEqual([failure.kind, failure.sent, failure.status], ['auth', 'yes', 401]);
      assert.match(failure.serverWords ?? '', /key/i);
      const wrongSecret = clientFor({ ...exchange, apiSecret: 'MARKED-other' }, { fetcher });
      assert.match((await failureOf(cancelAllOf(wrongSecret))).serverWords ?? '', /signature/i);
    } finally {
      await exchange.close();
    }
  });

  it('rejects HTML, an empty body, broken JSON and bytes that are not text', async () => {
    const bodies = ['<!doctype html><p>Log in', '', '{"upl":', Buffer.from([0x22, 0xff, 0x22])];
    const server = await serve((_request, response) => response.end(bodies.shift()));
    const client = clientFor(server, { fetcher });
    for (const detail of ['an HTML page', '^empty answer$', 'not JSON', 'not UTF-8 text']) {
      const failure = await failureOf(client.accounts());
      assert.deepEqual([failure.kind, failure.sent, failure.status], ['malformed', 'yes', 200]);
      assert.match(english(failure.detail), new RegExp(detail));
      assert.equal(failure.serverWords, undefined);
    }
  });

  it('reports the words of a plain-text answer and of a redirect, without a key in them', async () => {
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
    const { kind, serverWords } = await failureOf(readHistory(client, 'orders'));
    assert.deepEqual([kind, serverWords], ['redirected', 'We have moved']);
  });

  it('distinguishes a connection cut before the answer from one cut within it', async () => {
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
    const within = await failureOf(readHistory(client, 'orders'));
    assert.deepEqual([within.kind, within.sent, within.status], ['network', 'yes', 200]);
  });

  for (const name of ['node-fetch', 'vscode'] as const)
    it(`never follows a redirect over ${name}: no request and no credential reaches the other host`, async () => {
      const other = await serve((_request, response) => json(response, 200, '[]'));
      const statuses = [301, 302, 307, 308];
      let status = 0;
      const server = await serve((_request, response) =>
        response.writeHead(status, { location: `${other.url}/api/v1/accounts` }).end(),
      );
      const client = clientFor(server, { fetcher: name });
      for (status of statuses) {
        for (const call of [() => client.accounts(), () => cancelAllOf(client)]) {
          const failure = await failureOf(call());
          assert.equal(failure.kind, 'redirected');
          assert.equal(english(failure.detail), new URL(other.url).host);
        }
      }
      assert.equal(server.requests.length, 2 * statuses.length);
      assert.deepEqual(other.requests, []);
    });

  it('logs an answer that cannot be decoded', async () => {
    const records: RequestLogEntry[] = [];
    const server = await serve(({ method }, response) =>
      json(response, 200, method === 'GET' ? '[]' : '{}'),
    );
    const client = clientFor(server, { fetcher, onRequest: (record) => records.push(record) });
    await failureOf(client.accounts());
    await failureOf(cancelAllOf(client));
    const found = records.map(({ method, result }) => `${method} ${result}`);
    assert.deepEqual(found, ['GET 200 malformed', 'DELETE 200 malformed']);
  });

  it('logs names, never values', async () => {
    const records: RequestLogEntry[] = [];
    const server = await serve((_request, response) => json(response, 403, '{"error":"no"}'));
    const client = clientFor(server, { fetcher, onRequest: (record) => records.push(record) });
    await failureOf(readHistory(client, 'orders', { symbol: 'MARKED_usdt' }));
    assert.equal(records.length, 1);
    const [{ durationMs, ...record }] = records as [RequestLogEntry];
    assert.ok(durationMs >= 0);
    assert.deepEqual(record, {
      method: 'GET',
      path: '/api/v1/orders/history',
      parameterNames: ['symbol', 'page'],
      attempt: 1,
      priority: 'interactive',
      result: '403 auth',
      weight: 10,
    });
    const [sent] = server.requests;
    assert.equal(sent?.headers['x-api-key'], markedCredentials.apiKey);
  });
});
