import { setTimeout } from 'node:timers/promises';
import { minuteMs } from '../base/time.ts';
import { LedgerError } from './ledgerError.ts';

/** A read may take longer than SQLite waits: an analysis of a million rows, or the search for damage. */
const longestMs = 5 * minuteMs;
const pauseMs = 100;

/**
 * Repeats work on a ledger while another thread or window uses the file; what it began is rolled back
 * each time. Rejects with what the work throws, with `busy` after minutes or once `isOver`.
 */
export async function whileBusy<Result>(
  work: () => Result | Promise<Result>,
  isOver: () => boolean,
): Promise<Result> {
  const giveUpAt = performance.now() + longestMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof LedgerError && error.problem === 'busy';
      if (!isBusy || isOver() || performance.now() >= giveUpAt) throw error;
    }
    await setTimeout(pauseMs);
    if (isOver()) throw new LedgerError('busy');
  }
}
