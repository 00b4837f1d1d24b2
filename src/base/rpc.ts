import { startDeadline } from './abort.ts';
import type { Disposable } from './disposable.ts';
import type { Clock } from './time.ts';

/** Methods by name, each with its parameters and its result. */
export type Methods = Record<string, { params: unknown; result: unknown }>;
/** Events by name, each with its value. */
export type Events = Record<string, unknown>;

/** One end of a channel: `postMessage` out, message events in. */
export type Port = {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
};

/** From the end that asks. */
export type ClientMessage =
  | { kind: 'request'; id: string; name: string; body: unknown }
  | { kind: 'cancel'; id: string };

/** From the end that answers. */
type ServerMessage =
  | { kind: 'reply'; id: string; body: unknown }
  | { kind: 'error'; id: string; body: unknown }
  | { kind: 'event'; name: string; body: unknown };

export type RpcClientOptions<Served extends Methods, Sent extends Events> = {
  readonly port: Port;
  readonly clock: Clock;
  /** Unique for each load of a page, so that no answer reaches a later one. */
  readonly idPrefix: string;
  /** How long a request waits; null if the server has its own deadline. */
  readonly deadlineMs: (name: keyof Served) => number | null;
  /** The error of a failure that the server described. */
  readonly toError: (failure: unknown) => Error;
  readonly listeners: { [Name in keyof Sent]: (value: Sent[Name]) => void };
};

/** The end of a channel that asks: sends requests and cancels them, receives replies and events. */
export class RpcClient<Served extends Methods, Sent extends Events> {
  private readonly options: RpcClientOptions<Served, Sent>;
  private readonly pending = new Map<string, PromiseWithResolvers<unknown>>();
  private count = 0;

  constructor(options: RpcClientOptions<Served, Sent>) {
    this.options = options;
    options.port.onMessage((message) => this.receive(message));
  }

  /** Rejects with what `toError` gives, with DeadlineExceeded, or with the signal's reason if it aborts. */
  request<Name extends keyof Served & string>(
    name: Name,
    params: Served[Name]['params'],
    signal?: AbortSignal,
  ): Promise<Served[Name]['result']> {
    signal?.throwIfAborted();
    const { port, idPrefix, deadlineMs, clock } = this.options;
    const post = (message: ClientMessage): void => port.postMessage(message);
    const id = requestId(idPrefix, (this.count += 1));
    const pending = Promise.withResolvers<unknown>();
    const deadline = startDeadline(clock, deadlineMs(name) ?? Infinity, signal);
    deadline.signal.addEventListener('abort', () => {
      post({ kind: 'cancel', id });
      pending.reject(deadline.signal.reason as Error);
    });
    this.pending.set(id, pending);
    post({ kind: 'request', id, name, body: params });
    return pending.promise.finally(() => {
      this.pending.delete(id);
      deadline.dispose();
    });
  }

  /** The server is gone: what waits for it is rejected. */
  rejectAll(error: Error): void {
    for (const { reject } of this.pending.values()) reject(error);
  }

  private receive(message: unknown): void {
    if (!isServerMessage(message)) return;
    switch (message.kind) {
      case 'reply':
        this.pending.get(message.id)?.resolve(message.body);
        return;
      case 'error':
        this.pending.get(message.id)?.reject(this.options.toError(message.body));
        return;
      case 'event':
        if (Object.hasOwn(this.options.listeners, message.name))
          this.options.listeners[message.name]?.(message.body as Sent[string]);
        return;
    }
  }
}

type RpcServerOptions = {
  readonly port: Port;
  /** Throws if there is no such method. */
  readonly serve: (name: string, params: unknown, signal: AbortSignal) => unknown;
  /** Describes for the client what `serve` threw. */
  readonly toFailure: (error: unknown) => unknown;
};

type Request = { readonly id: string; readonly name: string; readonly body: unknown };
/** A request that has not arrived, with its answer. */
type Expected = Request & { readonly answer: Promise<ServerMessage | undefined> };

/** The end of a channel that answers: serves requests and sends events. */
export class RpcServer<Served extends Methods, Sent extends Events> implements Disposable {
  private readonly options: RpcServerOptions;
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;
  private expected: Expected | undefined;
  private isDisposed = false;

  constructor(options: RpcServerOptions) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => void this.receive(message));
  }

  /** Sends an event. It has no reply. What was answered ahead may be outdated by it. */
  notify<Name extends keyof Sent & string>(name: Name, value: Sent[Name]): void {
    this.forgetExpected();
    this.post({ kind: 'event', name, body: value });
  }

  /** Begins to serve the first request of a client that still loads. It is answered when it arrives. */
  expect(idPrefix: string, name: keyof Served & string): void {
    const request = { id: requestId(idPrefix, 1), name, body: null };
    const answer = Promise.resolve().then(() => this.answer(request));
    this.expected = { ...request, answer };
  }

  /** A request that has not arrived is served when it does. */
  forgetExpected(): void {
    this.expected = undefined;
  }

  /** Aborts what still runs. Nothing is served any more, also what was expected. */
  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private async receive(message: unknown): Promise<void> {
    if (!isClientMessage(message)) return;
    if (message.kind === 'cancel') {
      this.running.get(message.id)?.abort();
      return;
    }
    const { expected } = this;
    // VS Code may load the same HTML again, which asks with the same id.
    this.forgetExpected();
    const isExpected =
      expected?.id === message.id && expected.name === message.name && message.body === null;
    const answer = await (isExpected ? expected.answer : this.answer(message));
    if (answer) this.post(answer);
  }

  /** Undefined if the request was cancelled. */
  private async answer({ id, name, body }: Request): Promise<ServerMessage | undefined> {
    if (this.isDisposed) return undefined;
    const controller = new AbortController();
    this.running.set(id, controller);
    const { signal } = controller;
    const { serve, toFailure } = this.options;
    try {
      const result = await serve(name, body, signal);
      return signal.aborted ? undefined : { kind: 'reply', id, body: result ?? null };
    } catch (error) {
      return signal.aborted ? undefined : { kind: 'error', id, body: toFailure(error) };
    } finally {
      this.running.delete(id);
    }
  }

  private post(message: ServerMessage): void {
    this.options.port.postMessage(message);
  }
}

function requestId(idPrefix: string, count: number): string {
  return `${idPrefix}:${count}`;
}

function isClientMessage(value: unknown): value is ClientMessage {
  if (!isMessage(value) || typeof value.id !== 'string') return false;
  return value.kind === 'cancel' || (value.kind === 'request' && typeof value.name === 'string');
}

function isServerMessage(value: unknown): value is ServerMessage {
  if (!isMessage(value)) return false;
  if (value.kind === 'event') return typeof value.name === 'string';
  return (value.kind === 'reply' || value.kind === 'error') && typeof value.id === 'string';
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
