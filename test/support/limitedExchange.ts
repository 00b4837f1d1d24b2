import type { Fetch, FetchResponse } from '../../src/exchange/http/fetch.ts';
import { operationNames, operations } from '../../src/api/operations.ts';
import type { FakeClock } from './fakeClock.ts';

type LimitedExchangeOptions = {
  readonly clock: FakeClock;
  /** In weight per minute; exchange information says the same. */
  readonly limit: () => number;
  readonly retryAfter?: string;
  /** Whether minutes are those of the clock; any 60 seconds unless given. */
  readonly hasFixedMinutes?: boolean;
  /** Whether exchange information cannot be read now. */
  readonly isHidden?: () => boolean;
};

type Answered = { readonly at: number; readonly operation: string; readonly status: number };

const bodies: Readonly<Record<string, string>> = {
  accounts:
    '{"upl":0,"feeTierStructure":1,"feeTierDiscount":0,"assets":[],"tradeFeeAsset":"usdt","positions":[],"orders":[],"equity":1}',
  cancelAll: '[]',
  trades: '{"content":[],"size":20,"totalPages":0,"totalElements":0}',
};
const minuteMs = 60_000;

/** An exchange on a fake clock that refuses what exceeds its limit, counts that too, and keeps what it answered. */
export function limitedExchange(options: LimitedExchangeOptions) {
  const { clock, limit, retryAfter, hasFixedMinutes = false, isHidden = () => false } = options;
  const used: { readonly at: number; readonly weight: number }[] = [];
  const answered: Answered[] = [];

  const usedNow = (): number => {
    const now = clock.now();
    const since = hasFixedMinutes ? now - (now % minuteMs) : now - minuteMs + 1;
    return used.filter(({ at }) => at >= since).reduce((sum, { weight }) => sum + weight, 0);
  };
  const bodyOf = (operation: string): string =>
    operation === 'exchangeInfo'
      ? `{"rateLimits":[{"rateLimitType":"HARD_LIMIT","interval":"MINUTE","intervalNum":1,"limit":${limit()}}],"timezone":"UTC","serverTime":${clock.now()},"symbols":[]}`
      : (bodies[operation] ?? '[]');
  const fetch: Fetch = (url, { method }) => {
    const { pathname } = new URL(url);
    const operation =
      operationNames.find(
        (name) => operations[name].method === method && operations[name].path === pathname,
      ) ?? 'accounts';
    const { weight } = operations[operation];
    const isRefused = usedNow() + weight > limit();
    used.push({ at: clock.now(), weight });
    const status = isRefused ? 429 : operation === 'exchangeInfo' && isHidden() ? 500 : 200;
    answered.push({ at: clock.now(), operation, status });
    return Promise.resolve(
      answerOf(status, status === 200 ? bodyOf(operation) : '{"message":"x"}', retryAfter),
    );
  };
  return { fetch, answered };
}

function answerOf(status: number, text: string, retryAfter: string | undefined): FetchResponse {
  const headers = new Headers(
    status === 429 && retryAfter !== undefined ? { 'retry-after': retryAfter } : {},
  );
  return { status, headers, body: new Blob([text]).stream() };
}
