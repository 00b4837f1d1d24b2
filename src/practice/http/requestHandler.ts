import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../base/time.ts';
import type { SimulatedExchange } from '../simulatedExchange.ts';
import { HttpError, jsonResponse, type JsonResponse } from './jsonResponse.ts';
import { authenticate, type Credentials } from './requestAuthentication.ts';
import { routes, type Route } from './routes.ts';
import type { WeightLimiter } from './weightLimiter.ts';

/** A request without its body, which is never used. */
type RequestHead = {
  readonly method: string;
  /** The path and query as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
};

type RequestHandlerOptions = {
  readonly exchange: SimulatedExchange;
  readonly credentials: Credentials;
  readonly weightLimiter: WeightLimiter;
  readonly clock: Clock;
  /** The port that the Host header must name. */
  readonly port: number;
};

export const maxBodyBytes = 64 * 1024;

/** Checks a request, passes it to the exchange, and makes the response. Every error has the same shape. */
export class RequestHandler {
  private readonly options: RequestHandlerOptions;

  constructor(options: RequestHandlerOptions) {
    this.options = options;
  }

  handle(request: RequestHead): JsonResponse {
    const { headers, ...response } = this.respond(request);
    // The server's own Date header would be of the system clock.
    const date = new Date(this.options.clock.now()).toUTCString();
    return { ...response, headers: { ...headers, date } };
  }

  private respond(request: RequestHead): JsonResponse {
    try {
      return jsonResponse(200, this.serve(request));
    } catch (error) {
      return this.errorResponse(request, error);
    }
  }

  private serve({ method, target, headers }: RequestHead): unknown {
    const { path, query } = splitTarget(target);
    this.checkHeaders(headers);
    const route = routeFor(method, path);
    this.takeWeight(route.weight);
    if (route.isProtected) this.checkAuthentication(query, headers);
    return route.handle(this.options.exchange, new URLSearchParams(query));
  }

  /** The Host header must name this machine: this stops DNS rebinding by a web page. */
  private checkHeaders(headers: IncomingHttpHeaders): void {
    const { port } = this.options;
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
    if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
      throw new HttpError(421, `The Host header must be 127.0.0.1:${port}.`);
    }
    if (Number(headers['content-length'] ?? 0) > maxBodyBytes) {
      throw new HttpError(413, 'The request body is too large.', { connection: 'close' });
    }
  }

  private takeWeight(weight: number): void {
    const waitMs = this.options.weightLimiter.take(weight);
    if (waitMs === 0) return;
    const seconds = String(Math.ceil(waitMs / 1000));
    const message = `The weight limit is used up. Wait ${seconds} s.`;
    throw new HttpError(429, message, { 'retry-after': seconds });
  }

  private checkAuthentication(query: string, headers: IncomingHttpHeaders): void {
    const key = headers['x-api-key'];
    authenticate(
      query,
      typeof key === 'string' ? key : undefined,
      this.options.credentials,
      this.options.clock,
    );
  }

  private errorResponse({ target }: RequestHead, error: unknown): JsonResponse {
    const { status, message, headers } = error instanceof HttpError ? error : internalError(error);
    const timestamp = new Date(this.options.clock.now()).toISOString();
    const { path } = splitTarget(target);
    return jsonResponse(
      status,
      { timestamp, status, error: STATUS_CODES[status], message, path },
      headers,
    );
  }
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
