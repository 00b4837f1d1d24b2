import { systemClock } from '../../src/base/clock.ts';
import { defaultHmacQuery, type Credentials } from '../../src/exchange/auth/scheme.ts';
import { ExchangeClient } from '../../src/exchange/client.ts';
import { defaultDialect, type DialectSettings } from '../../src/exchange/dialect/dialect.ts';
import { DialectBook } from '../../src/exchange/dialect/dialectBook.ts';
import { fetchers, type FetcherName } from '../../src/exchange/fetch.ts';
import type { Books } from '../../src/exchange/ledger/books.ts';
import { booksInMemory } from '../../src/exchange/ledger/booksStore.ts';
import { WeightLedger } from '../../src/exchange/ledger/weightLedger.ts';
import { Transport, type TransportOptions } from '../../src/exchange/transport.ts';

/** Where a test's client connects, and what it wants different from the usual. */
export type Target = {
  readonly url: string;
  readonly apiKey?: string;
  readonly apiSecret?: string;
};
export type Wishes = Partial<Omit<TransportOptions, 'baseUrl'>> & {
  /** What is not given is set to what is assumed, not `auto`. */
  readonly dialect?: Partial<DialectSettings>;
  readonly fetcher?: FetcherName;
};

/** Credentials that are easy to find where they must not be. */
export const markedCredentials = {
  apiKey: 'MARKED-key-1f3a',
  apiSecret: 'MARKED-secret-9c2e',
} as const satisfies Credentials;

/** A ledger of this process whose limit nothing reaches, and which need not ask for it. */
export function ampleLedger(fields: Partial<Books> = {}): WeightLedger {
  const limits = [{ weight: 1_000_000_000, windowMs: 60_000 }];
  const store = booksInMemory({ limits, learnedAt: Number.MAX_SAFE_INTEGER, ...fields });
  return new WeightLedger({ store, clock: systemClock, share: () => 1 });
}

/** A client over real HTTP; signs with `hmacQuery`, and sends reads again without a pause, unless told otherwise. */
export function clientFor(target: Target, wishes: Wishes = {}): ExchangeClient {
  const { dialect, fetcher = 'node-fetch', ...options } = wishes;
  const transport = new Transport({
    baseUrl: target.url,
    auth: defaultHmacQuery,
    credentials: {
      apiKey: target.apiKey ?? markedCredentials.apiKey,
      apiSecret: target.apiSecret ?? markedCredentials.apiSecret,
    },
    fetch: fetchers[fetcher],
    clock: systemClock,
    ledger: ampleLedger(),
    random: () => 0,
    ...options,
  });
  return new ExchangeClient(transport, new DialectBook({ ...defaultDialect, ...dialect }));
}
