import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { listenAtNewOrigin } from './newOrigin.ts';

/** One request as it arrived; `path` carries the query, headers have lower-case names. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

/** A loopback HTTP server that answers as the test wants, and records every request in order. */
export type HostileServer = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Cuts every connection and resolves when the port is free. */
  close(): Promise<void>;
};

/** Starts a server on a free port; `handler` gives every answer, or none. */
export async function hostileServer(handler: RequestListener): Promise<HostileServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    handler(request, response);
  });
  const url = await listenAtNewOrigin(server);
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url, requests, close };
}

/** The account reads among the requests; exchange information is read before the first. */
export function accountReads({ requests }: HostileServer): readonly SeenRequest[] {
  return requests.filter(({ path }) => path.startsWith('/api/v1/accounts'));
}

/** Called in a `describe`: returns a function that starts a server and closes it after the test. */
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
