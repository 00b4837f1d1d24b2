import { setTimeout } from 'node:timers/promises';

export type Patience = { readonly deadlineMs?: number; readonly everyMs?: number };

/**
 * Asks until `condition` gives something truthy, and returns that. A throw counts as "not yet".
 * Past the deadline it fails with `what` and the last answer, so that the report says what was missing.
 */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  { deadlineMs = 30_000, everyMs }: Patience = {},
): Promise<NonNullable<T>> {
  const startedAt = performance.now();
  const deadline = startedAt + deadlineMs;
  let last = await attempt(condition);
  while (!last.value && performance.now() < deadline) {
    await setTimeout(everyMs ?? pauseMs(performance.now() - startedAt));
    last = await attempt(condition);
  }
  if (last.value) return last.value;
  throw new Error(`Not within ${deadlineMs} ms: ${what}${last.why}`, { cause: last.cause });
}

/** Each look at a browser costs it some work: what takes long is looked at less often. */
function pauseMs(waitedMs: number): number {
  return Math.min(25 + waitedMs / 20, 100);
}

type Attempt<T> = { value?: T; why: string; cause?: unknown };

async function attempt<T>(condition: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    const value = await condition();
    return { value, why: ` (last: ${String(value)})` };
  } catch (cause) {
    return { why: ` (last: ${cause instanceof Error ? cause.message : String(cause)})`, cause };
  }
}
