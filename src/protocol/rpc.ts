import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';

/** What one end answers: a method's name, what it takes and what it gives. */
export type Methods = Record<string, { params: unknown; result: unknown }>;
/** What one end tells without waiting for an answer. */
export type Events = Record<string, unknown>;

/** The wire under an Rpc: `postMessage` in one direction, message events in the other. */
export type Port = {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
};

/** Why a request failed, in words for a person. */
export type RpcFailure = {
  readonly kind: string;
  /** Empty where nobody was there to say it. */
  readonly sentence: string;
  /** When trying again makes sense, in epoch milliseconds. */
  readonly retryAt?: number;
};

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly failure: RpcFailure;

  constructor(failure: RpcFailure) {
    super(failure.sentence === '' ? failure.kind : failure.sentence);
    this.failure = failure;
  }
}

/** One method's answer: `parse` throws on parameters that are not what the method takes. */
export type Handler<Params, Result> = {
  parse(params: unknown): Params;
  run(params: Params, signal: AbortSignal): Promise<Result>;
};
export type Handlers<Ours extends Methods> = {
  [Name in keyof Ours]: Handler<Ours[Name]['params'], Ours[Name]['result']>;
};
export type Listeners<Heard extends Events> = {
  [Name in keyof Heard]: (value: Heard[Name]) => void;
};

type Message =
  | { v: 1; kind: 'request'; id: string; name: string; body: unknown }
  | { v: 1; kind: 'reply'; id: string; body: unknown }
  | { v: 1; kind: 'error'; id: string; body: RpcFailure }
  | { v: 1; kind: 'cancel'; id: string }
  | { v: 1; kind: 'event'; name: string; body: unknown };

type Pending = { resolve(result: unknown): void; reject(reason: Error): void };

export type RpcOptions<Ours extends Methods, Heard extends Events> = {
  port: Port;
  clock: Clock;
  /** Makes the ids of one page load differ from those of every other, so that no late answer lands. */
  epoch: string;
  /** After this long without an answer a request fails with kind `timeout`. */
  deadlineMs: number;
  handlers: Handlers<Ours>;
  listeners: Listeners<Heard>;
  /** Turns what a handler threw into words for the other end. */
  toFailure(error: unknown): RpcFailure;
};

/**
 * One end of the conversation between the host and a page: requests with ids, error replies,
 * deadlines and cancellation. `Ours` is what this end answers, `Theirs` what it may ask; `Heard`
 * and `Told` are the events in each direction. The other end swaps the type arguments.
 */
export class Rpc<
  Ours extends Methods,
  Theirs extends Methods,
  Heard extends Events,
  Told extends Events,
> implements Disposable {
  private readonly options: RpcOptions<Ours, Heard>;
  private readonly pending = new Map<string, Pending>();
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;
  private lastId = 0;

  constructor(options: RpcOptions<Ours, Heard>) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => this.receive(message));
  }

  /** Asks the other end. Rejects with `RpcError`, or with the signal's reason when aborted. */
  request<Name extends keyof Theirs & string>(
    name: Name,
    params: Theirs[Name]['params'],
    signal?: AbortSignal,
  ): Promise<Theirs[Name]['result']> {
    signal?.throwIfAborted();
    const id = `${this.options.epoch}:${(this.lastId += 1)}`;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.pending.delete(id);
        stopDeadline();
        signal?.removeEventListener('abort', onAbort);
      };
      const give = (reason: unknown): void => {
        settle();
        this.post({ v: 1, kind: 'cancel', id });
        reject(reason instanceof Error ? reason : new Error('aborted'));
      };
      const onAbort = (): void => give(signal?.reason);
      const stopDeadline = this.options.clock.after(this.options.deadlineMs, () =>
        give(noAnswer()),
      );
      signal?.addEventListener('abort', onAbort);
      this.pending.set(id, {
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (reason) => {
          settle();
          reject(reason);
        },
      });
      this.post({ v: 1, kind: 'request', id, name, body: params });
    });
  }

  /** Tells the other end; nothing comes back. */
  tell<Name extends keyof Told & string>(name: Name, value: Told[Name]): void {
    this.post({ v: 1, kind: 'event', name, body: value });
  }

  /** Aborts what runs for the other end and fails what was asked of it. */
  dispose(): void {
    this.subscription.dispose();
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
    for (const pending of [...this.pending.values()]) pending.reject(noAnswer());
  }

  private post(message: Message): void {
    this.options.port.post(message);
  }

  private receive(message: unknown): void {
    if (!isMessage(message)) return;
    switch (message.kind) {
      case 'request':
        void this.answer(message.id, message.name, message.body);
        return;
      case 'reply':
        this.pending.get(message.id)?.resolve(message.body);
        return;
      case 'error':
        this.pending.get(message.id)?.reject(new RpcError(message.body));
        return;
      case 'cancel':
        this.running.get(message.id)?.abort();
        return;
      case 'event':
        if (Object.hasOwn(this.options.listeners, message.name))
          this.options.listeners[message.name]?.(message.body as Heard[string]);
        return;
      default:
        message satisfies never;
    }
  }

  private async answer(id: string, name: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const handler = Object.hasOwn(this.options.handlers, name)
        ? this.options.handlers[name]
        : undefined;
      if (!handler) throw new RpcError({ kind: 'unknownMethod', sentence: '' });
      const result = await handler.run(handler.parse(params), controller.signal);
      if (!controller.signal.aborted) this.post({ v: 1, kind: 'reply', id, body: result });
    } catch (error) {
      if (controller.signal.aborted) return;
      const failure = error instanceof RpcError ? error.failure : this.options.toFailure(error);
      this.post({ v: 1, kind: 'error', id, body: failure });
    } finally {
      this.running.delete(id);
    }
  }
}

function noAnswer(): RpcError {
  return new RpcError({ kind: 'timeout', sentence: '' });
}

const kinds: readonly unknown[] = ['request', 'reply', 'error', 'cancel', 'event'];

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { v, kind, id, name } = value as Record<string, unknown>;
  if (v !== 1 || !kinds.includes(kind)) return false;
  const named = kind === 'request' || kind === 'event' ? typeof name === 'string' : true;
  return named && (kind === 'event' || typeof id === 'string');
}
