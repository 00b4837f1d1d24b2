import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../base/clock.ts';
import { Door, largestBodyBytes } from './door.ts';
import { Venue } from './venue.ts';
import { WeightCounter } from './weights.ts';

const host = '127.0.0.1';

export type ServeOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly seed: number;
  readonly clock?: Clock;
  /** Weight per minute that is served; 1000 unless given. */
  readonly weightLimit?: number;
};

export type ServedExchange = {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Ends the venue and every connection to it. */
  close(): Promise<void>;
};

/**
 * Serves a venue on this machine only, with a key and a secret that are new with every start.
 * Resolves when it listens; rejects with one sentence when the port cannot be had.
 */
export async function serveExchange({
  port = 0,
  seed,
  clock = systemClock,
  weightLimit = 1000,
}: ServeOptions): Promise<ServedExchange> {
  const venue = new Venue({ seed, clock, weightLimit });
  const weights = new WeightCounter(weightLimit, clock);
  const credentials = { apiKey: secretOf(16), apiSecret: secretOf(32) };
  const server = createServer();
  const heldPort = await listen(server, port);
  const door = new Door({ venue, credentials, weights, clock, port: heldPort });
  server.on('request', (request, response) => answer(door, request, response));
  return { url: `http://${host}:${heldPort}`, ...credentials, close: () => close(server) };
}

function secretOf(bytes: number): string {
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
  return new Error(`Port ${port} of ${host} ${why}; choose another, or 0 for any free one.`, {
    cause: error,
  });
}

function answer(door: Door, request: IncomingMessage, response: ServerResponse): void {
  boundBody(request);
  const { method = '', url: target = '', headers } = request;
  const { status, headers: ownHeaders, body } = door.reply({ method, target, headers });
  response.writeHead(status, { ...ownHeaders, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Reads a body and forgets it; cuts the connection when it does not end. */
function boundBody(request: IncomingMessage): void {
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > largestBodyBytes) request.destroy();
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
