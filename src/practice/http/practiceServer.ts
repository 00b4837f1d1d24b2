import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
  type IncomingHttpHeaders,
} from 'node:http';
import { systemClock, type Clock, minuteMs } from '../../base/time.ts';
import { SimulatedExchange } from '../simulatedExchange.ts';
import { HttpError, jsonResponse, type JsonResponse } from './jsonResponse.ts';
import { authenticate, type Credentials } from './requestAuthentication.ts';
import { routes, type Route } from './routes.ts';

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
  const practice = { exchange, credentials, weightLimiter, clock, port: listeningPort };
  server.on('request', (request, response) => respond(practice, request, response));
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

function respond(practice: Practice, request: IncomingMessage, response: ServerResponse): void {
  limitBody(request);
  const { status, headers, body } = answer(practice, request);
  // The server's own Date header would be of the system clock.
  const date = new Date(practice.clock.now()).toUTCString();
  response.writeHead(status, { ...headers, date, 'content-length': Buffer.byteLength(body) });
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

type Practice = {
  readonly exchange: SimulatedExchange;
  readonly credentials: Credentials;
  readonly weightLimiter: WeightLimiter;
  readonly clock: Clock;
  /** The port that the Host header must name. */
  readonly port: number;
};

const maxBodyBytes = 64 * 1024;

/** Checks a request and passes it to the exchange. Every error has the same shape. */
function answer(practice: Practice, request: IncomingMessage): JsonResponse {
  const { path, query } = splitTarget(request.url ?? '');
  try {
    return jsonResponse(200, serve(practice, request, path, query));
  } catch (error) {
    const { status, message, headers } = error instanceof HttpError ? error : internalError(error);
    const timestamp = new Date(practice.clock.now()).toISOString();
    const failure = { timestamp, status, error: STATUS_CODES[status], message, path };
    return jsonResponse(status, failure, headers);
  }
}

function serve(
  { exchange, credentials, weightLimiter, clock, port }: Practice,
  { method = '', headers }: IncomingMessage,
  path: string,
  query: string,
): unknown {
  checkHeaders(headers, port);
  const route = routeFor(method, path);
  takeWeight(weightLimiter, route.weight);
  const key = headers['x-api-key'];
  if (route.isProtected)
    authenticate(query, typeof key === 'string' ? key : undefined, credentials, clock);
  return route.handle(exchange, new URLSearchParams(query));
}

/** The Host header must name this machine: this stops DNS rebinding by a web page. */
function checkHeaders(headers: IncomingHttpHeaders, port: number): void {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
    throw new HttpError(421, `The Host header must be 127.0.0.1:${port}.`);
  }
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) {
    throw new HttpError(413, 'The request body is too large.', { connection: 'close' });
  }
}

function takeWeight(weightLimiter: WeightLimiter, weight: number): void {
  const waitMs = weightLimiter.take(weight);
  if (waitMs === 0) return;
  const seconds = String(Math.ceil(waitMs / 1000));
  const message = `The weight limit is used up. Wait ${seconds} s.`;
  throw new HttpError(429, message, { 'retry-after': seconds });
}

function internalError(error: unknown): HttpError {
  return new HttpError(500, `The practice exchange failed: ${String(error)}`);
}

function routeFor(method: string, path: string): Route {
  const candidates = routes.filter((route) => route.path === path);
  if (candidates.length === 0) throw new HttpError(404, 'This path does not exist.');
  const found = candidates.find((route) => route.method === method);
  if (found) return found;
  const allow = candidates.map((route) => route.method).join(', ');
  throw new HttpError(405, `This path supports only ${allow}.`, { allow });
}

function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** Limits the request weight of the last 60 seconds (section 8 of the API document). */
export class WeightLimiter {
  private readonly limit: number;
  private readonly clock: Clock;
  private taken: readonly { readonly time: number; readonly weight: number }[] = [];

  constructor(limit: number, clock: Clock) {
    this.limit = limit;
    this.clock = clock;
  }

  /** Takes the weight and returns 0, or takes nothing and returns the milliseconds to wait. */
  take(weight: number): number {
    const now = this.clock.now();
    this.taken = this.taken.filter(({ time }) => time > now - minuteMs);
    const waitMs = this.waitFor(weight, now);
    if (waitMs === 0) this.taken = [...this.taken, { time: now, weight }];
    return waitMs;
  }

  private waitFor(weight: number, now: number): number {
    let excess = this.taken.reduce((sum, entry) => sum + entry.weight, weight) - this.limit;
    if (excess <= 0) return 0;
    for (const entry of this.taken) {
      excess -= entry.weight;
      if (excess <= 0) return entry.time + minuteMs - now;
    }
    return minuteMs;
  }
}
