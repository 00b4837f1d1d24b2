import assert from 'node:assert/strict';
import { contains, openStart } from '../../src/base/interval.ts';
import { dayMs } from '../../src/base/time.ts';
import {
  SimulatedHistory,
  totals,
  type SimulatedRow,
  type SimulationOptions,
} from './simulatedHistory.ts';
import { walked, type WalkedOptions } from './walked.ts';

/** When the first rows may come: at any time, or right at the start of a day or a minute. */
const anyStart = Date.UTC(2026, 0, 1, 10, 20, 30, 400);
const starts = [
  anyStart,
  Date.UTC(2026, 0, 1),
  Date.UTC(2026, 0, 1, 0, 0, 0, 300),
  anyStart,
  Date.UTC(2026, 0, 1, 10, 20, 0, 300),
];

/** An exchange of one of the classes that a walk must judge, and what it does. */
export type WalkCase = {
  readonly options: SimulationOptions;
  readonly walk: WalkedOptions;
  /** Neither the rows move nor the exchange misleads, and a page has room for 20 rows. */
  readonly isHonest: boolean;
  /** No row comes, leaves or flickers, so that equal rows can be counted. */
  readonly isStatic: boolean;
  /** Whether it lies in the range and passes the filter. */
  readonly isWanted: (row: SimulatedRow) => boolean;
  /** Whether its record cannot be read. */
  readonly isBad: (row: SimulatedRow) => boolean;
  readonly isLost: (row: SimulatedRow) => boolean;
};

/** How long a question may be: for most exchanges, as long as one likes. */
function longestOf(chance: number): number | undefined {
  const days = [1, 1, 2, 3, 7, 30][Math.floor(chance * 24)];
  return days === undefined ? undefined : days * 86_400_000;
}

