import * as v from 'valibot';
import type { Disposable } from '../base/disposable.ts';
import {
  isClientMessage,
  RpcError,
  type Events,
  type Methods,
  type Port,
  type RpcFailure,
  type ServerMessage,
} from './messages.ts';

/** Serves one method. A request whose parameters do not match the schema fails. */
type Handler<Params, Result> = {
  readonly params: v.GenericSchema<unknown, Params>;
  readonly run: (params: Params, signal: AbortSignal) => Reply<Result>;
};
/** A method whose result is null only runs. */
type Reply<Result> = [Result] extends [null] ? Promise<void> | void : Promise<Result> | Result;
export type Handlers<Served extends Methods> = {
  [Name in keyof Served]: Handler<Served[Name]['params'], Served[Name]['result']>;
};

type RpcServerOptions<Served extends Methods> = {
  readonly port: Port;
  readonly handlers: Handlers<Served>;
  /** Describes for the page what a handler threw. */
  readonly toFailure: (error: unknown) => RpcFailure;
};

/** The host's end of the channel: serves requests and sends events. */
export class RpcServer<Served extends Methods, Sent extends Events> implements Disposable {
  private readonly options: RpcServerOptions<Served>;
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;

  constructor(options: RpcServerOptions<Served>) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => void this.receive(message));
  }

  /** Sends an event. It has no reply. */
  notify<Name extends keyof Sent & string>(name: Name, value: Sent[Name]): void {
    this.post({ v: 1, kind: 'event', name, body: value });
  }

  /** Aborts what still runs. */
  dispose(): void {
    this.subscription.dispose();
    for (const controller of this.running.values()) controller.abort();
    this.running.clear();
  }

  private async receive(message: unknown): Promise<void> {
    if (!isClientMessage(message)) return;
    const { id } = message;
    if (message.kind === 'cancel') {
      this.running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    this.running.set(id, controller);
    const { signal } = controller;
    try {
      const { handlers } = this.options;
      const handler = Object.hasOwn(handlers, message.name) ? handlers[message.name] : undefined;
      if (!handler) throw new RpcError({ kind: 'unknownMethod', sentence: '' });
      const run = handler.run(v.parse(handler.params, message.body), signal);
      const result: unknown = await Promise.resolve(run);
      if (!signal.aborted) this.post({ v: 1, kind: 'reply', id, body: result ?? null });
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof RpcError ? error.failure : this.options.toFailure(error);
      this.post({ v: 1, kind: 'error', id, body: failure });
    } finally {
      this.running.delete(id);
    }
  }

  private post(message: ServerMessage): void {
    this.options.port.postMessage(message);
  }
}
