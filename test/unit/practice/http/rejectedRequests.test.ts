import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { openSocket } from '../openSocket.ts';
import { ServerUnderTest, assertRejected, historyPath } from '../serverUnderTest.ts';

describe('requests to the practice exchange', () => {
  let served: ServerUnderTest;

  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  describe('are rejected', () => {
    it('with an unknown path or method', async () => {
      const { path } = await assertRejected(served.send('/api/v1/nothing?x=1'), 404, /path/);
      assert.equal(path, '/api/v1/nothing');
      for (const [method, target, allow] of [
        ['POST', '/api/v1/accounts', 'GET'],
        ['GET', '/api/v1/orders/all', 'DELETE'],
        ['OPTIONS', '/api/v1/accounts', 'GET'],
      ] as const) {
        const answer = served.send(target, { method });
        await assertRejected(answer, 405, new RegExp(allow));
        assert.equal((await answer).headers.get('allow'), allow);
      }
    });

    it('with the host name of another machine; other origins have no access', async () => {
      const { host, port } = new URL(served.exchange.url);
      const statusFor = (named: string) => statusWithHost(served.exchange.url, named);
      for (const own of [host, `localhost:${port}`, `[::1]:${port}`])
        assert.equal(await statusFor(own), 200, own);
      const others = ['evil.example', `evil.example:${port}`, '127.0.0.1'];
      for (const other of [...others, `127.0.0.1:${Number(port) + 1}`])
        assert.equal(await statusFor(other), 421, other);
      const { headers } = await served.send('/api/v1/system/exchangeInfo', {
        headers: { origin: 'https://evil.example' },
      });
      assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control')));
    });

    it('with a large body', async () => {
      const post = (length: number) =>
        served.send('/api/v1/system/exchangeInfo', { method: 'POST', body: 'x'.repeat(length) });
      await assertRejected(post(1000), 405, /GET/);
      await assertRejected(post(70_000), 413, /body/);
    });

    it('with an endless body', async () => {
      const socket = await openSocket(served.exchange.url);
      const { host } = new URL(served.exchange.url);
      socket.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
      // A thousand times the limit: only a server without a limit would read all of it.
      for (let count = 0; count < 2000 && !socket.destroyed; count++) {
        if (!socket.write(chunk)) await drainedOrClosed(socket);
      }
      assert.ok(socket.destroyed);
    });
  });

  describe('count weight', () => {
    it('and get the time to wait when the limit is used up', async () => {
      await using own = await ServerUnderTest.start({ weightLimit: 26 });
      const info = '/api/v1/system/exchangeInfo';
      assert.equal((await own.sendSigned(historyPath, 'page=0')).status, 200);
      own.clock.moveBy(1500);
      assert.equal((await own.sendSigned('/api/v1/accounts')).status, 200);
      assert.equal((await own.sendSigned('/api/v1/orders/all', '', 'DELETE')).status, 200);
      assert.equal((await own.sendSigned('/api/v1/accounts')).status, 200);
      assert.equal((await own.send(info)).status, 200);
      const refused = own.send(info);
      await assertRejected(refused, 429, /weight/);
      assert.equal((await refused).headers.get('retry-after'), '59');
      own.clock.moveBy(58_500);
      assert.equal((await own.sendSigned(historyPath, 'page=0')).status, 200);
      await assertRejected(own.send(info), 429, /weight/);
    });
  });
});

/** The status of a request with this Host header, which fetch cannot set. */
async function statusWithHost(url: string, host: string): Promise<number | undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { host }, agent: false };
    httpRequest(`${url}/api/v1/system/exchangeInfo`, options, resolve).on('error', reject).end();
  });
  response.resume();
  return response.statusCode;
}

function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve());
  });
}
