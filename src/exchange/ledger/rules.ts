import { counted, limitsOf, releasedAt, weightOf, type Books, type Entry } from './books.ts';
import type { WeightLimit } from './limits.ts';
import { besidePlan, keptFree } from './priority.ts';
import { operations, type OperationName } from '../operations.ts';
import type { WeightRequest } from './weightRequest.ts';

/** What wants to go. */
export type Applicant = Pick<WeightRequest, 'operation' | 'weight' | 'priority'>;

/** How many windows may spend at a time while none can show the others what it spent. */
const mostWindows = 10;
/** What a pause lets pass for a cancel-all, each once: its DELETE and its read-back. */
const passing: readonly OperationName[] = ['cancelAll', 'accounts'];
const bulkBurst = 50;
/** Longer limits leave bulk its own pace: a day's limit must not stretch an export over the day. */
export const pacedWindowMs = 5 * 60_000;

/** The part of a limit that the desk may take; at least 1. */
export function ourPart({ weight }: WeightLimit, share: number): number {
  return Math.max(1, Math.floor(weight * share));
}

/** The least that any limit keeps free for cancel-alls and this one of their requests may take. */
export function leastReserve(books: Books, applicant: Applicant, share: number): number {
  const reserves = limitsOf(books).map((limit) => {
    const ours = ourPart(limit, share);
    return keptFree('refresh', ours) - keptBy(applicant, ours);
  });
  return Math.min(...reserves);
}

/** What a request leaves free for those before it. Before the DELETE is nobody. */
function keptBy({ operation, priority }: Applicant, ours: number): number {
  return operation === 'cancelAll' ? 0 : keptFree(priority, ours);
}

/** The limit that a request can never keep, if there is one. */
export function tooSmallLimit(
  books: Books,
  applicant: Applicant,
  share: number,
): WeightLimit | undefined {
  return limitsOf(books).find((limit) => {
    const ours = ourPart(limit, share);
    return applicant.weight > ours - keptBy(applicant, ours);
  });
}

/**
 * When a request may go, in epoch milliseconds: a moment that has passed if now. Requests under way
 * count as long as they can last.
 */
export function readyAt(books: Books, applicant: Applicant, share: number, now: number): number {
  const { frozenUntil } = books;
  const freezeEnd = frozenUntil <= now || mayPass(books, applicant) ? 0 : frozenUntil;
  const rooms = limitsOf(books).map((limit) => roomAt(books, applicant, limit, share, now));
  return Math.max(freezeEnd, pacedAt(books, applicant, share), ...rooms);
}

/** The same, supposing that every request under way were answered now. */
export function readyAtBest(
  books: Books,
  applicant: Applicant,
  share: number,
  now: number,
): number {
  const entries = books.entries.map((entry) => ({ ...entry, endsAt: Math.min(entry.endsAt, now) }));
  return readyAt({ ...books, entries }, applicant, share, now);
}

/** Whether a cancel-all can read its plan now and leave what its DELETE and a second press's need. */
export function hasRoomToPlan(books: Books, share: number, now: number): boolean {
  const ofDeletes = limitsOf(books).map((limit) => besidePlan(ourPart(limit, share)));
  const weight = operations.accounts.weight + Math.min(...ofDeletes);
  return readyAt(books, { operation: 'cancelAll', weight, priority: 'cancel' }, share, now) <= now;
}

function mayPass({ passed }: Books, { operation, priority }: Applicant): boolean {
  const hasPassed = passed.some((passage) => passage.operation === operation);
  return priority === 'cancel' && passing.includes(operation) && !hasPassed;
}

function roomAt(
  books: Books,
  applicant: Applicant,
  limit: WeightLimit,
  share: number,
  now: number,
): number {
  const { weight, priority } = applicant;
  const { windowMs } = limit;
  const ours = ourPart(limit, share);
  const wanted = weight + keptBy(applicant, ours);
  const everything = counted(books, windowMs, now);
  const own = everything.filter(({ isForeign }) => !isForeign);
  return Math.max(
    books.isOwn && priority !== 'cancel' ? aloneAt(own, weight, ours, windowMs) : 0,
    releaseOf(weightOf(own) + wanted - ours, own, windowMs),
    releaseOf(weightOf(everything) + wanted - limit.weight, everything, windowMs),
  );
}

/** Each window keeps to its part of what all may take, or to one request where that is more. */
function aloneAt(own: readonly Entry[], weight: number, ours: number, windowMs: number): number {
  const part = Math.max(weight, Math.floor(ours / mostWindows));
  return releaseOf(weightOf(own) + weight - part, own, windowMs);
}

/** When entries of `excess` weight will have been released; 0 when nothing has to be. */
function releaseOf(excess: number, entries: readonly Entry[], windowMs: number): number {
  if (excess <= 0) return 0;
  let left = excess;
  for (const entry of entries.toSorted((a, b) => a.endsAt - b.endsAt)) {
    left -= entry.weight;
    if (left <= 0) return releasedAt(entry, windowMs);
  }
  return Number.POSITIVE_INFINITY;
}

function pacedAt(books: Books, { weight, priority }: Applicant, share: number): number {
  if (priority !== 'bulk') return 0;
  return books.bulkSpentAt - Math.max(0, bulkBurst - weight) * bulkMsPerWeight(books, share);
}

/** Books that a bulk request goes, so that the next ones keep the pace. */
export function paced(books: Books, { weight, priority }: Applicant, share: number, now: number) {
  if (priority !== 'bulk') return books;
  const bulkSpentAt = Math.max(books.bulkSpentAt, now) + weight * bulkMsPerWeight(books, share);
  return { ...books, bulkSpentAt };
}

function bulkMsPerWeight(books: Books, share: number): number {
  const paces = limitsOf(books)
    .filter(({ windowMs }) => windowMs <= pacedWindowMs)
    .map((limit) => {
      const ours = ourPart(limit, share);
      return limit.windowMs / Math.max(1, ours - keptFree('bulk', ours));
    });
  return Math.max(0, ...paces);
}
