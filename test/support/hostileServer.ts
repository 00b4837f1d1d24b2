import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived; `path` carries the query, headers have lower-case names. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

/** A loopback HTTP server that answers as the test wants, and remembers every request in order. */
export type HostileServer = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Cuts every connection and resolves when the port is free. */
  close(): Promise<void>;
};

/** Starts a server on any free port whose every answer, or lack of one, is `handler`'s. */
export async function hostileServer(handler: RequestListener): Promise<HostileServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    handler(request, response);
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

/** The reads of the account among the requests; before the first of all goes exchange information. */
export function accountReads({ requests }: HostileServer): readonly SeenRequest[] {
  return requests.filter(({ path }) => path.startsWith('/api/v1/accounts'));
}

/** Called in a `describe`: gives a starter of servers that are closed after the test that started them. */
export function serversOfEachTest(): typeof hostileServer {
  const running: HostileServer[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  return async (handler) => {
    const server = await hostileServer(handler);
    running.push(server);
    return server;
  };
}
