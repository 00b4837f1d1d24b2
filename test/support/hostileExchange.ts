import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { operations, type OperationName } from '../../src/exchange/operations.ts';
import { Refusal } from '../../src/practice/refusal.ts';
import type { Arrival } from './arrivals.ts';
import { ruleFor, send, sendFaulty, type Reply } from './hostileExchange/faults.ts';
import { limitReply, refusalReply, weightIn } from './hostileExchange/limit.ts';
import type { HostileExchangeOptions } from './hostileExchange/options.ts';
import type { HistoryName, Row } from './hostileExchange/rows.ts';
import { operationOf, type SeenOperation } from './hostileExchange/seen.ts';
import { ExchangeState } from './hostileExchange/state.ts';
import { hostileServer } from './hostileServer.ts';

/** An exchange of the interface with every reading and every fault that a test asks for. */
export type HostileExchange = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Every request of an operation, in the order of arrival. */
  readonly requests: readonly SeenOperation[];
  readonly arrivals: readonly Arrival[];
  /** Connections that are open now and have carried a request. */
  readonly openConnections: number;
  readonly openOrders: readonly Row[];
  seen(operation: OperationName): readonly SeenOperation[];
  rows(history: HistoryName): readonly Row[];
  insert(history: HistoryName, rows: readonly Row[]): void;
  remove(history: HistoryName, isGone: (row: Row) => boolean): void;
  /** Opens an order. */
  place(order: Row): void;
  /** Cuts every connection, forgets all that it was to send, and resolves when the port is free. */
  close(): Promise<void>;
};

/** Starts one on any free port of this machine. */
export async function hostileExchange(
  options: Partial<HostileExchangeOptions> = {},
): Promise<HostileExchange> {
  const state = new ExchangeState(options);
  const door = new Door(options, state);
  const server = await hostileServer((request, response) => {
    door.meet(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    url: server.url,
    requests: door.requests,
    arrivals: door.requests,
    get openConnections() {
      return door.sockets.size;
    },
    get openOrders() {
      return state.openOrders;
    },
    seen: (operation) => door.requests.filter((request) => request.operation === operation),
    rows: (history) => state.rows(history),
    insert: (history, rows) => state.insert(history, rows),
    remove: (history, isGone) => state.remove(history, isGone),
    place: (order) => state.place(order),
    close: async () => {
      door.closing.abort();
      await server.close();
    },
  };
}

/** Called in a `describe`: gives a starter of exchanges that are closed after the test that started them. */
export function exchangesOfEachTest(): typeof hostileExchange {
  const running: HostileExchange[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((exchange) => exchange.close()));
  });
  return async (options) => {
    const exchange = await hostileExchange(options);
    running.push(exchange);
    return exchange;
  };
}

class Door {
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

  async meet(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.watch(message.socket);
    response.sendDate = false;
    if (!(await this.pass(this.options.uplinkMs?.()))) return;
    const request = this.note(message);
    if (request) await this.answer(request, response);
    else send(nothingHere, response);
  }

  private async answer(request: SeenOperation, response: ServerResponse): Promise<void> {
    this.options.onRequest?.(request);
    const rule = ruleFor(this.options.faults ?? [], request.operation, request.nth);
    const fault = rule?.fault ?? this.options.faultOf?.(request);
    const reply = rule?.beforeActing ? unserved : this.reply(request);
    if (!(await this.pass(this.options.downlinkMs?.())) || response.destroyed) return;
    if (fault) sendFaulty(fault, reply, response);
    else send(reply, response);
  }

  private watch(socket: Socket): void {
    if (this.sockets.has(socket)) return;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** Whether the way was passed before the server closed. */
  private async pass(ms: number | undefined): Promise<boolean> {
    const { signal } = this.closing;
    if (ms !== undefined) await setTimeout(ms, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  private note({ method = '', url: path = '', headers }: IncomingMessage) {
    const operation = operationOf(method, path);
    if (operation === undefined) return undefined;
    const nth = (this.counts.get(operation) ?? 0) + 1;
    this.counts.set(operation, nth);
    const request: SeenOperation = {
      ...{ method, path, headers, operation, nth },
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
      this.checkProtected(request);
      return { status: 200, headers: {}, body: this.state.answer(request) };
    } catch (error) {
      if (error instanceof Refusal) return refusalReply(error, request.path);
      throw error;
    }
  }

  private checkProtected({ operation, headers, query }: SeenOperation): void {
    const { required = [], timestampWindowMs = Infinity } = this.options;
    if (!operations[operation].signed) return;
    const missing = required.find((name) => headers[name] === undefined);
    if (missing !== undefined) throw new Refusal(401, `The header ${missing} is missing.`);
    const awayMs = Math.abs(Number(query.get('timestamp')) - this.state.now());
    if (awayMs > timestampWindowMs)
      throw new Refusal(400, 'The timestamp of this request is outside of the window.');
  }

  private ownHeaders(): Record<string, string> {
    const { hasDate = true, usedWeightHeader } = this.options;
    return {
      'content-type': 'application/json',
      ...(hasDate ? { date: new Date(this.state.now()).toUTCString() } : {}),
      ...(usedWeightHeader === undefined ? {} : { [usedWeightHeader]: this.usedWeight() }),
    };
  }

  private usedWeight(): string {
    const { limit, othersWeight = () => 0 } = this.options;
    const window = limit ?? { windowMs: 60_000, window: 'sliding' };
    return String(weightIn(this.requests, window, performance.now()) + othersWeight());
  }
}

const nothingHere = refusalReply(new Refusal(404, 'There is nothing at this path.'), '');
const unserved: Reply = { status: 200, headers: {}, body: '' };
