import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { OperationName } from '../../../src/api/operations.ts';

/** The answer of the server without a fault. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Another answer in place of the right one. */
export type WrongReply =
  /** Half of the JSON as a whole HTTP body; a page of a gateway; nothing. */
  | { readonly kind: 'cutJson' | 'html' | 'emptyBody' }
  | { readonly kind: 'body'; readonly text: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  | { readonly kind: 'deepNesting'; readonly depth: number }
  | { readonly kind: 'hugeString'; readonly megabytes: number };

/** What happens to the right answer on its way. */
export type BadWay =
  | { readonly kind: 'resetBeforeHeaders' | 'resetMidBody' }
  | { readonly kind: 'stallBeforeHeaders' | 'stallMidBody' }
  /** Spaces: that many MB after decompression. */
  | { readonly kind: 'gzipBomb'; readonly megabytes: number }
  /** The declared length of the body is wrong by this much. */
  | { readonly kind: 'wrongLength'; readonly byBytes: number }
  | { readonly kind: 'slowDrip'; readonly everyMs: number; readonly bytes: number };

export type Fault = WrongReply | BadWay;

/** Which requests get a fault: all unless bounded. */
export type FaultRule = {
  readonly on?: OperationName | readonly OperationName[];
  /** The first such request of its operation, counted from 1. */
  readonly from?: number;
  /** How many requests get it. */
  readonly times?: number;
  /** The server does not act on the request: a DELETE cancels nothing. */
  readonly beforeActing?: boolean;
  readonly fault: Fault;
};

/** The first rule that applies to the `nth` request of an operation. */
export function ruleFor(
  rules: readonly FaultRule[],
  operation: OperationName,
  nth: number,
): FaultRule | undefined {
  return rules.find(({ on = operation, from = 1, times = Infinity }) => {
    const named = typeof on === 'string' ? [on] : on;
    return named.includes(operation) && nth >= from && nth < from + times;
  });
}

/** Sends the whole answer. */
export function send({ status, headers, body }: Reply, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Sends what a fault leaves of the answer. */
export function sendFaulty(fault: Fault, reply: Reply, response: ServerResponse): void {
  if (isWrongReply(fault)) send({ ...reply, ...wrongReply(fault, reply) }, response);
  else sendBadly(fault, reply, response);
}

function isWrongReply(fault: Fault): fault is WrongReply {
  return !badWays.has(fault.kind);
}

const badWays: ReadonlySet<Fault['kind']> = new Set<BadWay['kind']>([
  'resetBeforeHeaders',
  'resetMidBody',
  'stallBeforeHeaders',
  'stallMidBody',
  'gzipBomb',
  'wrongLength',
  'slowDrip',
]);

function sendBadly(fault: BadWay, reply: Reply, response: ServerResponse): void {
  switch (fault.kind) {
    case 'resetBeforeHeaders':
      response.socket?.resetAndDestroy();
      return;
    case 'stallBeforeHeaders':
      return;
    case 'resetMidBody':
      writeHead(reply, response).write(half(reply), () => response.socket?.destroy());
      return;
    case 'stallMidBody':
      // A byte more than the body: also an empty one must not be whole.
      writeHead(reply, response, 1).write(half(reply));
      return;
    case 'gzipBomb':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb(fault.megabytes));
      return;
    case 'wrongLength':
      response.shouldKeepAlive = false;
      writeHead(reply, response, fault.byBytes).end(reply.body);
      return;
    case 'slowDrip':
      drip(reply, fault, response);
      return;
    default:
      fault satisfies never;
  }
}

function wrongReply(fault: WrongReply, reply: Reply): Partial<Reply> {
  switch (fault.kind) {
    case 'cutJson':
      return { body: half(reply) };
    case 'html':
      return { body: '<!doctype html><h1>Please wait</h1>' };
    case 'emptyBody':
      return { body: '' };
    case 'body':
      return { body: fault.text };
    case 'status':
      return { status: fault.status, headers: fault.headers ?? {}, body: fault.body ?? '' };
    case 'redirect':
      return { status: fault.status ?? 302, headers: { location: fault.to }, body: '' };
    case 'deepNesting':
      return { body: `${'['.repeat(fault.depth)}${']'.repeat(fault.depth)}` };
    case 'hugeString':
      return { body: `"${'a'.repeat(fault.megabytes * 1024 * 1024)}"` };
    default:
      return fault satisfies never;
  }
}

function half({ body }: Reply): string {
  return body.slice(0, Math.ceil(body.length / 2));
}

function writeHead({ status, headers, body }: Reply, response: ServerResponse, byBytes = 0) {
  return response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body) + byBytes,
  });
}

/** A gzip file may consist of several: one megabyte is compressed once. */
function bomb(megabytes: number): Buffer {
  const packed = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  return Buffer.concat(Array.from({ length: megabytes }, () => packed));
}

function drip(
  reply: Reply,
  { everyMs, bytes }: Extract<Fault, { kind: 'slowDrip' }>,
  response: ServerResponse,
): void {
  const left = Buffer.from(reply.body);
  let sent = 0;
  writeHead(reply, response).flushHeaders();
  const timer = setInterval(() => {
    response.write(left.subarray(sent, sent + bytes));
    sent += bytes;
    if (sent >= left.length) response.end();
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}
