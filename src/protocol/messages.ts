import type { Disposable } from '../base/disposable.ts';

/** Methods by name: what each takes and what it gives back. */
export type Methods = Record<string, { params: unknown; result: unknown }>;
/** Events by name: what each tells. */
export type Events = Record<string, unknown>;

/** The wire between host and page: `postMessage` in one direction, message events in the other. */
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

/** From the page, which asks. */
export type Asking =
  | { v: 1; kind: 'request'; id: string; name: string; body: unknown }
  | { v: 1; kind: 'cancel'; id: string };

/** From the host, which answers, and tells what it was not asked. */
export type Answering =
  | { v: 1; kind: 'reply'; id: string; body: unknown }
  | { v: 1; kind: 'error'; id: string; body: RpcFailure }
  | { v: 1; kind: 'event'; name: string; body: unknown };

export function isAsking(value: unknown): value is Asking {
  if (!isMessage(value) || typeof value.id !== 'string') return false;
  return value.kind === 'cancel' || (value.kind === 'request' && typeof value.name === 'string');
}

export function isAnswering(value: unknown): value is Answering {
  if (!isMessage(value)) return false;
  if (value.kind === 'event') return typeof value.name === 'string';
  return (value.kind === 'reply' || value.kind === 'error') && typeof value.id === 'string';
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
