import { secondMs, type Clock } from '../../base/time.ts';
import type { TableQuery } from '../../protocol/table.ts';

/** Older pages are read again: rows move between pages while new ones are added. */
const maxAgeMs = 20 * secondMs;

type Prefetched<Page> = {
  readonly key: string;
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

  /** Replaces the page before it. */
  start(query: TableQuery, read: (signal: AbortSignal) => Promise<Page>): void {
    this.drop();
    const controller = new AbortController();
    // A failed page is read again when the user asks for it.
    const page = read(controller.signal).catch(() => undefined);
    this.current = { key: keyOf(query), startedAt: this.clock.now(), page, controller };
  }

  /** The page of this query; undefined if another one was read, if that failed, or too long ago. */
  take(query: TableQuery): Promise<Page | undefined> {
    const { current } = this;
    const ageMs = this.clock.now() - (current?.startedAt ?? 0);
    const isUsable = current?.key === keyOf(query) && ageMs >= 0 && ageMs < maxAgeMs;
    if (!isUsable) this.drop();
    this.current = undefined;
    return isUsable ? current.page : Promise.resolve(undefined);
  }

  drop(): void {
    this.current?.controller.abort();
    this.current = undefined;
  }
}

function keyOf(query: TableQuery): string {
  return JSON.stringify(query);
}
