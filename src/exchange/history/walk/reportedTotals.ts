import type { PageReading } from './pageOutcome.ts';
import { containsUnit } from './timeWindow.ts';
import type { WalkState, TimeWindow } from './walkState.ts';

/** The total that the exchange should report next, for the rest of the window from the last unit on. */
export function expectedTotalAfter(
  { rows, bad, rowsOutsidePeriod, sent, claimed }: PageReading,
  last: number,
) {
  if (claimed === null || bad + rowsOutsidePeriod > 0) return null;
  const left = claimed - (sent - rows.filter(({ unit }) => unit === last).length);
  return left > 0 && left < claimed ? left : null;
}

/** Compares the reported total with the expected one; it may be lower, because rows may have left. */
export function observeReportedTotal(state: WalkState, { claimed, sent }: PageReading): WalkState {
  const left = state.before?.left ?? null;
  const isWrong = claimed !== null && (claimed < sent || (left !== null && claimed > left));
  const { hasHeld, isBroken } = state.claims;
  const isRight = left !== null && claimed === left;
  const judged = { hasHeld: hasHeld || isRight, isBroken: isBroken || isWrong };
  return { ...state, claims: { ...state.claims, ...judged } };
}

/**
 * Compares the reported total with the rows of a window that was proved complete. A total that is
 * the same for every window proves nothing.
 */
export function observeProvedTotal(state: WalkState, { claimed, sent }: PageReading): WalkState {
  const { hasHeld, isBroken, isShort } = state.claims;
  const isRight = claimed === sent && state.claimed !== null && claimed < state.claimed;
  const isWrong = claimed !== null && claimed !== sent;
  const isMore = isTotalReliable(state) && claimed !== null && claimed > sent;
  const claims = {
    hasHeld: hasHeld || isRight,
    isBroken: isBroken || isWrong,
    isShort: isShort || isMore,
  };
  return { ...state, claims };
}

/** Whether an empty page may be an accident: rows were seen there, or its total says that there are some. */
export function isUnexpectedlyEmpty(
  state: WalkState,
  window: TimeWindow,
  { claimed }: PageReading,
): boolean {
  const isCounted =
    claimed !== null && claimed > 0 && (isTotalReliable(state) || state.reads === 0);
  return isCounted || state.seen.some(([unit]) => containsUnit(window, unit));
}

/** A page that was empty twice although its total says that there are rows. */
export function observeEmptyPageTotal(state: WalkState, { claimed }: PageReading): WalkState {
  const isShort = state.claims.isShort || (claimed !== null && claimed > 0);
  return { ...state, claims: { ...state.claims, isShort } };
}

/** Whether totals that were right to the end count rows that were never returned. */
export function reportsMissingRows(state: WalkState): boolean {
  const { claims, claimed, rows, aside } = state;
  return claims.isShort || (isTotalReliable(state) && claimed !== null && claimed > rows + aside);
}

/** The rows of a page that its total may count and that are not returned. */
export function countSetAside({ rows, bad, rowsOutsidePeriod }: PageReading): number {
  return rows.filter(({ isWanted }) => !isWanted).length + bad + rowsOutsidePeriod;
}

/** Whether the page has as many rows as the total says, where totals were right so far. */
export function matchesReportedTotal(state: WalkState, { claimed, sent }: PageReading): boolean {
  return claimed === sent && isTotalReliable(state);
}

function isTotalReliable({ claims: { hasHeld, isBroken } }: WalkState): boolean {
  return hasHeld && !isBroken;
}
