import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/time.ts';
import { sendableAt } from './cancelPlan.ts';
import type { CancelAccount } from './lockedOrders.ts';

/** What a run does now. */
export type CancelProgress =
  | { readonly at: 'planning' | 'confirming' | 'sending' | 'ended' }
  /** Confirmed; the limit has room for the request only then. */
  | { readonly at: 'waiting'; readonly sendableAt: number; readonly stop: () => void }
  | { readonly at: 'verifying'; readonly isUnknown: boolean };

/** How long a confirmed cancel-all waits for the limit: a window of a minute, and requests under way. */
export const maxLimitWaitMs = 90_000;

type LimitWait = {
  readonly clock: Clock;
  /** By the steady clock. */
  readonly waitUntil: number;
  /** Whether the account is still the open one. */
  readonly isOpen: () => Promise<boolean>;
  /** Aborts when the window closes. */
  readonly closing: AbortSignal;
  readonly show: (step: CancelProgress) => void;
};

/**
 * Waits until the limit has room, unless that is after `waitUntil`, the account is closed or the window
 * closes. Looks every second: requests under way may end sooner than the limit allowed for. True if the
 * user stopped the wait.
 */
export async function waitForLimit(
  account: CancelAccount,
  { clock, waitUntil, isOpen, closing, show }: LimitWait,
): Promise<boolean> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([closing, stopped.signal]);
  for (;;) {
    const now = clock.now();
    const readyAt = sendableAt(account, now);
    const waits = readyAt !== undefined && readyAt - now <= waitUntil - clock.steadyNow();
    if (!waits || signal.aborted || !(await isOpen())) return stopped.signal.aborted;
    show({ at: 'waiting', sendableAt: readyAt, stop: () => stopped.abort() });
    await sleep(clock, Math.min(1000, readyAt - now), signal).catch(() => undefined);
  }
}
