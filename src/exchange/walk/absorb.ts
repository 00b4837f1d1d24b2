import type { Unmatched } from '../dialect/historyPage.ts';
import { asideIn } from './claims.ts';
import { absorbEndCheck } from './endCheck.ts';
import { absorbFirstPage } from './firstPage.ts';
import { absorbInstant } from './instant.ts';
import { withoutOrder } from './order.ts';
import { takeNone, type Outcome } from './outcome.ts';
import { absorbPages } from './pages.ts';
import { absorbReverse } from './reversePages.ts';
import { unseen, type Reading, type Row } from './reading.ts';
import { absorbFirstAgain, absorbSecondPage } from './secondPage.ts';
import type { Question } from './instantState.ts';
import type { Frame, Seen, Task, WalkState, Window } from './state.ts';
import { holds, sliced } from './window.ts';

/** What to read next: a page, counted from 0, of a window. */
export type Request = Question & { readonly window: Window };

export type Absorbed = {
  readonly state: WalkState;
  /** The rows of the answer that were not given before. */
  readonly given: readonly Row[];
  readonly tellsBad: boolean;
};

/** Undefined when all is read. */
export function nextRequest({ windows, task, firstRows }: WalkState): Request | undefined {
  const window = task.kind === 'endCheck' ? firstRows?.window : windows.at(-1);
  if (!window) return undefined;
  return { window, ...questionOf(task) };
}

function questionOf(task: Task): Question {
  switch (task.kind) {
    case 'window':
    case 'emptyAgain':
    case 'firstAgain':
    case 'endCheck':
      return { page: 0, size: null };
    case 'second':
      return { page: 1, size: task.size };
    case 'instant':
      return task.checks[0] ?? { page: task.page, size: task.size };
    case 'pages':
      return { page: task.page, size: task.size };
    case 'reverse':
      return { page: task.page, size: null };
    default:
      return task satisfies never;
  }
}

/** Takes in the answer to the next request. */
export function absorb(state: WalkState, reading: Reading, frame: Frame): Absorbed {
  const { takes, tellsBad, state: next } = outcomeOf(state, reading, frame);
  const fresh = unseen(takes, state.seen);
  const given = fresh.filter(({ isWanted }) => isWanted);
  const isByNumber = state.task.kind !== 'second';
  const isRemembered = state.task.kind !== 'pages' && state.task.kind !== 'reverse';
  const added = isRemembered ? fresh.map(({ unit, id }): Seen => [unit, id]) : [];
  const counted: WalkState = {
    ...next,
    reads: state.reads + 1,
    rows: state.rows + given.length,
    aside: state.aside + asideIn(reading),
    doubt: reading.isRefused && isByNumber ? 'pageRefused' : next.doubt,
    largestPage: Math.max(state.largestPage, reading.sent),
    left: leftOf(state, reading),
    unmatched: takes.length > 0 ? summed(state.unmatched, reading.unmatched) : state.unmatched,
    claimed: state.reads === 0 && state.windows.length === 1 ? reading.claimed : state.claimed,
  };
  return {
    state: settled({ ...counted, seen: remembered([...state.seen, ...added], counted) }, frame),
    given,
    tellsBad,
  };
}

function outcomeOf(state: WalkState, reading: Reading, frame: Frame): Outcome {
  const { task } = state;
  const window = state.windows.at(-1);
  if (task.kind === 'endCheck') return absorbEndCheck(state, reading);
  if (!window) return takeNone(state);
  switch (task.kind) {
    case 'window':
    case 'emptyAgain':
      return absorbFirstPage(state, window, reading, frame);
    case 'second':
      return absorbSecondPage(state, task, reading);
    case 'firstAgain':
      return absorbFirstAgain(state, task, window, reading);
    case 'instant':
      return absorbInstant(state, task, window, reading);
    case 'pages':
      return absorbPages(state, task, reading);
    case 'reverse':
      return absorbReverse(state, task, reading);
    default:
      return task satisfies never;
  }
}

/** Only what can come again, so that memory does not grow with the walk. */
function remembered(seen: readonly Seen[], state: WalkState): readonly Seen[] {
  if (state.trial) return seen;
  return seen.filter(([unit]) => state.windows.some((window) => holds(window, unit)));
}

/** How many rows the exchange claims to be behind this page, where the page begins all that is left. */
function leftOf({ windows, task }: WalkState, { claimed, sent }: Reading): number | null {
  const isAll = windows.length === 1 && task.kind === 'window';
  return isAll && claimed !== null ? Math.max(0, claimed - sent) : null;
}

function summed(known: readonly Unmatched[], more: readonly Unmatched[]): readonly Unmatched[] {
  const names = [...new Set([...known, ...more].map(({ parameter }) => parameter))];
  const rowsOf = (parameter: string, list: readonly Unmatched[]): number =>
    list.find((filter) => filter.parameter === parameter)?.rows ?? 0;
  return names.map((name) => ({ parameter: name, rows: rowsOf(name, known) + rowsOf(name, more) }));
}

const fewReads = 3;

/** Makes the next window short enough; after the last, sees whether anything is left to be proved. */
export function settled(state: WalkState, frame: Frame): WalkState {
  if (state.windows.length > 0) return { ...state, windows: sliced(state.windows, frame) };
  if (state.trial) return settled(withoutOrder(state), frame);
  if (!state.firstRows || state.reads < fewReads) return { ...state, firstRows: null };
  return { ...state, task: { kind: 'endCheck' } };
}
