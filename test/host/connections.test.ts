import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { cancelAllOf, clientFor } from '../support/exchangeClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { listenAtNewOrigin } from '../support/newOrigin.ts';

describe('a cancel-all through VS Code’s own connections', () => {
  /** Over this protocol, to a server that takes what is sent and never answers. */
  async function sentOver(protocol: 'http' | 'https'): Promise<string> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
    });
    const url = (await listenAtNewOrigin(server)).replace('http', protocol);
    const failure = failureOf(
      cancelAllOf(clientFor({ url }, { fetcher: 'vscode', deadlineMs: 300 })),
    );
    const { sent } = await failure.finally(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return sent;
  }

  it('was not sent if the handshake does not end', async () => {
    assert.equal(await sentOver('https'), 'no');
  });

  it('may have been sent if there was a connection', async () => {
    assert.equal(await sentOver('http'), 'maybe');
  });
});
