import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** The ports of all servers so far. */
const usedPorts = new Set<number>();

/**
 * Listens on a port that no server of this process had before: what the extension learned of an origin,
 * such as its limits, would reach the next server there. Returns the origin.
 */
export async function listenAtNewOrigin(server: Server): Promise<string> {
  for (;;) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    if (!usedPorts.has(port)) {
      usedPorts.add(port);
      return `http://127.0.0.1:${port}`;
    }
    await new Promise((closed) => server.close(closed));
  }
}
