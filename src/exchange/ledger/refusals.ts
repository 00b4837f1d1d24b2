import { phrase } from '../../base/phrase.ts';
import { ExchangeError } from '../errors.ts';
import type { Books } from './books.ts';
import type { WeightLimit } from './limits.ts';
import { patienceMs } from './priority.ts';
import { readyAtBest, tooSmallLimit } from './rules.ts';
import type { WeightRequest } from './weightRequest.ts';

/**
 * Why a request should not wait: the limit can never hold it, or somebody who looks on would wait
 * too long even if every request under way were answered now.
 */
export function refusalOf(
  books: Books,
  request: WeightRequest,
  share: number,
  now: number,
): ExchangeError | undefined {
  const limit = tooSmallLimit(books, request, share);
  if (limit) return tooHeavy(request, limit);
  const waitMs = readyAtBest(books, request, share, now) - now;
  return waitMs > patienceMs(request.priority) ? tooLong(request, waitMs) : undefined;
}

function tooHeavy({ operation, weight }: WeightRequest, limit: WeightLimit): ExchangeError {
  const detail = phrase(
    'its weight {0} is more than marginDesk.weightShare leaves of the limit {1} in {2} s: raise that setting, or ask the exchange for a higher limit',
    weight,
    limit.weight,
    limit.windowMs / 1000,
  );
  return new ExchangeError({ kind: 'configuration', sent: 'no', operation, detail });
}

/** For a request that would wait, or has waited, too long. */
export function tooLong({ operation }: WeightRequest, waitMs: number): ExchangeError {
  const retryAfterMs = Math.max(1000, waitMs);
  return new ExchangeError({ kind: 'rateLimited', sent: 'no', operation, retryAfterMs });
}
