import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { operations, type OperationName } from '../../src/api/operations.ts';
import { HttpError } from '../../src/practice/http/jsonResponse.ts';
import type { Arrival } from './arrivals.ts';
import { ruleFor, send, sendFaulty, type Reply } from './hostileExchange/faults.ts';
import { limitReply, refusalReply } from './hostileExchange/limit.ts';
import type { HostileExchangeOptions } from './hostileExchange/options.ts';
import type { HistoryName, Row } from './hostileExchange/rows.ts';
import { operationOf, type SeenOperation } from './hostileExchange/seen.ts';
import { ExchangeState } from './hostileExchange/state.ts';
import { hostileServer } from './hostileServer.ts';

/** An exchange with every reading of the API and every fault that a test asks for. */
export type HostileExchange = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Every request of an operation, in the order of arrival. */
  readonly requests: readonly SeenOperation[];
  readonly arrivals: readonly Arrival[];
  /** Open connections that have carried a request. */
  readonly openConnections: number;
  readonly openOrders: readonly Row[];
  seen(operation: OperationName): readonly SeenOperation[];
  /** The weight of all requests of an operation. */
  weightOf(operation: OperationName): number;
  rows(history: HistoryName): readonly Row[];
  insert(history: HistoryName, rows: readonly Row[]): void;
  remove(history: HistoryName, isGone: (row: Row) => boolean): void;
  /** Opens an order. */
  place(order: Row): void;
  /** Cuts every connection, sends nothing more, and resolves when the port is free. */
  close(): Promise<void>;
};

/** Starts one on any free port of this machine. */
export async function hostileExchange(
  options: Partial<HostileExchangeOptions> = {},
): Promise<HostileExchange> {
  const state = new ExchangeState(options);
  const handler = new RequestHandler(options, state);
  const server = await hostileServer((request, response) => {
    handler.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const seen = (name: OperationName): readonly SeenOperation[] =>
    handler.requests.filter(({ operation }) => operation === name);
  return {
    url: server.url,
    requests: handler.requests,
    arrivals: handler.requests,
    get openConnections() {
      return handler.sockets.size;
    },
    get openOrders() {
      return state.openOrders;
    },
    seen,
    weightOf: (operation) => seen(operation).reduce((sum, { weight }) => sum + weight, 0),
    rows: (history) => state.rows(history),
    insert: (history, rows) => state.insert(history, rows),
    remove: (history, isGone) => state.remove(history, isGone),
    place: (order) => state.place(order),
    close: async () => {
      handler.closing.abort();
      await server.close();
    },
  };
}

/** Called in a `describe`: returns a function that starts an exchange and closes it after the test. */
export function exchangesOfEachTest(
  defaults: Partial<HostileExchangeOptions> = {},
): typeof hostileExchange {
  const running: HostileExchange[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((exchange) => exchange.close()));
  });
  return async (options) => {
    const exchange = await hostileExchange({ ...defaults, ...options });
    running.push(exchange);
    return exchange;
  };
}

class RequestHandler {
  readonly requests: SeenOperation[] = [];
  readonly sockets = new Set<Socket>();
  readonly closing = new AbortController();
  private readonly counts = new Map<OperationName, number>();
  private readonly options: Partial<HostileExchangeOptions>;
  private readonly state: ExchangeState;

  constructor(options: Partial<HostileExchangeOptions>, state: ExchangeState) {
    this.options = options;
    this.state = state;
  }

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.watch(message.socket);
    response.sendDate = false;
    if (!(await this.delay(this.options.uplinkMs?.()))) return;
    const request = this.record(message);
    if (request) await this.answer(request, response);
    else send(nothingHere, response);
  }

  private async answer(request: SeenOperation, response: ServerResponse): Promise<void> {
    this.options.onRequest?.(request);
    const rule = ruleFor(this.options.faults ?? [], request.operation, request.nth);
    const fault = rule?.fault ?? this.options.faultOf?.(request);
    const reply = rule?.beforeActing ? unserved : this.reply(request);
    if (!(await this.delay(this.options.downlinkMs?.())) || response.destroyed) return;
    if (fault) sendFaulty(fault, reply, response);
    else send(reply, response);
  }

  private watch(socket: Socket): void {
    if (this.sockets.has(socket)) return;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** Waits for the delay; whether the server is still open after it. */
  private async delay(ms: number | undefined): Promise<boolean> {
    const { signal } = this.closing;
    if (ms !== undefined) await setTimeout(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  private record({ method = '', url: path = '', headers }: IncomingMessage) {
    const operation = operationOf(method, path);
    if (operation === undefined) return undefined;
    const nth = (this.counts.get(operation) ?? 0) + 1;
    this.counts.set(operation, nth);
    const request: SeenOperation = {
      method,
      path,
      headers,
      operation,
      nth,
      query: new URL(path, 'http://host').searchParams,
      weight: operations[operation].weight,
      at: performance.now(),
    };
    this.requests.push(request);
    return request;
  }

  private reply(request: SeenOperation): Reply {
    const { status, headers, body } = this.serve(request);
    return { status, headers: { ...this.ownHeaders(), ...headers }, body };
  }

  private serve(request: SeenOperation): Reply {
    const { limit } = this.options;
    const limited = limit && limitReply(this.requests, limit, request.at);
    if (limited) return limited;
    try {
      return { status: 200, headers: {}, body: this.state.answer(request) };
    } catch (error) {
      if (error instanceof HttpError) return refusalReply(error, request.path);
      throw error;
    }
  }

  private ownHeaders(): Record<string, string> {
    const date = new Date(this.state.now()).toUTCString();
    return { 'content-type': 'application/json', date };
  }
}

const nothingHere = refusalReply(new HttpError(404, 'There is nothing at this path.'), '');
const unserved: Reply = { status: 200, headers: {}, body: '' };
