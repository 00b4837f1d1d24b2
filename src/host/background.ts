import type { Log } from './log.ts';

/** Lets something run on: nobody waits for it, and its failure is a line of the log. */
export function inBackground(log: Log, doing: string, running: PromiseLike<unknown>): void {
  running.then(undefined, (error: unknown) => log.failure(doing, error));
}