/** The same case for the same seed. */
export function walkCaseOf(seed: number): WalkCase {
  const random = randomFrom(seed);
  const start = starts[seed % 7] ?? anyStart;
  const one = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const whole = (least: number, most: number): number =>
    least + Math.floor(random() * (most - least + 1));
  // A static exchange without tricks, in every order, resolution and cap.
  const isHonest = random() < 0.25;
  const happens = (share: number): boolean => !isHonest && random() < share;
  const unitMs = one(1000, 1000, 1000, 86_400_000);
  // An exchange that takes only days may apply them to the minute.
  const dayCutMs = hash('minutes', seed) < 0.3 ? 60_000 : unitMs;
  const cutMs = unitMs === 1000 ? one(1, 1, 1000, 60_000, 86_400_000) : dayCutMs;
  const stepMs = one(200, 1000, 20_000, 3_600_000, 20 * 3_600_000);
  const anyTimesMs = one(1, 1, 1000, 60_000);
  // As funding, which is paid every eight hours.
  const timesMs = unitMs > 1000 && hash('midnights', seed) < 0.2 ? 8 * 3_600_000 : anyTimesMs;
  const cap = isHonest ? one(20, 33, 60, 500) : one(1, 2, 3, 7, 20, 33, 60, 500);
  const hasUnevenCaps = happens(0.3);
  const isMoving = happens(0.5);
  const reach = happens(0.15) ? one(5, 19, 200) : undefined;
  const total = isHonest ? 'honest' : one(...totalNames);
  const isCountedToReach = reach !== undefined && happens(0.5);
  const made = rowsOf(random, {
    start,
    count: cap < 20 ? one(0, 1, 2, 5, 12, 24) : one(0, 1, 5, 12, 30, 80, 220),
    stepMs,
    timesMs,
    hasEqualRows: happens(0.3),
    one,
  });
  const order = one(
    'newestFirst',
    'oldestFirst',
    'newestFirst',
    'oldestFirst',
    isHonest ? 'newestFirst' : 'none',
  );
  const isBySymbol = order === 'none' && happens(0.4);
  const rows = isBySymbol ? bySymbol(made, one(1, -1), seed) : made;
  const leaving = isMoving ? one(0, 0.05, 0.3) : 0;
  const arriving = isMoving ? one(0, 1, 3) : 0;
  const burst = isMoving ? one(0, 0, 40) : 0;
  const isFlickering = happens(0.1);
  const last = Math.max(start, ...rows.map(({ time }) => time));
  const leavingIds = new Map<string, boolean>();
  const leaves = ({ id }: SimulatedRow): boolean => {
    const known = leavingIds.get(id) ?? hash(`${id} leaves`, seed) < leaving;
    leavingIds.set(id, known);
    return known;
  };
  const flickers = ({ id }: SimulatedRow): boolean =>
    isFlickering && hash(`${id} flickers`, seed) < 0.05;
  const isBounded = random() < 0.4;
  const to = isBounded ? start + Math.ceil((last - start) * one(0.5, 0.9)) + 1 : last + 1;
  const from = isBounded ? start + Math.floor((to - start) * one(0, 0.3)) : openStart;
  const begin = isBounded ? from : start;
  const isLate = happens(0.3);
  const late = (read: number, nth: number): SimulatedRow => ({
    id: `new-${read}-${nth}`,
    time: isLate
      ? begin + ((read * 977 + nth * 31) % Math.max(1, to - begin))
      : last + 6000 + read * 300 + nth,
  });
  const pastEnd = isHonest
    ? one<'empty' | 404>('empty', 404)
    : one<NonNullable<SimulationOptions['pastEnd']>>(
        'empty',
        'empty',
        404,
        400,
        'lastPage',
        'firstPage',
      );
  // Only a count that is honest shows that rows are withheld.
  const canShow = total === 'honest' && !isCountedToReach && !isMoving && !isFlickering;
  const idsOf = (name: string, share: number): ReadonlySet<string> =>
    new Set(rows.flatMap(({ id }) => (hash(`${id} ${name}`, seed) < share ? id : [])));
  const badIds = idsOf('bad', !isHonest && hash('bad rows', seed) < 0.15 ? 0.1 : 0);
  const unwantedIds = idsOf('unwanted', hash('filter', seed) < 0.15 ? 0.3 : 0);
  const longestMs =
    isBounded && unitMs === 1000 ? longestOf(hash('longest question', seed)) : undefined;
  const withheld = canShow && happens(0.2) ? 0.03 : 0;
  const cachedReads = happens(0.1) ? one(1, 3, 10) : 0;
  const options: SimulationOptions = {
    rows,
    order,
    unitMs,
    cutMs,
    pastEnd,
    cachedReads,
    seed: 1 + (seed % 2_147_483_646),
    ...(reach === undefined ? {} : { reach }),
    reorders: !isBySymbol && random() < 0.4,
    caps: hasUnevenCaps ? Array.from({ length: 7 }, () => whole(Math.ceil(cap / 3), cap)) : [cap],
    comparesUnits: random() < 0.5,
    excludesFrom: random() < 0.3,
    includesTo: random() < 0.5,
    // Days of a zone that the client does not know are no honest ends.
    zoneMs: isHonest && unitMs === 1000 ? 0 : one(0, 9, -5, 5.5) * 3_600_000,
    ...(!isHonest && hash('named zone', seed) < 0.2 ? { namedZoneMs: 2 * 3_600_000 } : {}),
    ...(hash('default days', seed) < 0.2 ? { defaultDays: 1 } : {}),
    hiddenIds: idsOf('withheld', withheld),
    badIds,
    unwantedIds,
    ...(longestMs === undefined ? {} : { maxRangeMs: longestMs }),
    totals: isCountedToReach ? (all) => Math.min(reach, all) : totals[total],
    ...(isFlickering
      ? { flickers: (row, read) => flickers(row) && hash(`${row.id} ${read}`, seed) < 0.3 }
      : {}),
    ...(isMoving
      ? {
          change: (before, read) => [
            ...before.filter((row) => !leaves(row) || hash(`${row.id} ${read}`, seed) > 0.1),
            ...Array.from({ length: arriving + (read === 3 ? burst : 0) }, (_, nth) =>
              late(read, nth),
            ),
          ],
        }
      : {}),
  };
  const habit = (name: string, share: number): boolean => !isHonest && hash(name, seed) < share;
  // Ends that are cut, too, leave a day less of a period.
  const cutDays = oneOf(cutMs > 1 ? [10, 30] : [7, 10, 30], 'days', seed);
  const habits: Partial<SimulationOptions> = {
    ...(habit('newest days', 0.15) ? { newestDays: cutDays } : {}),
    ...(habit('oldest days', 0.15) ? { oldestDays: cutDays } : {}),
    ...(habit('overlap', 0.05) ? { overlap: 1 } : {}),
    ...(habit('excess', 0.05) ? { excess: 1 } : {}),
    ...(habit('pages', 0.1) ? { pages: oneOf(pageKinds, 'page kind', seed) } : {}),
    ...(habit('count lag', 0.05) ? { countLag: 2 } : {}),
    ...(habit('skew', 0.1) ? { skewMs: skewOf(seed) } : {}),
  };
  const walk = {
    range: { from, to },
    size: one(20, 50, 500),
    maxReads: isHonest ? 1000 : 200,
    // A walk that goes on in another process does not know which rows answers showed there.
    interrupts: seed % 10 === 0 && !isFlickering,
  };
  const offsetsByRequestedSize = random() < 0.4;
  // If all rows of the period share a unit, no question divides them: nothing shows that a count is cut.
  const inRange = rows.filter(({ time }) => contains({ from, to }, time));
  const zoneMs = options.zoneMs ?? 0;
  const unitOf = ({ time }: SimulatedRow): number =>
    Math.floor((time + zoneMs) / Math.max(unitMs, cutMs));
  const hasCutCount = isCountedToReach || (reach !== undefined && total === 'thisPage');
  const isDepthHidden = hasCutCount && new Set(inRange.map(unitOf)).size === 1;
  return {
    options: { ...withoutHiddenStart({ ...options, ...habits }, from), offsetsByRequestedSize },
    walk,
    // Questions of whole days need room: a walk without it may be unable to prove an honest range.
    isHonest: isHonest && (longestMs ?? Infinity) >= 7 * 86_400_000,
    isStatic: !isMoving && !isFlickering,
    isWanted: ({ id, time }) => contains({ from, to }, time) && !unwantedIds.has(id),
    isBad: ({ id }) => badIds.has(id),
    isLost: (row) => leaves(row) || flickers(row) || isDepthHidden,
  };
}

