import fc from 'fast-check';
import assert from 'node:assert/strict';
import { MovingHistory, type MovingOptions, type MovingRow } from './movingHistory.ts';
import { walked, type Walked } from './walked.ts';

const start = Date.UTC(2026, 0, 1);
const units = [1, 1000, 86_400_000];

/** A moving history and how it is walked. */
export type WalkCase = {
  readonly history: MovingOptions;
  readonly range: { readonly from: number | undefined; readonly to: number };
  readonly size: number;
  /** The ids of the rows in the range that never leave. */
  readonly steady: readonly string[];
  readonly pageRows: number;
  /** No unit ever holds more rows than a page. */
  readonly hasRoom: boolean;
};

const claims = {
  none: (total: number) => total,
  minusOne: () => -1,
  null: () => null,
  shrinking: (total: number, read: number) => Math.max(0, total - 10 * read),
  huge: () => 10_000,
  one: () => 1,
} as const;

/** Rows that share times, and a server that changes them between reads in every way that it may. */
const anyWalkCase: fc.Arbitrary<WalkCase> = fc
  .record({
    gaps: fc.array(fc.nat(4), { maxLength: 120, size: 'max' }),
    step: fc.constantFrom(0.3, 1, 5),
    resolutionMs: fc.constantFrom(...units),
    order: fc.constantFrom('newestFirst' as const, 'oldestFirst' as const, 'none' as const),
    isUnstable: fc.boolean(),
    size: fc.integer({ min: 1, max: 40 }),
    cap: fc.integer({ min: 1, max: 40 }),
    caps: fc.array(fc.integer({ min: 4, max: 12 }), { maxLength: 40 }),
    hidden: fc.constantFrom(0, 0, 0.05),
    unwanted: fc.constantFrom(0, 0, 0.7),
    slices: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    isFromOpen: fc.boolean(),
    toShare: fc.constantFrom(0.5, 0.9, 1),
    leaving: fc.float({ max: Math.fround(0.3), min: 0, noNaN: true }),
    inserted: fc.nat(3),
    lie: fc.constantFrom(...(Object.keys(claims) as (keyof typeof claims)[])),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map((drawn) => {
    const { resolutionMs, order, isUnstable, cap, size, seed } = drawn;
    const rows = rowsOf(drawn.gaps, drawn.step * resolutionMs, order === 'none' ? seed : 0);
    const last = Math.max(start, ...rows.map(({ time }) => time));
    const to = start + Math.floor((last + 1 - start) * drawn.toShare);
    const from = start + Math.floor((to - start) / 4);
    const isSliced = drawn.slices !== undefined;
    const range = { from: drawn.isFromOpen && !isSliced ? undefined : from, to };
    const leaves = (id: string): boolean => hash(id, seed) < drawn.leaving;
    const isIn = ({ time }: MovingRow): boolean => time < to && time >= (range.from ?? 0);
    const pageRows = Math.min(size, cap, ...drawn.caps);
    // A page of which every row is hidden looks like an end.
    const hidden = pageRows < 4 ? 0 : drawn.hidden;
    const hiddenIds = new Set(idsOf(rows).filter((id) => hash(id, seed + 1) < hidden));
    const unwantedIds = new Set(idsOf(rows).filter((id) => hash(id, seed + 2) < drawn.unwanted));
    const history: MovingOptions = {
      ...{
        rows,
        order,
        isUnstable,
        cap,
        caps: drawn.caps,
        hiddenIds,
        unwantedIds,
        resolutionMs,
        seed,
      },
      ...(drawn.slices === undefined ? {} : { maxRangeMs: resolutionMs * drawn.slices * 10 }),
      claim: (total, read) => claims[drawn.lie](total, read),
      change: (before, read) => [
        ...before.filter(({ id }) => !leaves(id) || hash(id, read) > 0.2),
        ...Array.from({ length: drawn.inserted }, (_, index) => ({
          id: `new-${read}-${index}`,
          time: last + resolutionMs * (1 + read),
        })),
      ],
    };
    const steady = idsOf(rows.filter((row) => isIn(row) && !leaves(row.id))).filter(
      (id) => !hiddenIds.has(id) && !unwantedIds.has(id),
    );
    const hasRoom = mostInUnit(rows, resolutionMs) <= pageRows;
    return { history, range, size, steady, pageRows, hasRoom };
  });

export type WalkProperty = {
  readonly title: string;
  readonly check: (walkCase: WalkCase) => Promise<void>;
};

/** What every walk promises, whatever the exchange does. */
export const walkProperties: readonly WalkProperty[] = [
  {
    title: 'returns each row that stays once, or does not say that it is complete',
    check: async (walkCase) =>
      checkSound(walkCase, await walked(new MovingHistory(walkCase.history), walkCase)),
  },
  {
    title: 'does so when it is interrupted after every step',
    check: async (walkCase) => {
      const options = { ...walkCase, interrupts: true };
      checkSound(walkCase, await walked(new MovingHistory(walkCase.history), options));
    },
  },
  {
    title: 'resumes from any cursor with the result of an uninterrupted walk',
    check: async (walkCase) => {
      const [whole, parts] = [false, true].map((interrupts) =>
        walked(new MovingHistory(walkCase.history), { ...walkCase, interrupts }),
      );
      assert.deepEqual(await parts, await whole);
    },
  },
  {
    title: 'returns each row that stays once or says unknown, where the exchange ignores the range',
    check: async (walkCase) => {
      const history = new MovingHistory({ ...walkCase.history, ignoresRange: true });
      checkKnown(walkCase, await walked(history, { ...walkCase, maxReads: 300 }));
    },
  },
  {
    title: 'returns each row that stays once, where a range includes the unit at its end',
    check: async (walkCase) => {
      const history = new MovingHistory({ ...walkCase.history, givesEndToo: true });
      checkKnown(walkCase, await walked(history, walkCase));
    },
  },
];

/** Checks a property on so many random cases; the same ones for the same seed. */
export function checkWalkProperty(
  { check }: WalkProperty,
  parameters: { readonly numRuns: number; readonly seed?: number },
): Promise<void> {
  return fc.assert(fc.asyncProperty(anyWalkCase, check), parameters);
}

function checkSound(drawn: WalkCase, result: Walked): void {
  const { end, mostRemembered } = result;
  assert.notEqual(end.reason, 'readsUsedUp');
  assert.equal(end.rows, result.ids.length);
  if (drawn.hasRoom) assert.notEqual(end.completeness, 'unknown');
  if (end.completeness !== 'unknown') checkWhole(drawn, result);
  if (drawn.hasRoom) assert.ok(mostRemembered <= 42 * drawn.pageRows, String(mostRemembered));
}

function checkKnown(walkCase: WalkCase, result: Walked): void {
  checkInRange(walkCase, result);
  if (result.end.completeness !== 'unknown') checkWhole(walkCase, result);
}

/** No walk returns a row outside its range, however it ends. */
function checkInRange({ history, range }: WalkCase, { ids }: Walked): void {
  const times = new Map(history.rows.map(({ id, time }) => [id, time]));
  for (const id of ids) {
    const time = times.get(id) ?? Number.NaN;
    assert.ok(time < range.to && time >= (range.from ?? 0), `${id} is outside the range`);
    assert.ok(!history.unwantedIds?.has(id), `${id} does not match the filter`);
  }
}

function checkWhole(drawn: WalkCase, result: Walked): void {
  checkInRange(drawn, result);
  const given = new Set(result.ids);
  assert.equal(given.size, result.ids.length, 'a row was given twice');
  assert.deepEqual(
    drawn.steady.filter((id) => !given.has(id)),
    [],
    'rows were lost',
  );
}

const idsOf = (rows: readonly MovingRow[]): string[] => rows.map(({ id }) => id);

function rowsOf(gaps: readonly number[], stepMs: number, shuffledBy: number): MovingRow[] {
  let time = start;
  const rows = gaps.map((gap, index) => {
    time += Math.floor(gap * stepMs);
    return { id: `row-${index}`, time };
  });
  if (shuffledBy === 0) return rows;
  return rows.toSorted((a, b) => hash(a.id, shuffledBy) - hash(b.id, shuffledBy));
}

function mostInUnit(rows: readonly MovingRow[], unitMs: number): number {
  const counts = new Map<number, number>();
  for (const { time } of rows) {
    const unit = Math.floor(time / unitMs);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** A number from 0 to 1 that looks random, the same for the same text and seed. */
function hash(text: string, seed: number): number {
  let value = 2_166_136_261 ^ seed;
  for (const character of text)
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 2_246_822_519) >>> 0;
  return ((value ^ (value >>> 13)) >>> 0) / 2 ** 32;
}
