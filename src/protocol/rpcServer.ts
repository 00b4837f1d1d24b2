import * as v from 'valibot';
import type { Disposable } from '../base/disposable.ts';
import {
  isClientMessage,
  requestId,
  RpcError,
  type ClientMessage,
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

/** Undefined if the request was cancelled. */
type Answer = ServerMessage | undefined;

/** The host's end of the channel: serves requests and sends events. */
export class RpcServer<Served extends Methods, Sent extends Events> implements Disposable {
  private readonly options: RpcServerOptions<Served>;
  private readonly running = new Map<string, AbortController>();
  private readonly subscription: Disposable;
  private expected: { readonly id: string; readonly answer: Promise<Answer> } | undefined;

  constructor(options: RpcServerOptions<Served>) {
    this.options = options;
    this.subscription = options.port.onMessage((message) => void this.receive(message));
  }

  /** Sends an event. It has no reply. */
  notify<Name extends keyof Sent & string>(name: Name, value: Sent[Name]): void {
    this.post({ v: 1, kind: 'event', name, body: value });
  }

  /**
   * Answers the first request of a page that still loads, in the time that it takes. A message to such a
   * page may be lost: when the request arrives, it gets the same answer.
   */
  expect(idPrefix: string, name: keyof Served & string, body: null): void {
    const id = requestId(idPrefix, 1, name, body);
    const request = { v: 1, kind: 'request', id, name, body } as const;
    this.expected = { id, answer: Promise.resolve().then(() => this.serve(request)) };
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
    if (id !== this.expected?.id) await this.serve(message);
    else this.post(await this.expected.answer);
  }

  private async serve(message: ClientMessage & { kind: 'request' }): Promise<Answer> {
    const { id } = message;
    const controller = new AbortController();
    this.running.set(id, controller);
    const { signal } = controller;
    try {
      const { handlers } = this.options;
      const handler = Object.hasOwn(handlers, message.name) ? handlers[message.name] : undefined;
      if (!handler) throw new RpcError({ kind: 'unknownMethod', sentence: '' });
      const run = handler.run(v.parse(handler.params, message.body), signal);
      const result: unknown = await Promise.resolve(run);
      return this.answer({ v: 1, kind: 'reply', id, body: result ?? null }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const failure = error instanceof RpcError ? error.failure : this.options.toFailure(error);
      return this.answer({ v: 1, kind: 'error', id, body: failure }, signal);
    } finally {
      this.running.delete(id);
    }
  }

  private answer(message: ServerMessage, { aborted }: AbortSignal): Answer {
    if (!aborted) this.post(message);
    return aborted ? undefined : message;
  }

  private post(message: Answer): void {
    if (message) this.options.port.postMessage(message);
  }
}
