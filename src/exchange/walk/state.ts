import * as v from 'valibot';
import type { Unit } from './history.ts';
import { count, instantSchema, type DeepReadonly } from './instantState.ts';
import { filled } from './window.ts';

const moment = v.pipe(v.number(), v.safeInteger());

/** Ends are edges of the history's units; `from` null: from the first record on. */
const windowSchema = v.object({ from: v.nullable(moment), to: moment });

/** A row that may come again, by the start of its unit and its id. */
const seenSchema = v.tuple([moment, v.string()]);

const taskSchema = v.variant('kind', [
  v.object({ kind: v.literal('window') }),
  v.object({ kind: v.literal('emptyAgain') }),
  v.object({
    kind: v.literal('second'),
    sent: count,
    size: v.nullable(count),
    tries: count,
  }),
  v.object({ kind: v.literal('firstAgain'), sent: count, tries: count }),
  instantSchema,
  v.object({
    kind: v.literal('pages'),
    page: count,
    size: v.nullable(count),
    recent: v.array(v.string()),
    found: v.boolean(),
    reason: v.picklist(['endsIgnored', 'unreadablePage']),
  }),
  v.object({
    kind: v.literal('reverse'),
    page: count,
    low: count,
    high: v.nullable(count),
    isBack: v.boolean(),
    recent: v.array(v.string()),
  }),
  v.object({ kind: v.literal('endCheck') }),
]);

export const stateSchema = v.object({
  version: v.literal(5),
  windows: v.array(windowSchema),
  task: taskSchema,
  order: v.picklist(['unknown', 'newestFirst', 'oldestFirst', 'none']),
  evidence: v.pipe(v.number(), v.finite()),
  trial: v.nullable(v.array(windowSchema)),
  largestPage: count,
  shortestCut: v.nullable(count),
  isCapKnown: v.boolean(),
  refusesSecond: v.boolean(),
  before: v.nullable(v.object({ unit: moment, sent: count, left: v.nullable(count) })),
  claims: v.object({ hasHeld: v.boolean(), isBroken: v.boolean(), isShort: v.boolean() }),
  seen: v.array(seenSchema),
  firstRows: v.nullable(
    v.object({ window: windowSchema, edge: moment, rows: v.array(seenSchema) }),
  ),
  doubt: v.nullable(
    v.picklist([
      'endsIgnored',
      'unreadablePage',
      'pagesRepeat',
      'pagesVary',
      'pageRefused',
      'crowdedInstant',
      'orderBroke',
    ]),
  ),
  hasDrifted: v.boolean(),
  rows: count,
  aside: count,
  reads: count,
  claimed: v.nullable(count),
  left: v.nullable(count),
  unmatched: v.array(v.object({ parameter: v.string(), rows: count })),
});

export type Window = DeepReadonly<v.InferOutput<typeof windowSchema>>;
export type Seen = DeepReadonly<v.InferOutput<typeof seenSchema>>;
export type Task = DeepReadonly<v.InferOutput<typeof taskSchema>>;

/**
 * All that a walk knows, as JSON data: what is left to read, how, and what may come again.
 *
 * `windows` are left to read; the last is being read, by `task`. `trial` is what was left when the
 * `order` was guessed, until there is `evidence` (in bits) that it is no accident. `shortestCut` is
 * the fewest rows of a page after which there were more. `before` is the page from whose last unit
 * the walk went on, and how many rows the exchange should then claim to be `left`; `claims` is whether
 * that held, whether it was ever wrong, and whether it counts rows of a window that gave no more.
 * `aside` is how many rows at most it may have counted that are not given. `firstRows` are the rows of
 * the first page, to be looked at again at the end.
 */
export type WalkState = DeepReadonly<v.InferOutput<typeof stateSchema>>;
export type Doubt = NonNullable<WalkState['doubt']>;
export type Order = WalkState['order'];

/** What does not change during a walk. */
export type Frame = {
  readonly whole: Window;
  /** As the history tells it. */
  readonly unitOf: (timeMs: number) => Unit;
  /** Infinity where no bound is known. */
  readonly longestMs: number;
  readonly size: number;
};

export function begin({ whole }: Frame): WalkState {
  return {
    version: 5,
    windows: filled([whole]),
    task: { kind: 'window' },
    order: 'unknown',
    evidence: 0,
    trial: null,
    largestPage: 0,
    shortestCut: null,
    isCapKnown: false,
    refusesSecond: false,
    before: null,
    claims: { hasHeld: false, isBroken: false, isShort: false },
    seen: [],
    firstRows: null,
    doubt: null,
    hasDrifted: false,
    rows: 0,
    aside: 0,
    reads: 0,
    claimed: null,
    left: null,
    unmatched: [],
  };
}

/** The last window is read: on with the one before. */
export function closed(state: WalkState): WalkState {
  return { ...state, windows: state.windows.slice(0, -1), task: { kind: 'window' }, before: null };
}

/** These stand in the place of the last window. */
export function replaced(state: WalkState, windows: readonly Window[]): WalkState {
  const before = state.windows.slice(0, -1);
  return {
    ...state,
    windows: [...before, ...filled(windows)],
    task: { kind: 'window' },
    before: null,
  };
}
