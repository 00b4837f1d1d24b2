import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../base/time.ts';
import { SimulatedExchange } from '../simulatedExchange.ts';
import { maxBodyBytes, RequestHandler } from './requestHandler.ts';
import { WeightLimiter } from './weightLimiter.ts';

const host = '127.0.0.1';

export type ServeOptions = {
  /** The default 0 takes any free port. */
  readonly port?: number;
  readonly seed: number;
  readonly clock?: Clock;
  /** The request weight that is served in a minute. The default is 1000. */
  readonly weightLimit?: number;
};

export type ServedExchange = {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Stops the server and closes every connection. */
  close(): Promise<void>;
};

/**
 * Serves a practice exchange on this machine only. Every start has a new key and secret. Resolves
 * when the server listens; rejects with a one-sentence error when it cannot listen on the port.
 */
export async function serveExchange({
  port = 0,
  seed,
  clock = systemClock,
  weightLimit = 1000,
}: ServeOptions): Promise<ServedExchange> {
  const exchange = new SimulatedExchange({ seed, clock, weightLimit });
  const weightLimiter = new WeightLimiter(weightLimit, clock);
  const credentials = { apiKey: randomHex(16), apiSecret: randomHex(32) };
  const server = createServer();
  const listeningPort = await listen(server, port);
  const options = { exchange, credentials, weightLimiter, clock, port: listeningPort };
  const handler = new RequestHandler(options);
  server.on('request', (request, response) => respond(handler, request, response));
  return { url: `http://${host}:${listeningPort}`, ...credentials, close: () => close(server) };
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startFailure(port, error)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function startFailure(port: number, error: NodeJS.ErrnoException): Error {
  const why =
    error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${error.code})`;
  return new Error(`Port ${port} of ${host} ${why}. Choose another port, or 0 for any free port.`, {
    cause: error,
  });
}

function respond(
  handler: RequestHandler,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  limitBody(request);
  const { method = '', url: target = '', headers } = request;
  const { status, headers: ownHeaders, body } = handler.handle({ method, target, headers });
  response.writeHead(status, { ...ownHeaders, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Discards the body, and closes the connection when the body is too large. */
function limitBody(request: IncomingMessage): void {
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBodyBytes) request.destroy();
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
