import type * as v from 'valibot';
import type { Disposable } from '../base/disposable.ts';

/** Methods by name, each with its parameters and its result. */
export type Methods = Record<string, { params: unknown; result: unknown }>;
/** The schema of the parameters of each method. */
export type Params<Served extends Methods> = {
  readonly [Name in keyof Served]: v.GenericSchema<unknown, Served[Name]['params']>;
};
/** Methods by the schemas of their parameters. The result is null unless `Results` names it. */
export type MethodsOf<Schemas extends Record<string, v.GenericSchema>, Results> = {
  [Name in keyof Schemas]: {
    params: v.InferOutput<Schemas[Name]>;
    result: Name extends keyof Results ? Results[Name] : null;
  };
};
/** Events by name, each with its value. */
export type Events = Record<string, unknown>;

/** One end of the channel between host and page: `postMessage` out, message events in. */
export type Port = {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
};

/** Why a request failed. */
export type RpcFailure = {
  readonly kind: string;
  /** For the user to read; empty if there was no reply. */
  readonly sentence: string;
  /** The time to try again, in epoch milliseconds, which the sentence does not name. */
  readonly retryAt?: number;
  /** What else to do about a refused sign-in. */
  readonly signIn?: readonly { readonly action: SignInAction; readonly title: string }[];
};

export const signInActions = ['setCredentials', 'testConnection'] as const;
export type SignInAction = (typeof signInActions)[number];

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly failure: RpcFailure;

  constructor(failure: RpcFailure) {
    super(failure.sentence === '' ? failure.kind : failure.sentence);
    this.failure = failure;
  }
}

/** From page to host. */
export type ClientMessage =
  | { v: 1; kind: 'request'; id: string; name: string; body: unknown }
  | { v: 1; kind: 'cancel'; id: string };

/** It says what is asked, so that a request that is expected can be answered before it arrives. */
export function requestId(idPrefix: string, count: number, name: string, body: unknown): string {
  return `${idPrefix}:${count}:${name}:${JSON.stringify(body)}`;
}

/** From host to page. */
export type ServerMessage =
  | { v: 1; kind: 'reply'; id: string; body: unknown }
  | { v: 1; kind: 'error'; id: string; body: RpcFailure }
  | { v: 1; kind: 'event'; name: string; body: unknown };

export function isClientMessage(value: unknown): value is ClientMessage {
  if (!isMessage(value) || typeof value.id !== 'string') return false;
  return value.kind === 'cancel' || (value.kind === 'request' && typeof value.name === 'string');
}

export function isServerMessage(value: unknown): value is ServerMessage {
  if (!isMessage(value)) return false;
  if (value.kind === 'event') return typeof value.name === 'string';
  return (value.kind === 'reply' || value.kind === 'error') && typeof value.id === 'string';
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
