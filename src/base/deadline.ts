import type { Clock } from './clock.ts';

/** Why a signal of `within` ended when it was the time, not the caller. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * Runs `work` with a signal that ends with `signal`, for its reason, or with DeadlinePassed once
 * `delayMs` have passed; an infinite delay never does. Leaves no timer and no listener behind.
 */
export async function within<Value>(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const stopTimer = Number.isFinite(delayMs)
    ? clock.after(delayMs, () => controller.abort(new DeadlinePassed()))
    : () => undefined;
  try {
    return await work(controller.signal);
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Resolves after `delayMs`; rejects with the signal's reason when that comes first. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      stopTimer();
      reject(signal.reason as Error);
    };
    const stopTimer = clock.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** What work gives, or undefined where that takes longer than `patienceMs`: the work goes on. */
export async function soon<Value>(
  clock: Clock,
  patienceMs: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const stopTimer = clock.after(patienceMs, () => resolve(undefined));
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    stopTimer();
  }
}

/** What shared work gives, or the signal's reason when that comes first: the work goes on for others. */
export async function unlessAborted<Value>(
  shared: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return shared;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([aborted, shared]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
