import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { dayMs } from '../../base/time.ts';
import { accountFingerprint, type Credentials } from '../auth/credentials.ts';
import { isUsableLimit } from './limits.ts';
import {
  activeEntries,
  emptyState,
  limitsOf,
  type Charge,
  type ClockReading,
  type RateLimitState,
} from './rateLimitState.ts';

/** Where the state is kept. No member throws: a state that cannot be stored is kept in memory. */
export type RateLimitStore = {
  /** The state as it is now, intents included, without waiting for other windows. */
  read(): RateLimitState;
  /** Changes it in one step, in which no other window can change it. `change` may be called again. */
  update(change: StateUpdate): Promise<void>;
  /**
   * Shows an intent to all windows at once, and gives every intent that is not in the state yet, this
   * one too. A window that decides by them, and by a state that it reads later, overlooks none.
   */
  addIntent(intent: Charge): readonly Charge[];
  /** Removes an intent for which nothing is sent. */
  removeIntent(intent: Charge): void;
};

/** A change of the state that can be made twice without harm. */
export type StateUpdate = (state: RateLimitState) => RateLimitState;

/** The state of a single window, which needs no intents. */
export function createMemoryStore(start: Partial<RateLimitState> = {}): RateLimitStore {
  let state: RateLimitState = { ...emptyState, ...start };
  return {
    read: () => state,
    update: (change) => {
      state = change(state);
      return Promise.resolve();
    },
    addIntent: () => [],
    removeIntent: () => undefined,
  };
}

const { MAX_SAFE_INTEGER: most } = Number;
const time = v.pipe(v.number(), v.minValue(-most), v.maxValue(most));
/** Low enough that the weights of any list add up to a whole number. */
const weight = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e10));
const limit = v.pipe(
  v.object({ weight: v.number(), windowMs: v.number() }),
  v.check(isUsableLimit),
);
const stateSchema = v.object({
  entries: v.array(
    v.object({
      id: v.string(),
      weight,
      endsAt: time,
      isForeign: v.boolean(),
      shortestMs: v.optional(time),
    }),
  ),
  limits: v.nullable(v.pipe(v.array(limit), v.minLength(1))),
  learnedAt: time,
  lastSentAt: time,
  pausedUntil: time,
  passed: v.array(v.object({ id: v.string(), operation: v.string() })),
  bulkSpentAt: time,
  writtenAt: v.nullable(v.object({ wallMs: time, steadyMs: time })),
  fileId: v.string(),
});

const storedSchema = v.pipe(v.string(), v.parseJson(), stateSchema);

/** The state in the text of a file, with the file's times; undefined if it cannot be read. */
export function parseState(text: string): RateLimitState | undefined {
  const parsed = v.safeParse(storedSchema, text);
  return parsed.success ? parsed.output : undefined;
}

/** The stored file name of one exchange, or of one of its keys: a hash that reveals neither. */
export function rateLimitFileName(origin: string, credentials: Credentials): string {
  return `${accountFingerprint(origin, credentials)}.json`;
}

const maxUnusedMs = 7 * dayMs;
/** A rate-limit file and what belongs to it: its intents, the lock of a process that died. */
const namePattern = /^([0-9a-f]{32}\.json)(?:\..+)?$/;

/**
 * Removes the files that were not used for a week and hold no weight. The wall clock alone proves no week, as
 * anybody may set it: the machine ran for a week since, or was started again.
 */
export async function pruneRateLimitFiles(folder: string, now: ClockReading): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const families = Map.groupBy(names, (name) => namePattern.exec(name)?.[1]);
  families.delete(undefined);
  for (const family of families.values()) {
    const files = family.map((name) => path.join(folder, name));
    const areOld = await Promise.all(files.map((file) => isPrunable(file, now)));
    if (!areOld.every(Boolean)) continue;
    for (const file of files) await rm(file, { recursive: true, force: true });
  }
}

/** What vanished meanwhile, as when two windows prune, holds nothing. */
async function isPrunable(file: string, { wallMs, steadyMs }: ClockReading): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file);
    if (wallMs - mtimeMs < maxUnusedMs) return false;
    const state = file.endsWith('.json') ? parseState(await readFile(file, 'utf8')) : undefined;
    const passedMs = steadyMs - (state?.writtenAt?.steadyMs ?? steadyMs - maxUnusedMs);
    const isProven = passedMs < 0 || passedMs >= maxUnusedMs;
    return !state || (isProven && !holdsWeight(state, wallMs));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

function holdsWeight(state: RateLimitState, now: number): boolean {
  return limitsOf(state).some(({ windowMs }) => activeEntries(state, windowMs, now).length > 0);
}
