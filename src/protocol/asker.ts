import type { Clock } from '../base/clock.ts';
import {
  isAnswering,
  RpcError,
  type Asking,
  type Events,
  type Methods,
  type Port,
} from './messages.ts';

export type Listeners<Told extends Events> = {
  [Name in keyof Told]: (value: Told[Name]) => void;
};

type Pending = { resolve(result: unknown): void; reject(reason: Error): void };

export type AskerOptions<Asked extends Methods, Told extends Events> = {
  port: Port;
  clock: Clock;
  /** Makes the ids of one page load differ from those of every other, so that no late answer lands. */
  epoch: string;
  /**
   * After so many milliseconds without an answer a request fails with kind `timeout`; null where the
   * other end has deadlines of its own.
   */
  deadlineMs(name: keyof Asked): number | null;
  listeners: Listeners<Told>;
};

/** The page's end of the conversation: requests with ids, deadlines and cancellation; and events. */
export class Asker<Asked extends Methods, Told extends Events> {
  private readonly options: AskerOptions<Asked, Told>;
  private readonly pending = new Map<string, Pending>();
  private lastId = 0;

  constructor(options: AskerOptions<Asked, Told>) {
    this.options = options;
    options.port.onMessage((message) => this.receive(message));
  }

  /** Rejects with `RpcError`, or with the signal's reason when aborted. */
  request<Name extends keyof Asked & string>(
    name: Name,
    params: Asked[Name]['params'],
    signal?: AbortSignal,
  ): Promise<Asked[Name]['result']> {
    signal?.throwIfAborted();
    const id = `${this.options.epoch}:${(this.lastId += 1)}`;
    return new Promise((resolve, reject) => {
      const give = (reason: unknown): void => {
        settle();
        this.post({ v: 1, kind: 'cancel', id });
        reject(reason instanceof Error ? reason : new Error('aborted'));
      };
      const onAbort = (): void => give(signal?.reason);
      const stopDeadline = this.afterDeadline(name, () =>
        give(new RpcError({ kind: 'timeout', sentence: '' })),
      );
      const settle = (): void => {
        this.pending.delete(id);
        stopDeadline();
        signal?.removeEventListener('abort', onAbort);
      };
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

  private afterDeadline(name: keyof Asked, give: () => void): () => void {
    const deadlineMs = this.options.deadlineMs(name);
    return deadlineMs === null ? () => undefined : this.options.clock.after(deadlineMs, give);
  }

  private post(message: Asking): void {
    this.options.port.post(message);
  }

  private receive(message: unknown): void {
    if (!isAnswering(message)) return;
    switch (message.kind) {
      case 'reply':
        this.pending.get(message.id)?.resolve(message.body);
        return;
      case 'error':
        this.pending.get(message.id)?.reject(new RpcError(message.body));
        return;
      case 'event':
        if (Object.hasOwn(this.options.listeners, message.name))
          this.options.listeners[message.name]?.(message.body as Told[string]);
        return;
      default:
        message satisfies never;
    }
  }
}
