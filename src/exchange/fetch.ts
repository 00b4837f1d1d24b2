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
 * demands, `fetch` by itself sends whatever is answered 421 a second time.
 */
export const fetchers = {
  vscode: (url, request) =>
    request.method === 'GET' ? globalThis.fetch(url, request) : byLibrary(url, request),
  'node-fetch': byLibrary,
} as const satisfies Record<string, Fetch>;

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
