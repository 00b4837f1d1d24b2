import { clip, isEmpty, openStart, subtract, union, type Interval } from '../../base/interval.ts';
import { hourMs } from '../../base/time.ts';
import { hasChangingRecords } from '../../exchange/history/records.ts';
import { operationOf, type Completeness, type Coverage, type LedgerHistory } from '../ledger.ts';

/** A ledger that is kept current reads each of its histories at least every 40 minutes. */
export const longestUnreadMs = hourMs;

export type CoverageState = Completeness | 'neverRead';

/** A part of a period, and what is known of it. */
export type CoveragePart =
  | Coverage
  | (Interval & {
      readonly completeness: 'neverRead';
      readonly reason: null;
      readonly asOf: null;
    });

/**
 * What is known of each moment of a period, oldest first, without gaps. A newer read replaces an older
 * one where they overlap. Where records do not change, one of unknown completeness replaces no other.
 */
export function coverageParts(
  history: LedgerHistory,
  reads: readonly Coverage[],
  period: Interval,
): CoveragePart[] {
  let left: readonly Interval[] = isEmpty(period) ? [] : [period];
  const parts: CoveragePart[] = [];
  for (const read of byPrecedence(history, reads)) {
    parts.push(...clip(left, read).map((interval) => ({ ...read, ...interval })));
    left = subtract(left, [read]);
  }
  const neverRead = { completeness: 'neverRead', reason: null, asOf: null } as const;
  parts.push(...left.map((interval) => ({ ...interval, ...neverRead })));
  return joined(
    parts.toSorted((one, other) => one.from - other.from),
    haveSameRead,
  );
}

/**
 * The same knowledge in as few reads as possible. Where records do not change, adjoining reads with one
 * result become one. Its `asOf` is that of the read of its end: only there can rows be missing that came later.
 */
export function compactCoverage(
  history: LedgerHistory,
  reads: readonly Coverage[],
): readonly Coverage[] {
  const whole = { from: openStart, to: Math.max(0, ...reads.map(({ to }) => to)) };
  const parts = coverageParts(history, reads, whole).filter((part) => part.asOf !== null);
  return recordsChange(history) ? parts : joined(parts, haveSameResult);
}

export function completeIn(parts: readonly CoveragePart[]): Interval[] {
  return union(parts.filter(({ completeness }) => completeness === 'complete'));
}

/** Where the period is complete from its start on: up to but without this moment; null if nowhere. */
export function completeTo(parts: readonly CoveragePart[]): number | null {
  const end = parts.find(({ completeness }) => completeness !== 'complete')?.from;
  const reached = end ?? parts.at(-1)?.to ?? null;
  return reached === parts.at(0)?.from ? null : reached;
}

/**
 * Where rows may be missing. What was not read yet of the last hour is read soon, and is no gap, unless the period
 * begins in it.
 */
export function missingParts(parts: readonly CoveragePart[], now: number): readonly CoveragePart[] {
  return parts.filter(({ completeness, from }, index) => {
    const isTail = completeness === 'neverRead' && index > 0 && index === parts.length - 1;
    return completeness !== 'complete' && !(isTail && now - from <= longestUnreadMs);
  });
}

/** Whether records of a history change, so that its coverage is as of its reads: what was read before may be old. */
export function recordsChange(history: LedgerHistory): boolean {
  return hasChangingRecords(operationOf(history));
}

function byPrecedence(history: LedgerHistory, reads: readonly Coverage[]): readonly Coverage[] {
  const newestFirst = reads.toReversed().toSorted((one, other) => other.asOf - one.asOf);
  if (recordsChange(history)) return newestFirst;
  const isUnknown = ({ completeness }: Coverage): boolean => completeness === 'unknown';
  return [...newestFirst.filter((read) => !isUnknown(read)), ...newestFirst.filter(isUnknown)];
}

function joined<Part extends CoveragePart>(
  parts: readonly Part[],
  areOne: (one: Part, next: Part) => boolean,
): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.to === part.from && areOne(last, part))
      result.splice(-1, 1, { ...part, from: last.from });
    else result.push(part);
  }
  return result;
}

function haveSameRead(one: CoveragePart, other: CoveragePart): boolean {
  return haveSameResult(one, other) && one.asOf === other.asOf;
}

function haveSameResult(one: CoveragePart, other: CoveragePart): boolean {
  return one.completeness === other.completeness && one.reason === other.reason;
}
