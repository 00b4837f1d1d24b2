import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';

/** The part of the Fetch standard that is used here; `fetch` and `node-fetch` both fit. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
export type FetchRequest = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
};
export type FetchResponse = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
};

/**
 * What sends the requests: `vscode` is the host's own `fetch`, with its proxy, certificates and kept-alive
 * connections; `node-fetch` is the library, which plain Node uses too. Writes always use the library, also
 * through VS Code's proxy and certificates, because the Fetch standard requires `fetch` to repeat a request
 * that was answered 421. A 407 is an ordinary answer, but `vscode` drops its headers and body.
 */
export const fetchers = {
  vscode: (url, request) =>
    request.method === 'GET' ? fetchViaHost(url, request) : fetchViaLibrary(url, request),
  'node-fetch': fetchViaLibrary,
} as const satisfies Record<string, Fetch>;

/** The Fetch standard turns a 407 into a network error, which would be retried. */
async function fetchViaHost(url: string, request: FetchRequest): Promise<FetchResponse> {
  try {
    return await globalThis.fetch(url, request);
  } catch (error) {
    if (isProxyRefusal(error)) return { status: 407, headers: new Headers(), body: null };
    throw error;
  }
}

/**
 * Recognises a 407 by the error that replaces it: one without a message, or with this message. Every
 * other error has a code, a cause or another message.
 */
function isProxyRefusal(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  const { name, message, cause } = error.cause;
  const isBare = name === 'Error' && !('code' in error.cause) && cause === undefined;
  return isBare && /^(?:proxy authentication required)?$/.test(message);
}

/** Thrown if a request failed before its connection was made: nothing of it was sent. */
export class NeverConnected extends Error {
  override readonly name = 'NeverConnected';
}

async function fetchViaLibrary(url: string, request: FetchRequest): Promise<FetchResponse> {
  const { default: nodeFetch } = await loadLibrary();
  const requests: EventEmitter[] = [];
  const collect = (message: unknown): unknown =>
    requests.push((message as { request: EventEmitter }).request);
  subscribe(requestCreated, collect);
  const answer = nodeFetch(url, request);
  unsubscribe(requestCreated, collect);
  const wasConnected = watchConnection(requests);
  try {
    return (await answer) as unknown as FetchResponse;
  } catch (cause) {
    throw wasConnected() ? cause : new NeverConnected('', { cause });
  }
}

/** Node reports each request here at once, also one that VS Code’s proxy support creates. */
const requestCreated = 'http.client.request.created';

/**
 * Whether a request may have had a connection. Only its own socket proves that it had none: a socket that
 * was used before, or that an agent opened, counts as connected, and so does an unknown one. Over TLS
 * nothing is sent before the handshake ends.
 */
function watchConnection(requests: readonly EventEmitter[]): () => boolean {
  let isConnected = requests.length !== 1;
  const connect = (): void => {
    isConnected = true;
  };
  requests[0]?.once('socket', (socket: EventEmitter & { readonly connecting: boolean }) => {
    if (socket.connecting)
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connect);
    else connect();
  });
  return () => isConnected;
}

/** Loaded on first use, to keep activation fast. */
function loadLibrary() {
  return import('node-fetch');
}

/**
 * Loads the library that sends writes, so that a confirmed write does not wait for it. It opens no
 * connection: the exchange could close it before the write, whose outcome would then be unknown.
 */
export async function preloadLibrary(): Promise<void> {
  await loadLibrary();
}

export type FetcherName = keyof typeof fetchers;
