import { dayMs, minuteMs, secondMs } from '../../base/time.ts';
import type { OperationName } from '../../api/operations.ts';
import { assumedLimits, type UsedWeight, type WeightLimit } from './limits.ts';

/**
 * One moment on two clocks, in milliseconds: the wall clock, which people set, and a steady one, which
 * starts with the machine and is the same for all its processes.
 */
export type ClockReading = { readonly wallMs: number; readonly steadyMs: number };

/** Weight that counts in a window until that long after `endsAt`. */
export type WeightEntry = {
  readonly id: string;
  readonly weight: number;
  /** When the answer came; until then, when it will have come at the latest. */
  readonly endsAt: number;
  /** Used by others on the same limit, as a header of the exchange showed. */
  readonly isForeign: boolean;
  /** The shortest window that it counts in; all windows unless given. */
  readonly shortestMs?: number | undefined;
};

/** A request that was sent during a pause. */
type PauseExemption = { readonly id: string; readonly operation: string };

/**
 * What all windows share about the weight of one exchange, or of one of its keys. Plain data: it is stored as JSON, and its
 * member names are the file's. Times are milliseconds of the steady clock, in the file of the wall clock.
 */
export type RateLimitState = {
  readonly entries: readonly WeightEntry[];
  /** As exchange information gave them; null before. */
  readonly limits: readonly WeightLimit[] | null;
  /** When the limits were read, in epoch milliseconds: limits age while the machine is off. 0: they are stale. */
  readonly learnedAt: number;
  readonly lastSentAt: number;
  /** When the pause ends that the exchange asked for. */
  readonly pausedUntil: number;
  /** What was sent in this pause. */
  readonly passed: readonly PauseExemption[];
  /** When bulk requests at their pace would have used the weight that they have used. */
  readonly bulkSpentAt: number;
  /** When the file was written; null before. */
  readonly writtenAt: ClockReading | null;
  /** Of the file, since it was created: one that replaced a deleted or unreadable one may know less. */
  readonly fileId: string;
  /** Of this window alone, because the file cannot be written: windows do not see each other. */
  readonly isUnshared?: true;
};

export const emptyState: RateLimitState = {
  entries: [],
  limits: null,
  learnedAt: 0,
  lastSentAt: 0,
  pausedUntil: 0,
  passed: [],
  bulkSpentAt: 0,
  writtenAt: null,
  fileId: '',
};

/** For clocks that count whole milliseconds and run at slightly different rates, ours and the exchange's. */
const clockToleranceMs = 50;
const unansweredMarginMs = 5000;
const defaultPauseMs = minuteMs;
const minPauseMs = secondMs;
/** A longer pause is shortened to this one. */
export const maxPauseMs = dayMs;

/** How a request ended. */
export type SendResult =
  | { readonly kind: 'unsent' | 'unanswered' }
  | {
      readonly kind: 'answered';
      /** The weight that headers report, of the shortest window first; none unless given. */
      readonly usedWeights?: readonly UsedWeight[];
      /** How often it was sent before the answer came; once unless given. */
      readonly timesSent?: number;
    }
  /** The exchange asks for a pause; `limited` if that is because a limit was exceeded. */
  | { readonly kind: 'paused' | 'limited'; readonly retryAfterMs: number | undefined };

export function limitsOf({ limits }: RateLimitState): readonly WeightLimit[] {
  return limits ?? assumedLimits;
}

/** When an entry ceases to count in a window. */
export function expiresAt({ endsAt }: WeightEntry, windowMs: number): number {
  return endsAt + windowMs + clockToleranceMs;
}

/** The entries that count in a window now. */
export function activeEntries(
  { entries }: RateLimitState,
  windowMs: number,
  now: number,
): readonly WeightEntry[] {
  return entries.filter((entry) => isActive(entry, windowMs, now));
}

export function isActive(entry: WeightEntry, windowMs: number, now: number): boolean {
  return windowMs >= (entry.shortestMs ?? 0) && expiresAt(entry, windowMs) > now;
}

export function totalWeight(entries: readonly Pick<WeightEntry, 'weight'>[]): number {
  return entries.reduce((sum, { weight }) => sum + weight, 0);
}

/** The weight of one request that is sent. */
export type Charge = Pick<WeightEntry, 'id' | 'weight'> & {
  readonly operation: OperationName;
  /** How long the request can take at most. */
  readonly maxDurationMs: number;
};

