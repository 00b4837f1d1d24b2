import { sleep } from '../../base/abort.ts';
import { minuteMs, type Clock } from '../../base/time.ts';
import type { RateLimitUsage } from '../../exchange/rateLimit/usage.ts';

/** The most that keeping current takes in a minute, and the most of our share of the rate limit. */
const mostPerMinute = 40;
const mostOfShare = 0.1;
/** The weight that one change needs: requests that can wait leave it free. */
const changeWeight = 30;

type WeightBudgetOptions = {
  readonly clock: Clock;
  /** Whether the ledger is to be kept current: asked before each request. */
  readonly mayRead: () => boolean;
  readonly usage: () => Pick<RateLimitUsage, 'ownShare' | 'windowMs'>;
};

/** Keeping the ledger current was turned off. Unfinished reads resume once it is on again. */
export class KeepCurrentOffError extends Error {
  override readonly name = 'KeepCurrentOffError';
}

/** The weight that keeping a ledger current may use: a part of our share, spent over any minute. */
export class WeightBudget {
  private readonly options: WeightBudgetOptions;
  private spent: readonly { readonly at: number; readonly weight: number }[] = [];

  constructor(options: WeightBudgetOptions) {
    this.options = options;
  }

  /**
   * Takes weight as soon as there is some. What can wait leaves room for a change of the account. A share
   * too small for one page a minute gives one in several minutes. Rejects with KeepCurrentOffError or the signal's
   * reason.
   */
  async take(weight: number, canWait: boolean, signal: AbortSignal): Promise<void> {
    const { clock, mayRead } = this.options;
    for (;;) {
      signal.throwIfAborted();
      if (!mayRead()) throw new KeepCurrentOffError();
      const waitMs = this.waitMs(weight, canWait);
      if (waitMs <= 0) break;
      await sleep(clock, waitMs, signal);
    }
    this.count(weight);
  }

  /** Counts weight that was used without waiting: the reads of the background wait the longer. */
  count(weight: number): void {
    this.spent = [...this.spent, { at: this.options.clock.now(), weight }];
  }

  private waitMs(weight: number, canWait: boolean): number {
    const { clock, usage } = this.options;
    const { ownShare, windowMs } = usage();
    const perMinute = windowMs > 0 ? (ownShare * minuteMs) / windowMs : Infinity;
    const allowed = Math.min(mostPerMinute, perMinute * mostOfShare);
    const periodMs = minuteMs * Math.max(1, weight / allowed);
    const now = clock.now();
    // A clock that was set back must not stop the reads.
    this.spent = this.spent.filter(({ at }) => at <= now && at > now - periodMs);
    const most = Math.max(weight, allowed - (canWait ? changeWeight : 0));
    let left = this.spent.reduce((sum, one) => sum + one.weight, 0) + weight - most;
    for (const one of this.spent) {
      if (left <= 0) break;
      left -= one.weight;
      if (left <= 0) return one.at + periodMs - now;
    }
    return 0;
  }
}
