import * as v from 'valibot';
import { RpcServer, type Events, type Methods, type Port } from '../base/rpc.ts';

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
export const snapshotSchema = v.object({
  kind: v.literal('snapshot'),
  stamp: v.string(),
  html: v.string(),
  /** Whether a person has used the page. */
  isTouched: v.boolean(),
});
export type PageSnapshot = Pick<v.InferOutput<typeof snapshotSchema>, 'html' | 'isTouched'>;

type PageServerOptions<Served extends Methods> = {
  readonly port: Port;
  /** A request whose parameters do not match their schema fails. */
  readonly params: Params<Served>;
  readonly handlers: Handlers<Served>;
  /** Describes for the page what a handler threw. */
  readonly toFailure: (error: unknown) => RpcFailure;
};

/** The host's end of the channel to a page. */
export function pageServer<Served extends Methods, Sent extends Events>({
  port,
  params,
  handlers,
  toFailure,
}: PageServerOptions<Served>): RpcServer<Served, Sent> {
  return new RpcServer({
    port,
    serve: (name, body, signal) => {
      const schema = Object.hasOwn(params, name) ? params[name] : undefined;
      const handler = handlers[name];
      if (!schema || !handler) throw new RpcError({ kind: 'unknownMethod', sentence: '' });
      return handler(v.parse(schema, body), signal);
    },
    toFailure: (error) => (error instanceof RpcError ? error.failure : toFailure(error)),
  });
}
