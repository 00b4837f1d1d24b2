import { systemClock } from '../../src/base/time.ts';
import { defaultHmacQuery } from '../../src/exchange/auth/scheme.ts';
import { ExchangeClient, type ExchangeClientOptions } from '../../src/exchange/client.ts';
import {
  defaultConventions,
  type ConventionSettings,
} from '../../src/exchange/history/apiConventions.ts';
import { ExchangeConventions } from '../../src/exchange/history/exchangeConventions.ts';
import { fetchers, type FetcherName } from '../../src/exchange/http/fetch.ts';
import type { RateLimitState } from '../../src/exchange/rateLimit/rateLimitState.ts';
import { createMemoryStore } from '../../src/exchange/rateLimit/rateLimitStore.ts';
import { RateLimiter } from '../../src/exchange/rateLimit/rateLimiter.ts';
import type { Credentials } from '../../src/exchange/auth/credentials.ts';

/** Where a test's client connects. */
export type Target = {
  readonly url: string;
  readonly apiKey?: string;
  readonly apiSecret?: string;
};
export type TestClientOptions = Partial<Omit<ExchangeClientOptions, 'baseUrl' | 'conventions'>> & {
  /** Conventions that differ from the defaults; none is `auto` unless given. */
  readonly dialect?: Partial<ConventionSettings>;
  readonly fetcher?: FetcherName;
};

/** Credentials that are easy to find where they must not be. */
export const markedCredentials = {
  apiKey: 'MARKED-key-1f3a',
  apiSecret: 'MARKED-secret-9c2e',
} as const satisfies Credentials;

/** A rate limiter of this process with a limit that no test reaches and that is already known. */
export function ampleRateLimiter(fields: Partial<RateLimitState> = {}): RateLimiter {
  const limits = [{ weight: 1_000_000_000, windowMs: 60_000 }];
  const store = createMemoryStore({ limits, learnedAt: Number.MAX_SAFE_INTEGER, ...fields });
  return new RateLimiter({ store, clock: systemClock, share: () => 1 });
}

/** A client over real HTTP; signs with `hmacQuery`, and retries reads without a pause, unless options say otherwise. */
export function clientFor(target: Target, options: TestClientOptions = {}): ExchangeClient {
  const { dialect, fetcher = 'node-fetch', ...others } = options;
  return new ExchangeClient({
    baseUrl: target.url,
    auth: defaultHmacQuery,
    credentials: {
      apiKey: target.apiKey ?? markedCredentials.apiKey,
      apiSecret: target.apiSecret ?? markedCredentials.apiSecret,
    },
    fetch: fetchers[fetcher],
    clock: systemClock,
    rateLimiter: ampleRateLimiter(),
    random: () => 0,
    conventions: new ExchangeConventions({ ...defaultConventions, ...dialect }),
    ...others,
  });
}

/** Cancels all orders in room that is reserved at once, or as soon as it is there. */
export async function cancelAllOf(client: ExchangeClient, waitMs = 8000) {
  const { signal } = new AbortController();
  return client.cancelAll(await client.reserveCancelAll(waitMs, signal));
}
