import type * as v from 'valibot';
import type { Methods } from '../base/rpc.ts';

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

/** A method whose result is null only runs. */
type Reply<Result> = [Result] extends [null] ? Promise<void> | void : Promise<Result> | Result;
export type Handlers<Served extends Methods> = {
  [Name in keyof Served]: (
    params: Served[Name]['params'],
    signal: AbortSignal,
  ) => Reply<Served[Name]['result']>;
};

/** Why a request of a page failed. */
export type RpcFailure = {
  readonly kind: string;
  /** For the user to read; empty if there was no reply. */
  readonly sentence: string;
  /** The time to try again, in epoch milliseconds, which the sentence does not name. */
  readonly retryAt?: number;
  /** What else to do about a refused sign-in. */
  readonly signIn?: readonly { readonly action: AccountAction; readonly title: string }[];
};

export const accountActions = ['setCredentials', 'testConnection', 'tryPractice'] as const;
export type AccountAction = (typeof accountActions)[number];

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly failure: RpcFailure;

  constructor(failure: RpcFailure) {
    super(failure.sentence === '' ? failure.kind : failure.sentence);
    this.failure = failure;
  }
}

/** What a page shows, as HTML, which it tells the host by itself. */
export type PageSnapshot = {
  readonly html: string;
  /** Whether a person has used the page. */
  readonly isTouched: boolean;
};
