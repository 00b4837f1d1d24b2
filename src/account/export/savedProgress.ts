import * as v from 'valibot';
import type { ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';
import { parseWalkCursor } from '../../exchange/history/walk/cursor.ts';
import { exportSources, type Progress } from './progress.ts';

/** How far an export has come, and when that was saved. */
export type SavedProgress = { readonly progress: Progress; readonly savedAt: number };

/** Exhaustive by type: a saved state with a reason that is missing here could not be parsed. */
export const incompleteReasons: Readonly<Record<ReadIncompleteReason, ReadIncompleteReason>> = {
  readsUsedUp: 'readsUsedUp',
  endUnproven: 'endUnproven',
  countDisagrees: 'countDisagrees',
  edgesUnproven: 'edgesUnproven',
  orderUnproven: 'orderUnproven',
  movedUnseen: 'movedUnseen',
  depthUnproven: 'depthUnproven',
  endsIgnored: 'endsIgnored',
  filterIgnored: 'filterIgnored',
  listsUndecided: 'listsUndecided',
  datesUndecided: 'datesUndecided',
  zoneUnknown: 'zoneUnknown',
};
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const instant = v.pipe(v.number(), v.integer());
const listedRecord = v.object({
  path: v.string(),
  problem: v.string(),
  between: v.nullable(v.tuple([v.string(), v.string()])),
});
const progressSchema = v.object({
  range: v.object({ from: v.nullable(instant), to: instant }),
  startedAt: instant,
  rows: count,
  bytes: count,
  reads: count,
  part: v.number(),
  badRecords: v.object({ atMost: count, listed: v.array(listedRecord) }),
  unmatched: v.record(v.string(), count),
  filteredHere: v.array(v.string()),
  source: v.picklist(exportSources),
  cursor: v.unknown(),
  end: v.nullable(
    v.object({
      completeness: v.picklist(['complete', 'drifted', 'unknown']),
      reason: v.nullable(v.enum(incompleteReasons)),
    }),
  ),
});
const savedSchema = v.object({ v: v.literal(1), savedAt: instant, saved: progressSchema });

export function serializeProgress({ progress, savedAt }: SavedProgress): string {
  const { range: times, cursor = null, end = null, ...rest } = progress;
  const range = { from: times.from ?? null, to: times.to };
  return JSON.stringify({ v: 1, savedAt, saved: { ...rest, range, cursor, end } });
}

/** Parses what `serializeProgress` wrote; undefined for anything else. */
export function parseProgress(text: string): SavedProgress | undefined {
  const parsed = v.safeParse(savedSchema, jsonOf(text));
  if (!parsed.success) return undefined;
  const { savedAt, saved } = parsed.output;
  const { range, cursor: savedCursor, end, ...rest } = saved;
  const cursor = savedCursor === null ? undefined : parseWalkCursor(savedCursor);
  if (savedCursor !== null && cursor === undefined && !end) return undefined;
  const { from, to } = range;
  const progress = {
    ...rest,
    range: { from: from ?? undefined, to },
    cursor,
    end: end ?? undefined,
  };
  return { progress, savedAt };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
