import assert from 'node:assert/strict';
import type { HistorySource, TimeRange } from '../../src/exchange/history/walk/historySource.ts';
import {
  parseWalkCursor,
  walk,
  type WalkCursor,
  type WalkEnd,
} from '../../src/exchange/history/walk/walk.ts';

export type Walked = {
  readonly ids: readonly string[];
  readonly end: WalkEnd;
  /** How many rows the walk remembered at most. */
  readonly mostRemembered: number;
  readonly bad: number;
};

export type WalkedOptions = {
  readonly range: TimeRange;
  readonly size: number;
  readonly maxReads?: number;
  /** Ends the walk after each step and goes on from its cursor, as another process would. */
  readonly interrupts?: boolean;
};

/** Walks a history to the end and gathers what it gave. */
export async function walked<Item>(
  history: HistorySource<Item>,
  { range, size, maxReads = 20_000, interrupts = false }: WalkedOptions,
): Promise<Walked> {
  const ids: string[] = [];
  let [mostRemembered, bad] = [0, 0];
  let cursor: WalkCursor | undefined;
  let steps = walk(history, { range, size, maxReads });
  for (;;) {
    const next = await steps.next();
    if (next.done) return { ids, end: next.value, mostRemembered, bad };
    ids.push(...next.value.items.map((item) => history.idOf(item)));
    bad += next.value.badRecords.length;
    mostRemembered = Math.max(mostRemembered, next.value.cursor.seen.length);
    if (!interrupts) continue;
    cursor = parseWalkCursor(JSON.parse(JSON.stringify(next.value.cursor)));
    assert.deepEqual(cursor, next.value.cursor);
    steps = walk(history, { range, size, maxReads, cursor });
  }
}
