import type { LockedFigures, Receipt } from '../../account/cancelAll/receipts.ts';
import { secondMs } from '../../base/time.ts';

type ReadBack = { readonly at: number; readonly locked: readonly LockedFigures[] };

/** The last read-back that succeeded. */
export function lastReadBack({ after }: Receipt): ReadBack | undefined {
  return after.flatMap(({ at, locked }) => (locked ? [{ at, locked }] : [])).at(-1);
}

/** Whole seconds from the end of the request to a read-back. */
export function secondsAfterAnswer({ endedAt, sentAt }: Receipt, at: number): number {
  return Math.max(0, Math.floor((at - (endedAt ?? sentAt)) / secondMs));
}
