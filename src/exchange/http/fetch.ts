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
 * What sends the requests: `vscode` is the host's own `fetch`, with its proxy, certificates and kept
 * connections; `node-fetch` is the library, and what plain Node uses. A write always uses the library,
 * also through VS Code's proxy and certificates: the Fetch standard demands that `fetch` sends a request
 * again that was answered 421. A 407 is an answer like any other, but over `vscode` it comes without
 * headers and body, which `fetch` drops.
 */
export const fetchers = {
  vscode: (url, request) =>
    request.method === 'GET' ? fetchViaHost(url, request) : fetchViaLibrary(url, request),
  'node-fetch': fetchViaLibrary,
} as const satisfies Record<string, Fetch>;

/** As the Fetch standard demands, `fetch` makes a network error of a 407, which would be sent again. */
async function fetchViaHost(url: string, request: FetchRequest): Promise<FetchResponse> {
  try {
    return await globalThis.fetch(url, request);
  } catch (error) {
    if (isProxyRefusal(error)) return { status: 407, headers: new Headers(), body: null };
    throw error;
  }
}

/**
 * Tells a 407 by what stands in place of it: a bare error without a word, as no browser's window could ask
 * for a password, or with these. All else that can go wrong has a code, a cause or other words.
 */
function isProxyRefusal(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  const { name, message, cause } = error.cause;
  const isBare = name === 'Error' && !('code' in error.cause) && cause === undefined;
  return isBare && /^(?:proxy authentication required)?$/.test(message);
}

async function fetchViaLibrary(url: string, request: FetchRequest): Promise<FetchResponse> {
  const { default: nodeFetch } = await loadLibrary();
  return (await nodeFetch(url, request)) as unknown as FetchResponse;
}

/** Loaded when it is first needed: it would slow down the extension's activation. */
function loadLibrary() {
  return import('node-fetch');
}

/**
 * Loads the library that sends writes, so that one that is confirmed soon does not wait for it. No connection
 * is opened: one that the exchange may have closed meanwhile could leave the write's outcome unknown.
 */
export async function preloadLibrary(): Promise<void> {
  await loadLibrary();
}

export type FetcherName = keyof typeof fetchers;
