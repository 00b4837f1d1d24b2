import assert from 'node:assert/strict';
import {
  hostileServer,
  serversOfEachTest,
  type HostileServer,
} from '../../support/hostileServer.ts';

describe('hostile server', () => {
  const start = serversOfEachTest();
  let earlier: HostileServer;

  it('sends the given answer and records the request', async () => {
    earlier = await start((_request, response) => response.writeHead(418).end('short and stout'));
    const reply = await fetch(`${earlier.url}/a?b=c`, {
      method: 'DELETE',
      headers: { 'X-Key': 'k' },
    });
    assert.deepEqual([reply.status, await reply.text()], [418, 'short and stout']);
    const [seen] = earlier.requests;
    assert.deepEqual([seen?.method, seen?.path, seen?.headers['x-key']], ['DELETE', '/a?b=c', 'k']);
  });

  it('is gone after its test', async () => {
    await assert.rejects(fetch(earlier.url), TypeError);
  });

  it('closes although a request was never answered', async () => {
    const arrived = Promise.withResolvers<undefined>();
    const server = await hostileServer(() => arrived.resolve(undefined));
    const pending = assert.rejects(fetch(server.url), TypeError);
    await arrived.promise;
    await server.close();
    await pending;
  });
});
