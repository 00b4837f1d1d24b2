import assert from 'node:assert/strict';
import { once } from 'node:events';
import { serveExchange } from '../../../src/practice/serve.ts';
import { openSocket } from './openSocket.ts';
import { ServedVenue } from './servedVenue.ts';

describe('serving the practice exchange', () => {
  let served: ServedVenue;

  before(async () => {
    served = await ServedVenue.start();
  });
  after(() => served.close());

  describe('starts', () => {
    it('on this machine only, with a key and a secret of its own', async () => {
      assert.match(served.exchange.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      const other = await serveExchange({ seed: 1 });
      await other.close();
      assert.notEqual(other.apiKey, served.exchange.apiKey);
      assert.notEqual(other.apiSecret, served.exchange.apiSecret);
      assert.match(other.apiSecret, /^[0-9a-f]{64}$/);
    });

    it('out of reach of other addresses', async () => {
      const { port } = new URL(served.exchange.url);
      // Only Linux has all of 127.0.0.0/8 without being asked.
      const others = process.platform === 'linux' ? ['[::1]', '127.0.0.2'] : ['[::1]'];
      for (const other of others) await assert.rejects(openSocket(`http://${other}:${port}`));
    });

    it('never on a port that is in use', async () => {
      const port = Number(new URL(served.exchange.url).port);
      await assert.rejects(
        serveExchange({ seed: 1, port }),
        new RegExp(`^Error: Port ${port} .* in use`),
      );
    });
  });

  it('ends at once, though a request is half sent', async () => {
    const own = await serveExchange({ seed: 1 });
    const socket = await openSocket(own.url);
    const ended = once(socket, 'close');
    socket.write('GET /api/v1/system/exchangeInfo HTTP/1.1\r\n');
    await fetch(`${own.url}/`);
    await own.close();
    await ended;
  });
}).timeout(10_000);
