import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/time.ts';
import { deleteWaitMs } from '../../exchange/rateLimit/priority.ts';
import { sendableAt } from './cancelPlan.ts';
import type { CancelAccount } from './lockedOrders.ts';

/** What a run does now. */
export type CancelProgress =
  | { readonly at: 'planning' | 'confirming' | 'sending' | 'ended' }
  /** Confirmed; the limit has room for the request only then. */
  | { readonly at: 'waiting'; readonly sendableAt: number; readonly stop: () => void }
  | { readonly at: 'verifying'; readonly isUnknown: boolean };

type LimitWait = {
  readonly clock: Clock;
  /** Aborts when the window closes. */
  readonly closing: AbortSignal;
  readonly show: (step: CancelProgress) => void;
};

/**
 * Looks every second: requests under way may end sooner than the limit allowed for. Does not wait if
 * the limit has room only after the longest wait of a DELETE: then the rate limiter refuses it. True
 * if the user stopped the wait.
 */
export async function waitForLimit(
  account: CancelAccount,
  { clock, closing, show }: LimitWait,
): Promise<boolean> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([closing, stopped.signal]);
  const waitUntil = clock.now() + deleteWaitMs;
  for (;;) {
    const readyAt = sendableAt(account, clock.now());
    if (readyAt === undefined || readyAt > waitUntil || signal.aborted)
      return stopped.signal.aborted;
    show({ at: 'waiting', sendableAt: readyAt, stop: () => stopped.abort() });
    await sleep(clock, Math.min(1000, readyAt - clock.now()), signal).catch(() => undefined);
  }
}