/** Counts a request from the moment when it is sent. */
export function addCharge(state: RateLimitState, charge: Charge, now: number): RateLimitState {
  return addCharges(state, [charge], now);
}

/** Counts requests that are sent now, each once. */
export function addCharges(
  state: RateLimitState,
  charges: readonly Charge[],
  now: number,
): RateLimitState {
  if (charges.length === 0) return state;
  const ids = new Set(charges.map(({ id }) => id));
  const isOther = ({ id }: { readonly id: string }): boolean => !ids.has(id);
  const entries = charges.map(({ id, weight, maxDurationMs }): WeightEntry => {
    return { id, weight, endsAt: now + maxDurationMs + unansweredMarginMs, isForeign: false };
  });
  const passed = [...state.passed.filter(isOther), ...charges.map(exemptionOf)];
  return {
    ...state,
    entries: [...state.entries.filter(isOther), ...entries],
    lastSentAt: Math.max(state.lastSentAt, now),
    passed: now < state.pausedUntil ? passed : state.passed,
  };
}

function exemptionOf({ id, operation }: Charge): PauseExemption {
  return { id, operation };
}

/** Records how a request ended, also of one that was not counted before. */
export function settleCharge(
  state: RateLimitState,
  charge: Charge,
  result: SendResult,
  now: number,
): RateLimitState {
  const { id } = charge;
  const others = withoutEntry(state, id);
  const ended = (endsAt: number, timesSent = 1): RateLimitState => {
    const weight = charge.weight * timesSent;
    return { ...state, entries: [...others, { id, weight, endsAt, isForeign: false }] };
  };
  switch (result.kind) {
    case 'unsent':
      return { ...state, entries: others, passed: state.passed.filter((one) => one.id !== id) };
    case 'unanswered':
      return ended(now + unansweredMarginMs);
    case 'answered':
      return addForeignWeight(ended(now, result.timesSent), id, result.usedWeights ?? [], now);
    case 'paused':
    case 'limited':
      return addPause(ended(now), result.retryAfterMs, now);
  }
}

/**
 * What headers report beyond our own count was used by others. A header that reports more than the
 * whole limit counts something else: the exchange would not have answered.
 */
function addForeignWeight(
  state: RateLimitState,
  causeId: string,
  usedWeights: readonly UsedWeight[],
  now: number,
): RateLimitState {
  return usedWeights.reduce((known, used) => {
    const limit = limitForHeader(limitsOf(known), used);
    if (!limit || used.weight > limit.weight) return known;
    const { windowMs: shortestMs } = limit;
    const id = `others-${causeId}-${shortestMs}`;
    const entries = withoutEntry(known, id);
    const counted = totalWeight(activeEntries({ ...known, entries }, shortestMs, now));
    const weight = used.weight - counted;
    if (weight <= 0) return known;
    const entry = { id, weight, endsAt: now, isForeign: true, shortestMs };
    return { ...known, entries: [...entries, entry] };
  }, state);
}

/** The limit of the header's own window; for a header without a window, a minute's, else the first. */
function limitForHeader(
  limits: readonly WeightLimit[],
  { windowMs }: UsedWeight,
): WeightLimit | undefined {
  const found = limits.find((limit) => limit.windowMs === (windowMs ?? minuteMs));
  return windowMs === undefined ? (found ?? limits[0]) : found;
}

/** Begins a pause that the exchange asks for, of at least a second, or extends the present one. */
export function addPause(
  state: RateLimitState,
  retryAfterMs: number | undefined,
  now: number,
): RateLimitState {
  const asked =
    retryAfterMs === undefined
      ? state.lastSentAt + defaultPauseMs
      : now + Math.max(retryAfterMs, minPauseMs);
  const pausedUntil = Math.max(state.pausedUntil, Math.min(asked, now + maxPauseMs));
  return { ...state, pausedUntil, passed: now < state.pausedUntil ? state.passed : [] };
}

/** Ends the pause: the exchange gave what was asked for in spite of it. */
export function endPause(state: RateLimitState, now: number): RateLimitState {
  return { ...state, pausedUntil: Math.min(state.pausedUntil, now) };
}

function withoutEntry({ entries }: RateLimitState, id: string): readonly WeightEntry[] {
  return entries.filter((entry) => entry.id !== id);
}
