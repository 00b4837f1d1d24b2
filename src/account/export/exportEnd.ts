import type { Undecided } from '../../exchange/dialect/historyPage.ts';
import type { WalkDoubt, WalkEnd } from '../../exchange/walk.ts';
import type { Progress } from './progress.ts';

/** Why it is not known whether every row was given: of the walk, or of how it was asked. */
export type ReadDoubt = WalkDoubt | Undecided;

/** How the reading judged itself, and why where it is not complete. */
export type ReadEnd = Pick<WalkEnd, 'completeness'> & { readonly reason: ReadDoubt | null };

/** How far a file is to be trusted. `unreadableRecords`: the exchange has rows that are not in it. */
export type ExportEnd = Pick<WalkEnd, 'completeness'> & {
  readonly reason: ReadDoubt | 'unreadableRecords' | null;
};

/** `complete` only where the file holds every row that was asked for, and no other. */
export function exportEnd({
  end,
  unmatched,
  badRecords,
}: Pick<Progress, 'end' | 'unmatched' | 'badRecords'>): ExportEnd {
  if (!end) return { completeness: 'unknown', reason: null };
  if (end.completeness === 'unknown') return end;
  if (Object.keys(unmatched).length > 0)
    return { completeness: 'unknown', reason: 'filterIgnored' };
  if (badRecords.atMost > 0) return { completeness: 'unknown', reason: 'unreadableRecords' };
  return end;
}