/**
 * An exchange that hides old rows from questions with a start, and from those without, cannot be told from one
 * that has none.
 */
function withoutHiddenStart(options: SimulationOptions, from: number): SimulationOptions {
  const { newestDays = Infinity, oldestDays = Infinity, defaultDays: _, ...others } = options;
  const isHidden = from === openStart && Math.min(newestDays, oldestDays) < Infinity;
  return isHidden ? { ...others, newestDays, oldestDays } : options;
}

const pageKinds = ['ignored', 'offset', 'fromOne', 'atMostThree', 'reversed'] as const;

function oneOf<T>(values: readonly T[], text: string, seed: number): T {
  return values[Math.floor(hash(text, seed) * values.length)] as T;
}

/** Of some rows: the ends are compared with a creation, and the row shows its last change. */
function skewOf(seed: number): (row: SimulatedRow) => number {
  const mostMs = oneOf([30_000, 3_600_000, 30 * 3_600_000], 'skew', seed);
  return ({ id }) =>
    hash(`${id} is changed`, seed) < 0.1 ? -Math.floor(hash(`${id} lag`, seed) * mostMs) : 0;
}

const totalNames = Object.keys(totals) as (keyof typeof totals)[];

type RowsOptions = {
  readonly start: number;
  readonly count: number;
  readonly stepMs: number;
  readonly timesMs: number;
  /** Records of which nothing tells them apart. */
  readonly hasEqualRows: boolean;
  readonly one: <T>(...values: readonly T[]) => T;
};

/** Rows from the first on, of which some share a time, an id, or everything. */
function rowsOf(
  random: () => number,
  { start, count, stepMs, timesMs, hasEqualRows, one }: RowsOptions,
): SimulatedRow[] {
  const tied = one(0, 0, 0.3, 0.97);
  const shared = one(0, 0, 0.1);
  let time = start;
  const rows = Array.from({ length: count }, (_, index): SimulatedRow => {
    if (random() >= tied) time += Math.floor(random() * 2 * stepMs);
    return { id: `row-${index}`, time: Math.floor(time / timesMs) * timesMs };
  });
  const twins = rows
    .filter(() => random() < shared)
    .map((row) => (hasEqualRows ? row : { ...row, content: 'other side' }));
  const all = [...rows, ...twins].map((row, index) => ({ row, place: random(), index }));
  return all.toSorted((a, b) => a.place - b.place).map(({ row }) => row);
}

