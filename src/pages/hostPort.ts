import type { Port } from '../protocol/messages.ts';

/** What VS Code gives a page. It can be acquired only once. */
export type VsCodeApi = {
  readonly postMessage: (message: unknown) => void;
  readonly getState: () => unknown;
  readonly setState: (state: unknown) => void;
};

declare function acquireVsCodeApi(): VsCodeApi;

export function acquireApi(): VsCodeApi {
  return acquireVsCodeApi();
}

/** Messages to and from the host that owns this page. */
export function hostPort({ postMessage }: VsCodeApi): Port {
  return {
    postMessage,
    onMessage: (listener) => {
      const receive = (event: MessageEvent<unknown>): void => listener(event.data);
      window.addEventListener('message', receive);
      return { dispose: () => window.removeEventListener('message', receive) };
    },
  };
}
