import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/time.ts';
import type { Credentials } from '../../exchange/auth/credentials.ts';
import { RateLimiter } from '../../exchange/rateLimit/rateLimiter.ts';
import { RateLimitFile } from '../../exchange/rateLimit/rateLimitFile.ts';
import {
  rateLimitFileName,
  createMemoryStore,
  pruneRateLimitFiles,
  type RateLimitStore,
} from '../../exchange/rateLimit/rateLimitStore.ts';
import { originOf, type Profile } from './profile.ts';

type RateLimitsOptions = {
  /** Holds the rate-limit files that all windows share. */
  readonly folder: string;
  readonly clock: Clock;
  /** The part of each limit that ordinary requests may use, in (0, 1]. */
  readonly share: () => number;
  /** Called when a file cannot be used and this window continues with a state of its own. */
  readonly onProblem: (error: unknown) => void;
};

/** Milliseconds since the machine started, the same for all its processes. */
const monotonicNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The rate limiters of this window, one per exchange, or per key where it counts each; they outlive the sessions that use them. */
export class RateLimits implements Disposable {
  private readonly options: RateLimitsOptions;
  private readonly byName = new Map<string, RateLimiter>();

  constructor(options: RateLimitsOptions) {
    this.options = options;
  }

  /** The rate limiter of a profile. The practice exchange belongs to this window, and so does its state. */
  forProfile(profile: Profile, credentials: Credentials): RateLimiter {
    const counted = profile.limitPer === 'key' ? credentials : {};
    const name = rateLimitFileName(originOf(profile), counted);
    const { clock, share } = this.options;
    const store = (): RateLimitStore =>
      profile.environment === 'practice' ? createMemoryStore() : this.fileStore(name);
    const rateLimiter =
      this.byName.get(name) ?? new RateLimiter({ store: store(), clock, monotonicNow, share });
    this.byName.set(name, rateLimiter);
    return rateLimiter;
  }

  private fileStore(name: string): RateLimitStore {
    const { folder, clock, onProblem } = this.options;
    const now = { wallMs: clock.now(), steadyMs: monotonicNow() };
    pruneRateLimitFiles(folder, now).catch(onProblem);
    return new RateLimitFile({ ...this.options, monotonicNow, name });
  }

  dispose(): void {
    for (const rateLimiter of this.byName.values()) rateLimiter.dispose();
  }
}
