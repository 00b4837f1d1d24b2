import type { Disposable } from '../base/disposable.ts';
import {
  isAsking,
  RpcError,
  type Answering,
  type Events,
  type Methods,
  type Port,
  type RpcFailure,
} from './messages.ts';

/** One method's answer: `parse` throws on parameters that are not what the method takes. */
export type Handler<Params, Result> = {
  parse(params: unknown): Params;
  run(params: Params, signal: AbortSignal): Promise<Result>;
};
export type Handlers<Answered extends Methods> = {
  [Name in keyof Answered]: Handler<Answered[Name]['params'], Answered[Name]['result']>;
};

export type AnswererOptions<Answered extends Methods> = {
  port: Port;
  handlers: Handlers<Answered>;
  /** Turns what a handler threw into words for the other end. */
  toFailure(error: unknown): RpcFailure;
};

/** The host's end of the conversation: answers requests or says why not, and tells events. */
export class Answerer<Answered extends Methods, Told extends Events> implements Disposable {
  private readonly options: AnswererOptions<Answered>;
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;

  constructor(options: AnswererOptions<Answered>) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => this.receive(message));
  }

  /** Nothing comes back. */
  tell<Name extends keyof Told & string>(name: Name, value: Told[Name]): void {
    this.post({ v: 1, kind: 'event', name, body: value });
  }

  /** Aborts what runs for the page. */
  dispose(): void {
    this.subscription.dispose();
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private post(message: Answering): void {
    this.options.port.post(message);
  }

  private receive(message: unknown): void {
    if (!isAsking(message)) return;
    if (message.kind === 'cancel') this.running.get(message.id)?.abort();
    else void this.answer(message.id, message.name, message.body);
  }

  private async answer(id: string, name: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const { handlers } = this.options;
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
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
