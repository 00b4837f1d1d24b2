import { minuteMs, secondMs } from '../../base/time.ts';
import { longestWindowMs } from './limits.ts';
import { areLimitsStale } from './staleLimits.ts';
import {
  expiresAt,
  isActive,
  limitsOf,
  maxPauseMs,
  type ClockReading,
  type RateLimitState,
  type WeightEntry,
} from './rateLimitState.ts';

const maxRequestMs = 2 * minuteMs;
const maxPaceMs = minuteMs;
/** As fine as bulk requests need, and few enough to be read and written in a millisecond. */
const partsOfWindow = 500;
/** How far the two clocks may drift apart while neither is set. */
const maxDriftMs = secondMs;

/**
 * The state of the file with times of the steady clock. No more time has passed since it was written
 * than either clock shows: after a reboot, or when the wall clock was set back, none.
 */
export function fromFileTimes(state: RateLimitState, now: ClockReading): RateLimitState {
  const writtenAt = state.writtenAt ?? now;
  const passedMs = Math.min(
    now.steadyMs - writtenAt.steadyMs,
    now.wallMs - writtenAt.wallMs + maxDriftMs,
  );
  const shiftMs = now.steadyMs - Math.max(0, passedMs) - writtenAt.wallMs;
  const learnedAt = Math.min(state.learnedAt, now.wallMs);
  return { ...clampTimes(shiftTimes(state, shiftMs), now.steadyMs), learnedAt };
}

/** The state as it is written to the file at this moment. */
export function toFileTimes(state: RateLimitState, now: ClockReading): RateLimitState {
  return { ...shiftTimes(state, now.wallMs - now.steadyMs), writtenAt: now };
}

function shiftTimes(state: RateLimitState, byMs: number): RateLimitState {
  return {
    ...state,
    entries: state.entries.map((entry) => ({ ...entry, endsAt: entry.endsAt + byMs })),
    lastSentAt: state.lastSentAt + byMs,
    pausedUntil: state.pausedUntil + byMs,
    bulkSpentAt: state.bulkSpentAt + byMs,
  };
}

/** Limits times to those that matter and are possible: a file may hold anything. */
function clampTimes(state: RateLimitState, now: number): RateLimitState {
  const clamp = (time: number, aheadMs: number): number =>
    Math.min(Math.max(time, now - 2 * longestWindowMs), now + aheadMs);
  const clampEntry = (entry: WeightEntry): WeightEntry => ({
    ...entry,
    endsAt: clamp(entry.endsAt, maxRequestMs),
  });
  return {
    ...state,
    entries: state.entries.map(clampEntry),
    lastSentAt: clamp(state.lastSentAt, 0),
    pausedUntil: clamp(state.pausedUntil, maxPauseMs),
    bulkSpentAt: clamp(state.bulkSpentAt, maxPaceMs),
  };
}

/**
 * The same state, shorter: drops what no longer counts, and adds up what ended within the same part of
 * a window.
 */
export function compactState(state: RateLimitState, now: number): RateLimitState {
  const windowsMs = limitsOf(state).map(({ windowMs }) => windowMs);
  const entries = new Map<string, WeightEntry>();
  for (const entry of state.entries) {
    const countingMs = windowsMs.filter((windowMs) => isActive(entry, windowMs, now));
    if (countingMs.length === 0) continue;
    const passedMs = windowsMs.filter((windowMs) => expiresAt(entry, windowMs) <= now);
    const latest = passedMs.map((windowMs) => entry.endsAt + now - expiresAt(entry, windowMs));
    const next = entry.endsAt > now ? entry : roundEntry(entry, Math.min(...countingMs), latest);
    const weight = (entries.get(next.id)?.weight ?? 0) + next.weight;
    entries.set(next.id, { ...next, weight });
  }
  return { ...state, entries: [...entries.values()] };
}

/** Not later than `latest`: else it would count again in a shorter window, which it has left. */
function roundEntry(entry: WeightEntry, windowMs: number, latest: readonly number[]): WeightEntry {
  const stepMs = Math.max(1, Math.floor(windowMs / partsOfWindow));
  const endsAt = Math.min(Math.ceil(entry.endsAt / stepMs) * stepMs, ...latest);
  return { ...entry, id: sumId(entry, endsAt), endsAt };
}

const sumMark = '-until-';

/** The id of an entry that adds up all that ended in one part of a window. */
function sumId({ isForeign, shortestMs }: WeightEntry, endsAt: number): string {
  const owner = isForeign ? 'others' : 'ours';
  return `${owner}${shortestMs === undefined ? '' : `-of-${shortestMs}`}${sumMark}${endsAt}`;
}

/**
 * The state of the file with what this window counted while it could not be written, or in a file that was
 * deleted. What both had in a sum counts twice until it expires: the parts of a sum are unknown.
 */
export function mergeStates(shared: RateLimitState, own: RateLimitState): RateLimitState {
  const entries = new Map(shared.entries.map((entry) => [entry.id, entry]));
  for (const entry of own.entries) {
    const known = entries.get(entry.id)?.weight ?? 0;
    const isSum = entry.id.includes(sumMark);
    const weight = isSum ? known + entry.weight : Math.max(known, entry.weight);
    entries.set(entry.id, { ...entry, weight });
  }
  const isLater = areLimitsStale(own) || own.learnedAt > shared.learnedAt;
  const { limits, learnedAt } = isLater ? own : shared;
  return {
    entries: [...entries.values()],
    limits,
    learnedAt,
    lastSentAt: Math.max(shared.lastSentAt, own.lastSentAt),
    pausedUntil: Math.max(shared.pausedUntil, own.pausedUntil),
    passed: [...shared.passed, ...own.passed],
    bulkSpentAt: Math.max(shared.bulkSpentAt, own.bulkSpentAt),
    writtenAt: shared.writtenAt,
    fileId: shared.fileId,
  };
}
