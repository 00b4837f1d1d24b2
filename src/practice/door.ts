import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { authenticate, type Credentials } from './authentication.ts';
import { jsonText } from './json.ts';
import { routes, type Route } from './paths.ts';
import { Refusal } from './refusal.ts';
import type { Venue } from './venue.ts';
import type { WeightCounter } from './weights.ts';

/** The head of a request; its body never matters. */
export type RequestHead = {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type DoorOptions = {
  readonly venue: Venue;
  readonly credentials: Credentials;
  readonly weights: WeightCounter;
  readonly clock: Clock;
  /** The port that a Host header has to name. */
  readonly port: number;
};

export const largestBodyBytes = 64 * 1024;

/** Decides who is let in, and words every answer; a refused request gets the error shape. */
export class Door {
  private readonly options: DoorOptions;

  constructor(options: DoorOptions) {
    this.options = options;
  }

  reply(request: RequestHead): Reply {
    try {
      return replyWith(200, this.serve(request));
    } catch (error) {
      return this.refuse(request, error);
    }
  }

  private serve({ method, target, headers }: RequestHead): unknown {
    const { path, query } = split(target);
    this.checkHead(headers);
    const route = routeFor(method, path);
    this.takeWeight(route.weight);
    if (route.isProtected) this.checkSigned(query, headers);
    return route.answer(this.options.venue, new URLSearchParams(query));
  }

  /** A name of this machine only: a web page that points its own name here is turned away. */
  private checkHead(headers: IncomingHttpHeaders): void {
    const { port } = this.options;
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
    if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
      throw new Refusal(421, `The Host header must be 127.0.0.1:${port}.`);
    }
    if (Number(headers['content-length'] ?? 0) > largestBodyBytes) {
      throw new Refusal(413, 'The body of the request is too large.', { connection: 'close' });
    }
  }

  private takeWeight(weight: number): void {
    const waitMs = this.options.weights.take(weight);
    if (waitMs === 0) return;
    const seconds = String(Math.ceil(waitMs / 1000));
    const message = `The weight limit of this minute is used up; wait ${seconds} s.`;
    throw new Refusal(429, message, { 'retry-after': seconds });
  }

  private checkSigned(query: string, headers: IncomingHttpHeaders): void {
    const key = headers['x-api-key'];
    authenticate(
      query,
      typeof key === 'string' ? key : undefined,
      this.options.credentials,
      this.options.clock,
    );
  }

  private refuse({ target }: RequestHead, error: unknown): Reply {
    const { status, message, headers } = error instanceof Refusal ? error : failure(error);
    const timestamp = new Date(this.options.clock.now()).toISOString();
    const { path } = split(target);
    return replyWith(
      status,
      { timestamp, status, error: STATUS_CODES[status], message, path },
      headers,
    );
  }
}

function replyWith(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: jsonText(value),
  };
}

function failure(error: unknown): Refusal {
  return new Refusal(500, `The practice exchange failed: ${String(error)}`);
}

function routeFor(method: string, path: string): Route {
  const there = routes.filter((route) => route.path === path);
  if (there.length === 0) throw new Refusal(404, 'There is nothing at this path.');
  const route = there.find((candidate) => candidate.method === method);
  if (route) return route;
  const allow = there.map((candidate) => candidate.method).join(', ');
  throw new Refusal(405, `This path takes only ${allow}.`, { allow });
}

function split(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
}
