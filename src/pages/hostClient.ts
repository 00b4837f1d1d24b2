import { systemClock } from '../base/time.ts';
import type { Events, Methods } from '../protocol/messages.ts';
import { RpcClient, type RpcClientOptions } from '../protocol/rpcClient.ts';

/** What VS Code gives a page. */
type VsCodeApi = {
  readonly postMessage: (message: unknown) => void;
  readonly getState: () => unknown;
  readonly setState: (state: unknown) => void;
};

declare function acquireVsCodeApi(): VsCodeApi;

let api: VsCodeApi | undefined;

/** VS Code gives it only once. */
export function acquireApi(): VsCodeApi {
  return (api ??= acquireVsCodeApi());
}

/** What the host calls this load of the page. */
export function pageStamp(): string | undefined {
  return document.getElementById('app')?.dataset.stamp;
}

/** A message that is no request. */
export function postToHost(message: unknown): void {
  acquireApi().postMessage(message);
}

/** Exchanges messages with the host that owns this page. Without a deadline, requests wait for the user. */
export function hostClient<Served extends Methods, Sent extends Events>(
  { postMessage }: VsCodeApi,
  listeners: RpcClientOptions<Served, Sent>['listeners'],
  deadlineMs: RpcClientOptions<Served, Sent>['deadlineMs'] = () => null,
): RpcClient<Served, Sent> {
  const onMessage = (listener: (message: unknown) => void) => {
    const receive = (event: MessageEvent<unknown>): void => listener(event.data);
    window.addEventListener('message', receive);
    return { dispose: () => window.removeEventListener('message', receive) };
  };
  return new RpcClient({
    port: { postMessage, onMessage },
    clock: systemClock,
    idPrefix: pageStamp() ?? crypto.randomUUID(),
    deadlineMs,
    listeners,
  });
}
