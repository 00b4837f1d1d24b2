import { RpcClient, type Events, type Methods, type RpcClientOptions } from '../base/rpc.ts';
import { systemClock } from '../base/time.ts';
import { RpcError, type RpcFailure } from '../protocol/messages.ts';
import { keepSnapshot } from './snapshot.ts';

/** What VS Code gives a page. It can be acquired only once. The host closes a panel whose saved state it does not know. */
type VsCodeApi<State> = {
  readonly postMessage: (message: unknown) => void;
  readonly getState: () => State | undefined;
  readonly setState: (state: State) => void;
};

declare function acquireVsCodeApi<State>(): VsCodeApi<State>;

export function acquireApi<State>(): VsCodeApi<State> {
  return acquireVsCodeApi();
}

/**
 * Exchanges messages with the host that owns this page, which gets snapshots of it, too. Without a deadline,
 * requests wait for the user.
 */
export function hostClient<Served extends Methods, Sent extends Events>(
  { postMessage }: Pick<VsCodeApi<never>, 'postMessage'>,
  listeners: RpcClientOptions<Served, Sent>['listeners'],
  deadlineMs: RpcClientOptions<Served, Sent>['deadlineMs'] = () => null,
): RpcClient<Served, Sent> {
  const onMessage = (listener: (message: unknown) => void) => {
    window.addEventListener('message', ({ data }) => listener(data));
    return { dispose: () => undefined };
  };
  const root = document.getElementById('app');
  // The host names each load of a page.
  const stamp = root?.dataset.stamp ?? crypto.randomUUID();
  if (root) keepSnapshot(root, (snapshot) => postMessage({ kind: 'snapshot', stamp, ...snapshot }));
  return new RpcClient({
    port: { postMessage, onMessage },
    clock: systemClock,
    idPrefix: stamp,
    deadlineMs,
    toError: (failure) => new RpcError(failure as RpcFailure),
    listeners,
  });
}
