import type { Display } from '../../base/display.ts';
import { secondMs, type Clock } from '../../base/time.ts';
import { operations, type OperationName } from '../../api/operations.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';
import type { TableQuery } from '../../protocol/table.ts';
import { isSameQuery } from '../../protocol/tableQuery.ts';
import { t } from '../shared/translate.ts';

/** Older pages are read again: rows move between pages while new ones are added. */
const maxAgeMs = 20 * secondMs;

type Prefetched<Page> = {
  readonly query: TableQuery;
  readonly startedAt: number;
  readonly page: Promise<Page | undefined>;
  readonly controller: AbortController;
};

/** One page that was read before the user asked for it. */
export class PagePrefetch<Page> {
  private readonly clock: Clock;
  private current: Prefetched<Page> | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Replaces the page before it, unless that is of the same query. */
  start(query: TableQuery, read: (signal: AbortSignal) => Promise<Page | undefined>): void {
    if (this.isUsable(query)) return;
    this.drop();
    const controller = new AbortController();
    const page = read(controller.signal);
    // Perhaps nobody takes it.
    page.catch(() => undefined);
    this.current = { query, startedAt: this.clock.now(), page, controller };
  }

  /** The page of this query; undefined if another one was read, or too long ago. `signal` aborts the read. */
  take(query: TableQuery, signal: AbortSignal): Promise<Page | undefined> {
    if (!this.isUsable(query)) this.drop();
    const { current } = this;
    this.current = undefined;
    signal.addEventListener('abort', () => current?.controller.abort());
    return current?.page ?? Promise.resolve(undefined);
  }

  drop(): void {
    this.current?.controller.abort();
    this.current = undefined;
  }

  private isUsable(query: TableQuery): boolean {
    if (!this.current || !isSameQuery(this.current.query, query)) return false;
    const ageMs = this.clock.now() - this.current.startedAt;
    return ageMs >= 0 && ageMs < maxAgeMs;
  }
}

/** `Costs weight 10; 480 of 500 left of the share`. */
export function pageWeightText(
  operation: OperationName,
  usage: RateLimitUsage,
  display: Display,
): string {
  const weight = display.count(operations[operation].weight);
  if (usage.limit === 0) return t('Costs weight {0}', weight);
  const left = display.count(leftOfShare(usage));
  const share = display.count(Math.floor(usage.ownShare));
  return t('Costs weight {0}; {1} of {2} left of the share', weight, left, share);
}

/** Whether a page may be read before the user asks for it: nothing else may have to wait for it. */
export function hasRoomToPrefetch(usage: RateLimitUsage): boolean {
  const { waiting, pausedUntil, isUnshared, ownShare } = usage;
  const isFree = waiting === 0 && pausedUntil === undefined && !isUnshared;
  return isFree && leftOfShare(usage) > ownShare / 2;
}

function leftOfShare({ ownShare, used }: RateLimitUsage): number {
  return Math.max(0, Math.floor(ownShare - used));
}
