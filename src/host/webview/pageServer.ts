import * as v from 'valibot';
import { RpcServer, type Events, type Methods, type Port } from '../../base/rpc.ts';
import { RpcError, type Handlers, type Params, type RpcFailure } from '../../protocol/messages.ts';

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
