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
 * Who carries the requests: `vscode` is the host's own `fetch`, with its proxy, certificates and
 * kept connections; `node-fetch` is the library, and what plain Node uses. What changes something
 * always goes by the library, also through VS Code's proxy and certificates: as the Fetch standard
 * demands, `fetch` by itself sends whatever is answered 421 a second time. A 407 is an answer as any
 * other, but over `vscode` it comes without headers and body, which `fetch` drops.
 */
export const fetchers = {
  vscode: (url, request) =>
    request.method === 'GET' ? byHost(url, request) : byLibrary(url, request),
  'node-fetch': byLibrary,
} as const satisfies Record<string, Fetch>;

/** As the Fetch standard demands, `fetch` makes a network error of a 407, which would be sent again. */
async function byHost(url: string, request: FetchRequest): Promise<FetchResponse> {
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

async function byLibrary(url: string, request: FetchRequest): Promise<FetchResponse> {
  const { default: nodeFetch } = await library();
  return (await nodeFetch(url, request)) as unknown as FetchResponse;
}

/** Loaded when it is first needed: it would be a good part of the extension's activation. */
function library() {
  return import('node-fetch');
}

/**
 * Loads what carries a write, so that one that is confirmed soon does not wait for that. No connection
 * is opened: one that the exchange may have closed meanwhile could leave the write's outcome unknown.
 */
export async function prepareWrite(): Promise<void> {
  await library();
}

export type FetcherName = keyof typeof fetchers;
