import type { Port } from '../../protocol/messages.ts';

/** What VS Code gives a page; it may be acquired once in its life. */
export type VsCodeApi = {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The wire to the host that owns this page. */
export function hostPort(vscode: VsCodeApi): Port {
  return {
    post: (message) => vscode.postMessage(message),
    onMessage: (listener) => {
      const receive = (event: MessageEvent<unknown>): void => listener(event.data);
      window.addEventListener('message', receive);
      return { dispose: () => window.removeEventListener('message', receive) };
    },
  };
}
