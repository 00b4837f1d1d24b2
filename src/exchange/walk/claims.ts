import type { Reading } from './reading.ts';
import type { WalkState, Window } from './state.ts';
import { holds } from './window.ts';

/** How many rows the exchange should claim next, where the window begins anew at its page's last unit. */
export function leftAfter({ rows, bad, outside, sent, claimed }: Reading, last: number) {
  if (claimed === null || bad + outside > 0) return null;
  const left = claimed - (sent - rows.filter(({ unit }) => unit === last).length);
  return left > 0 && left < claimed ? left : null;
}

/** Sees whether the exchange claims as many rows as were left, as one that counts would; rows may have gone. */
export function withClaimJudged(state: WalkState, { claimed, sent }: Reading): WalkState {
  const left = state.before?.left ?? null;
  const isWrong = claimed !== null && (claimed < sent || (left !== null && claimed > left));
  const { hasHeld, isBroken } = state.claims;
  const isRight = left !== null && claimed === left;
  const judged = { hasHeld: hasHeld || isRight, isBroken: isBroken || isWrong };
  return { ...state, claims: { ...state.claims, ...judged } };
}

/**
 * Sees what the exchange claims of a window that was proved to hold just these rows; one that always
 * claims the same does not count.
 */
export function withClaimProved(state: WalkState, { claimed, sent }: Reading): WalkState {
  const { hasHeld, isBroken, isShort } = state.claims;
  const isRight = claimed === sent && state.claimed !== null && claimed < state.claimed;
  const isWrong = claimed !== null && claimed !== sent;
  const isMore = isSound(state) && claimed !== null && claimed > sent;
  const claims = {
    hasHeld: hasHeld || isRight,
    isBroken: isBroken || isWrong,
    isShort: isShort || isMore,
  };
  return { ...state, claims };
}

/** Whether an answer without rows may be an accident: rows were seen there, or it is itself said to have some. */
export function isOddlyEmpty(state: WalkState, window: Window, { claimed }: Reading): boolean {
  const isCounted = claimed !== null && claimed > 0 && (isSound(state) || state.reads === 0);
  return isCounted || state.seen.some(([unit]) => holds(window, unit));
}

/** An answer without rows that is said to have some, and was when it was asked for twice. */
export function withEmptyClaimed(state: WalkState, { claimed }: Reading): WalkState {
  const isShort = state.claims.isShort || (claimed !== null && claimed > 0);
  return { ...state, claims: { ...state.claims, isShort } };
}

/** Whether the exchange, which counted right until the end, counts rows that it never gave. */
export function countsMore(state: WalkState): boolean {
  const { claims, claimed, rows, aside } = state;
  return claims.isShort || (isSound(state) && claimed !== null && claimed > rows + aside);
}

/** The rows of an answer that it may count and that are not given. */
export function asideIn({ rows, bad, outside }: Reading): number {
  return rows.filter(({ isWanted }) => !isWanted).length + bad + outside;
}

/** Whether the page holds all that the exchange counts, which has counted right until now. */
export function isCountedWhole(state: WalkState, { claimed, sent }: Reading): boolean {
  return claimed === sent && isSound(state);
}

function isSound({ claims: { hasHeld, isBroken } }: WalkState): boolean {
  return hasHeld && !isBroken;
}
