import type { Disposable } from './disposable.ts';
import type { Clock } from './time.ts';

/** The reason of a deadline's signal when the time was up. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** A signal with a time limit. Dispose it when the work is done: it holds a timer and a listener. */
type Deadline = Disposable & { readonly signal: AbortSignal };

/**
 * A signal that aborts with `signal`, for its reason, or with DeadlineExceeded after `delayMs`; an
 * infinite delay never passes.
 */
export function startDeadline(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  const stopTimer = Number.isFinite(delayMs)
    ? clock.after(delayMs, () => controller.abort(new DeadlineExceeded()))
    : () => undefined;
  return {
    signal: controller.signal,
    dispose: () => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Resolves after `delayMs`; rejects with the signal's reason when that comes first. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
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

/** What work gives, or undefined if that takes longer than `patienceMs`: the work continues. */
export async function withinOrUndefined<Value>(
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

/** What shared work gives, or the signal's reason when that comes first: the work continues for others. */
export async function abortable<Value>(
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
