import assert from 'node:assert/strict';
import type { Interval } from '../../src/base/interval.ts';
import { parseWalkCursor, type WalkCursor } from '../../src/exchange/history/walk/cursor.ts';
import type { HistorySource } from '../../src/exchange/history/source.ts';
import { identityOf } from '../../src/exchange/recordIdentity.ts';
import { walk, type WalkEnd } from '../../src/exchange/history/walk/walk.ts';

export type Walked<Item = unknown> = {
  readonly items: readonly Item[];
  readonly ids: readonly string[];
  readonly end: WalkEnd;
  readonly bad: number;
};

/** Of a simulated row, or of a record. */
function idOf(item: object): string {
  return 'id' in item ? String(item.id) : identityOf(item);
}

export type WalkedOptions = {
  readonly range: Interval;
  readonly size: number;
  readonly maxReads?: number;
  /** Ends the walk after each step and goes on from its cursor, as another process would. */
  readonly interrupts?: boolean;
  readonly isStartOmitted?: boolean;
};

/** Walks a history to the end and gathers what it gave. */
export async function walked<Item extends object>(
  history: HistorySource<Item>,
  { range, size, maxReads = 20_000, interrupts = false, isStartOmitted = false }: WalkedOptions,
): Promise<Walked<Item>> {
  const items: Item[] = [];
  let bad = 0;
  let cursor: WalkCursor | undefined;
  const options = { range, size, maxReads, isStartOmitted };
  let steps = walk(history, options);
  for (;;) {
    const next = await steps.next();
    if (next.done) {
      const ids = items.map(idOf);
      return { items, ids, end: next.value, bad };
    }
    items.push(...next.value.items);
    bad += next.value.badRecords.length;
    if (!interrupts) continue;
    const text = JSON.stringify(next.value.cursor);
    cursor = parseWalkCursor(JSON.parse(text));
    assert.deepEqual(cursor, next.value.cursor);
    steps = walk(history, { ...options, cursor });
  }
}
