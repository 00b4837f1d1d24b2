import assert from 'node:assert/strict';
import { once } from 'node:events';
import { serveExchange } from '../../../../src/practice/http/practiceServer.ts';
import { noon } from '../movableClock.ts';
import { openSocket } from '../openSocket.ts';
import { ServerUnderTest } from '../serverUnderTest.ts';

describe('the server of the practice exchange', () => {
  let served: ServerUnderTest;

  before(async () => {
    served = await ServerUnderTest.start();
  });
  after(() => served.close());

  describe('listens', () => {
    it('on this machine, with a new key and secret each time', async () => {
      assert.match(served.exchange.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      const other = await serveExchange({ seed: 1 });
      await other.close();
      assert.notEqual(other.apiKey, served.exchange.apiKey);
      assert.notEqual(other.apiSecret, served.exchange.apiSecret);
      assert.match(other.apiSecret, /^[0-9a-f]{64}$/);
    });

    it('on no other address', async () => {
      const { port } = new URL(served.exchange.url);
      // Only on Linux do all addresses of 127.0.0.0/8 exist without configuration.
      const others = process.platform === 'linux' ? ['[::1]', '127.0.0.2'] : ['[::1]'];
      for (const other of others) await assert.rejects(openSocket(`http://${other}:${port}`));
    });

    it('not on a port that is in use', async () => {
      const port = Number(new URL(served.exchange.url).port);
      await assert.rejects(
        serveExchange({ seed: 1, port }),
        new RegExp(`^Error: Port ${port} .* in use`),
      );
    });
  });

  it('has the time of its own clock in the Date header', async () => {
    for (const path of ['/api/v1/system/exchangeInfo', '/unknown']) {
      const { headers } = await served.send(path);
      assert.equal(headers.get('date'), new Date(noon).toUTCString());
    }
  });

  it('closes immediately, even during a request', async () => {
    const own = await serveExchange({ seed: 1 });
    const socket = await openSocket(own.url);
    const ended = once(socket, 'close');
    socket.write('GET /api/v1/system/exchangeInfo HTTP/1.1\r\n');
    await fetch(`${own.url}/`);
    await own.close();
    await ended;
  });
});
