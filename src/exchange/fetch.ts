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
 * kept connections; `node-fetch` is the library, and what plain Node uses.
 */
export const fetchers = {
  vscode: (url, request) => globalThis.fetch(url, request),
  'node-fetch': async (url, request) => {
    // Loaded by those who chose it: it would be a good part of the extension's activation.
    const { default: nodeFetch } = await import('node-fetch');
    return (await nodeFetch(url, request)) as unknown as FetchResponse;
  },
} as const satisfies Record<string, Fetch>;

export type FetcherName = keyof typeof fetchers;
