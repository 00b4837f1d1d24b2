import type { Clock } from '../base/time.ts';
import {
  isServerMessage,
  requestId,
  RpcError,
  type ClientMessage,
  type Events,
  type Methods,
  type Port,
} from './messages.ts';

export type RpcClientOptions<Served extends Methods, Sent extends Events> = {
  readonly port: Port;
  readonly clock: Clock;
  /** Unique for each page load, so that no answer reaches a later page. */
  readonly idPrefix: string;
  /** How long a request waits before it fails with kind `timeout`; null if the server has its own deadline. */
  readonly deadlineMs: (name: keyof Served) => number | null;
  readonly listeners: { [Name in keyof Sent]: (value: Sent[Name]) => void };
};

/** The page's end of the channel: sends requests and cancels them, receives replies and events. */
export class RpcClient<Served extends Methods, Sent extends Events> {
  private readonly options: RpcClientOptions<Served, Sent>;
  private readonly pending = new Map<string, PromiseWithResolvers<unknown>>();
  private count = 0;

  constructor(options: RpcClientOptions<Served, Sent>) {
    this.options = options;
    options.port.onMessage((message) => this.receive(message));
  }

  /** Rejects with `RpcError`, or with the signal's reason if it aborts. */
  request<Name extends keyof Served & string>(
    name: Name,
    params: Served[Name]['params'],
    signal?: AbortSignal,
  ): Promise<Served[Name]['result']> {
    signal?.throwIfAborted();
    const { port, idPrefix, deadlineMs, clock } = this.options;
    const post = (message: ClientMessage): void => port.postMessage(message);
    const id = requestId(idPrefix, (this.count += 1), name, params);
    const pending = Promise.withResolvers<unknown>();
    const cancel = (reason: unknown): void => {
      post({ v: 1, kind: 'cancel', id });
      pending.reject(reason instanceof Error ? reason : new Error('aborted'));
    };
    const onAbort = (): void => cancel(signal?.reason);
    const onDeadline = (): void => cancel(new RpcError({ kind: 'timeout', sentence: '' }));
    const waitMs = deadlineMs(name);
    const stopTimer = waitMs === null ? undefined : clock.after(waitMs, onDeadline);
    signal?.addEventListener('abort', onAbort);
    this.pending.set(id, pending);
    post({ v: 1, kind: 'request', id, name, body: params });
    return pending.promise.finally(() => {
      this.pending.delete(id);
      stopTimer?.();
      signal?.removeEventListener('abort', onAbort);
    });
  }

  private receive(message: unknown): void {
    if (!isServerMessage(message)) return;
    switch (message.kind) {
      case 'reply':
        this.pending.get(message.id)?.resolve(message.body);
        return;
      case 'error':
        this.pending.get(message.id)?.reject(new RpcError(message.body));
        return;
      case 'event':
        if (Object.hasOwn(this.options.listeners, message.name))
          this.options.listeners[message.name]?.(message.body as Sent[string]);
        return;
    }
  }
}
