import * as v from 'valibot';
import type { Disposable } from '../base/disposable.ts';
import {
  isClientMessage,
  requestId,
  RpcError,
  type ClientMessage,
  type Events,
  type Methods,
  type Params,
  type Port,
  type RpcFailure,
  type ServerMessage,
} from './messages.ts';

/** A method whose result is null only runs. */
type Reply<Result> = [Result] extends [null] ? Promise<void> | void : Promise<Result> | Result;
export type Handlers<Served extends Methods> = {
  [Name in keyof Served]: (
    params: Served[Name]['params'],
    signal: AbortSignal,
  ) => Reply<Served[Name]['result']>;
};

type RpcServerOptions<Served extends Methods> = {
  readonly port: Port;
  /** A request whose parameters do not match their schema fails. */
  readonly params: Params<Served>;
  readonly handlers: Handlers<Served>;
  /** Describes for the page what a handler threw. */
  readonly toFailure: (error: unknown) => RpcFailure;
};

type Request = Pick<ClientMessage & { kind: 'request' }, 'id' | 'name' | 'body'>;

/** The host's end of the channel: serves requests and sends events. */
export class RpcServer<Served extends Methods, Sent extends Events> implements Disposable {
  private readonly options: RpcServerOptions<Served>;
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;
  /** Answers to requests that have not arrived, by their ids. */
  private readonly expected = new Map<string, Promise<ServerMessage | undefined>>();

  constructor(options: RpcServerOptions<Served>) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => void this.receive(message));
  }

  /** Sends an event. It has no reply. What was answered ahead may be outdated by it. */
  notify<Name extends keyof Sent & string>(name: Name, value: Sent[Name]): void {
    this.forgetExpected();
    this.options.port.postMessage({ v: 1, kind: 'event', name, body: value });
  }

  /** Begins to serve the first request of a page that still loads. It is answered when it arrives. */
  expect(idPrefix: string, name: keyof Served & string): void {
    const id = requestId(idPrefix, 1, name, null);
    const answer = Promise.resolve().then(() => this.serve({ id, name, body: null }));
    this.expected.set(id, answer);
  }

  /** A request that has not arrived is served when it does. */
  forgetExpected(): void {
    this.expected.clear();
  }

  /** Aborts what still runs. */
  dispose(): void {
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
    const expected = this.expected.get(message.id);
    // VS Code may load the same HTML again, which asks with the same id.
    this.forgetExpected();
    const answer = await (expected ?? this.serve(message));
    if (answer) this.options.port.postMessage(answer);
  }

  /** Undefined if the request was cancelled. */
  private async serve({ id, name, body }: Request): Promise<ServerMessage | undefined> {
    const controller = new AbortController();
    this.running.set(id, controller);
    const { signal } = controller;
    try {
      const { params, handlers } = this.options;
      const schema = Object.hasOwn(params, name) ? params[name] : undefined;
      const handler = handlers[name];
      if (!schema || !handler) throw new RpcError({ kind: 'unknownMethod', sentence: '' });
      const run = handler(v.parse(schema, body), signal);
      const result: unknown = await Promise.resolve(run);
      return signal.aborted ? undefined : { v: 1, kind: 'reply', id, body: result ?? null };
    } catch (error) {
      if (signal.aborted) return undefined;
      const failure = error instanceof RpcError ? error.failure : this.options.toFailure(error);
      return { v: 1, kind: 'error', id, body: failure };
    } finally {
      this.running.delete(id);
    }
  }
}
