import * as v from 'valibot';
import type { TimeUnit } from './historySource.ts';

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Pages of one unit, from the first on. Numbers of rows: `first` on the first page, `firstIds` of them
 * with an id, `last` on the last page, `sent` on all pages, `hidden` of them without an id. `idle` counts
 * the latest pages without a new row. `cut` is the shortest page that was followed by another and had
 * not as many rows as the first.
 */
const passSchema = v.object({
  first: count,
  firstIds: count,
  last: count,
  sent: count,
  rows: count,
  hidden: count,
  idle: count,
  cut: v.nullable(count),
  ids: v.array(v.string()),
  print: v.string(),
});

/** A page to request; where `size` is null, in the size of the walk. */
const questionSchema = v.object({ page: count, size: v.nullable(count) });

/**
 * The result of a pass; `known` counts the rows of all passes. `provedKnown` is that number when it was
 * proved that the unit has at most `rows`.
 */
const passedSchema = v.object({
  rows: count,
  firstIds: count,
  known: count,
  hidden: count,
  print: v.string(),
  provedKnown: v.nullable(count),
});

/**
 * Passes over the pages of a unit. Next is `page` of `size`, or after a pass the first of `checks`, which
 * show whether the pass `isProved` complete. `before` is the pass before, `since` the rows since their
 * number was proved, `alike` how many passes in a row had the same rows, all on their first page. Once
 * pages were cut unevenly, no page is longer than `least`.
 */
export const sameTimeSchema = v.object({
  kind: v.literal('instant'),
  page: count,
  size: v.nullable(count),
  pass: passSchema,
  checks: v.array(questionSchema),
  isProved: v.boolean(),
  passes: count,
  least: v.nullable(count),
  before: v.nullable(passedSchema),
  since: v.array(v.string()),
  alike: count,
});

export type DeepReadonly<T> = T extends object
  ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

export type PageRequest = DeepReadonly<v.InferOutput<typeof questionSchema>>;
export type Pass = DeepReadonly<v.InferOutput<typeof passSchema>>;
export type SameTimeTask = DeepReadonly<v.InferOutput<typeof sameTimeSchema>>;

const epochMsSchema = v.pipe(v.number(), v.safeInteger());

/** Ends are edges of time units; `from` is null for a window from the first record on. */
const windowSchema = v.object({ from: v.nullable(epochMsSchema), to: epochMsSchema });

/** A row that may come again: the start of its unit, and its id. */
const seenSchema = v.tuple([epochMsSchema, v.string()]);

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
  sameTimeSchema,
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

export const walkStateSchema = v.object({
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
  before: v.nullable(v.object({ unit: epochMsSchema, sent: count, left: v.nullable(count) })),
  claims: v.object({ hasHeld: v.boolean(), isBroken: v.boolean(), isShort: v.boolean() }),
  seen: v.array(seenSchema),
  firstRows: v.nullable(
    v.object({ window: windowSchema, edge: epochMsSchema, rows: v.array(seenSchema) }),
  ),
  /** A stored name: the reason why rows may be missing. */
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

export type TimeWindow = DeepReadonly<v.InferOutput<typeof windowSchema>>;
export type SeenRow = DeepReadonly<v.InferOutput<typeof seenSchema>>;
export type WalkTask = DeepReadonly<v.InferOutput<typeof taskSchema>>;

/**
 * The state of a walk as JSON data: what is left to read, how, and which rows may come again.
 *
 * `windows` are left to read; the last one is being read, by `task`. `trial` is what was left when the
 * `order` was guessed, until there is `evidence` (in bits) that it is no accident. `shortestCut` is the
 * fewest rows of a page that had rows behind it. `before` is the page from whose last unit the walk
 * continued, and the total that the exchange should report then (`left`). `claims` says whether the
 * totals were right, were ever wrong, and counted rows that were not returned. `aside` counts the rows
 * at most that totals may count and that are not returned. `firstRows` are the rows of the first page,
 * which are checked at the end.
 */
export type WalkState = DeepReadonly<v.InferOutput<typeof walkStateSchema>>;
export type IncompleteReason = NonNullable<WalkState['doubt']>;
export type RowOrder = WalkState['order'];

/** What stays the same during a walk. */
export type WalkContext = {
  readonly whole: TimeWindow;
  readonly unitOf: (timeMs: number) => TimeUnit;
  /** Infinity where no bound is known. */
  readonly longestMs: number;
  readonly size: number;
};

export function initialWalkState({ whole }: WalkContext): WalkState {
  return {
    version: 5,
    windows: nonEmptyWindows([whole]),
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

/** Drops windows without any time in them. */
export function nonEmptyWindows(windows: readonly TimeWindow[]): TimeWindow[] {
  return windows.filter(({ from, to }) => from === null || from < to);
}

/** Ends the last window; the one before it is next. */
export function withoutCurrentWindow(state: WalkState): WalkState {
  return { ...state, windows: state.windows.slice(0, -1), task: { kind: 'window' }, before: null };
}

/** Replaces the last window by these. */
export function withCurrentWindowReplaced(
  state: WalkState,
  windows: readonly TimeWindow[],
): WalkState {
  const before = state.windows.slice(0, -1);
  return {
    ...state,
    windows: [...before, ...nonEmptyWindows(windows)],
    task: { kind: 'window' },
    before: null,
  };
}