/** Rows that are answered symbol by symbol, each in order of time: nearly sorted, if one symbol is rare. */
function bySymbol(rows: readonly SimulatedRow[], sign: number, seed: number): SimulatedRow[] {
  const share = hash('symbols', seed) < 0.5 ? 0.5 : 0.95;
  const symbolOf = ({ id }: SimulatedRow): number => (hash(`${id} symbol`, seed) < share ? 0 : 1);
  return rows.toSorted((a, b) => symbolOf(a) - symbolOf(b) || sign * (a.time - b.time));
}

/** Walks a case; throws if the walk claims what is not true. Returns how it ended. */
export async function checkWalk(seed: number): Promise<{ isHonest: boolean; end: string }> {
  const { options, walk, isHonest, isStatic, isLost, isWanted, isBad } = walkCaseOf(seed);
  const history = new WatchedHistory(options);
  const { items, end, bad } = await walked(history, walk);
  const label = `seed ${seed}, ${end.completeness} ${end.reason ?? ''}`;
  const inRange = options.rows.filter(({ time }) => contains(walk.range, time));
  const wanted = inRange.filter((row) => isWanted(row) && !isBad(row));
  const [given, known] = [countsOf(items.map(keyOf)), countsOf(wanted.map(keyOf))];
  assert.equal(end.rows, items.length, label);
  for (const [row, count] of given)
    assert.ok(
      count <= (known.get(row) ?? (row.startsWith('new-') ? 1 : 0)),
      `${label}: ${row} is given ${count} times`,
    );
  if (end.completeness !== 'complete') return { isHonest, end: end.reason ?? end.completeness };
  const badRows = inRange.filter((row) => isBad(row) && !isLost(row));
  assert.ok(bad >= badRows.length, `${label}: an unreadable record is not reported`);
  const steady = countsOf(wanted.filter((row) => !isLost(row)).map(keyOf));
  for (const [row, count] of steady)
    assert.ok((given.get(row) ?? 0) >= (isStatic ? count : 1), `${label}: ${row} is lost`);
  // A walk that goes on in another process does not know what answers showed there.
  const shown = walk.interrupts ? [] : history.shown.filter(isWanted);
  for (const row of shown)
    assert.ok(given.has(keyOf(row)), `${label}: ${keyOf(row)}, which an answer showed, is lost`);
  return { isHonest, end: end.completeness };
}

function keyOf({ id, time, content = '' }: SimulatedRow): string {
  return `${id} ${time} ${content}`;
}

/** Keeps which rows its answers showed. */
class WatchedHistory extends SimulatedHistory {
  readonly shown: SimulatedRow[] = [];

  override async read(
    ...request: Parameters<SimulatedHistory['read']>
  ): ReturnType<SimulatedHistory['read']> {
    const answer = await super.read(...request);
    this.shown.push(...answer.rows.map(({ item }) => item));
    return answer;
  }
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number from 0 to 1 that looks random, the same for the same text and seed. */
function hash(text: string, seed: number): number {
  let value = 2_166_136_261 ^ seed;
  for (const character of text)
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return randomFrom(value)();
}

/** Walks the cases of so many seeds. How many were honest, and how many of those the walk proved. */
export async function checkWalks(
  firstSeed: number,
  count: number,
): Promise<{ honest: number; complete: number }> {
  const sums = { honest: 0, complete: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const { isHonest, end } = await checkWalk(seed);
    if (isHonest) sums.honest += 1;
    if (isHonest && end === 'complete') sums.complete += 1;
  }
  return sums;
}

/** How many walks over an honest exchange, with 3 to 15 rows in 90 days, are complete; throws if one lost a row. */
export async function completeQuietWalks(count: number): Promise<number> {
  let complete = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const random = randomFrom(seed);
    const from = anyStart + Math.floor(random() * dayMs);
    const to = from + 90 * dayMs;
    const perMonth = 1 + Math.floor(random() * 5);
    const rows = Array.from({ length: 3 * perMonth }, (_, index) => ({
      id: `row-${index}`,
      time: from + Math.floor(random() * (to - from)),
    }));
    const order = random() < 0.5 ? 'newestFirst' : 'oldestFirst';
    const { end, ids } = await walked(new SimulatedHistory({ rows, order }), {
      range: { from, to },
      size: 500,
    });
    assert.equal(ids.length, rows.length, `seed ${seed}`);
    if (end.completeness === 'complete') complete += 1;
    else assert.equal(end.reason, 'spanUnproven', `seed ${seed}`);
  }
  return complete;
}
