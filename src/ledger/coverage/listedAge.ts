import { union, type Interval } from '../../base/interval.ts';
import { dayMs } from '../../base/time.ts';
import type { Coverage, LedgerHistory, OldestRow } from '../ledger.ts';
import { coverageParts, missingParts } from './coverageParts.ts';

/** What shows the age of rows at which an exchange drops them: the oldest row has to leave twice. */
const leastRows = 3;
/** An exchange may change the age: older evidence is left out. */
const mostRows = 5;
/** How closely what stayed and what left must agree: whole days may be dropped, and a day lies between two reads. */
const mostDoubtMs = 3 * dayMs;
/** Rows that leave so soon are named on the ledger page, with an alert. */
const soonMs = 14 * dayMs;

/**
 * How old a row is when the exchange drops it, at least; null without evidence. The oldest row must have left at two
 * times or more, each at about the same age: one that stays is the first of its account, and what left only once, or
 * at any age, was deleted for another reason.
 */
export function listedMs(oldestRows: readonly OldestRow[]): number | null {
  const rows = oldestRows.slice(-mostRows);
  const later = rows.slice(1);
  const came = later.some(({ firstSeenAt }, index) => firstSeenAt < (rows[index]?.lastSeenAt ?? 0));
  if (rows.length < leastRows || came) return null;
  const stayedMs = Math.max(...rows.map(({ time, lastSeenAt }) => lastSeenAt - time));
  const leftMs = Math.min(
    ...later.map(({ firstSeenAt }, index) => firstSeenAt - (rows[index]?.time ?? 0)),
  );
  return Math.abs(leftMs - stayedMs) <= mostDoubtMs ? Math.min(stayedMs, leftMs) : null;
}

export type ListedAge = {
  /** How far back the exchange lists the history. */
  readonly listedMs: number;
  /** The periods of it that may lack rows in the ledger and soon begin to leave, oldest first. */
  readonly leaving: readonly Interval[];
};

/** How far back the exchange lists a history; null if that is not proved. */
export function listedAge(
  history: LedgerHistory,
  reads: readonly Coverage[],
  oldestRows: readonly OldestRow[],
  now: number,
): ListedAge | null {
  const ms = listedMs(oldestRows);
  if (ms === null) return null;
  const period = { from: Math.max(now - ms, oldestRows.at(-1)?.time ?? 0), to: now };
  const missing = missingParts(coverageParts(history, reads, period), now);
  return { listedMs: ms, leaving: union(missing.filter(({ from }) => from + ms - now <= soonMs)) };
}
