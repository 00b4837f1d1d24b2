import { setTimeout } from 'node:timers/promises';
import { minuteMs } from '../base/time.ts';
import { LedgerError } from './ledgerError.ts';

/** The file is used by a read that takes longer than SQLite waits, such as an analysis of a million rows. */
const longestMs = minuteMs;
const pauseMs = 100;

/**
 * Repeats work on a ledger while another thread or window uses the file; what it began is rolled back
 * each time. Rejects with what the work throws, with `busy` after a minute or once `isOver`.
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
