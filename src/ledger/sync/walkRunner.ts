import * as v from 'valibot';
import type { ExchangeClient } from '../../exchange/client.ts';
import { inEnglish } from '../../base/phrase.ts';
import {
  timeOf,
  type HistoryRecord,
  type HistorySelection,
} from '../../exchange/history/records.ts';
import { filtersReadHere, incompleteReasons, readToEnd } from '../../exchange/history/readToEnd.ts';
import { parseWalkCursor, type WalkCursor } from '../../exchange/history/walk/cursor.ts';
import { fractionRead, type WalkStep } from '../../exchange/history/walk/walk.ts';
import { ledgerHistories, type LedgerWriter, type SavedWalk } from '../ledger.ts';

export type WalkRunnerOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'exchangeInfo'>;
  readonly writer: LedgerWriter;
};

/** How far a walk has come. */
export type WalkProgress = {
  /** An estimate that never falls, from 0 to 1. */
  readonly fraction: number;
  /** Rows and requests since the walk was begun. */
  readonly rows: number;
  readonly reads: number;
};

type RunOptions = {
  readonly signal: AbortSignal;
  /** Which rows of the history are read; all of them if it is not given. */
  readonly selection?: HistorySelection;
  /** Resolves when the next request may be sent. */
  readonly beforeRequest?: () => Promise<void>;
  /** Resolves when the rows of a step may be stored. */
  readonly beforeSave?: (step: WalkStep<HistoryRecord>) => Promise<void>;
  readonly onProgress?: (progress: WalkProgress) => void;
  /** A walk of an export claims no coverage: it stays, with its result. */
  readonly staysWhenRead?: boolean;
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * A record that broke its type, always described in English. `between` has the first and last time of
 * the new rows of its answer.
 */
const listedBadRecord = v.object({
  path: v.string(),
  problem: v.string(),
  between: v.nullable(v.tuple([v.string(), v.string()])),
});

/** How far the read of a walk has come, as it is stored with its rows. */
const readStateSchema = v.object({
  /** Null until rows were read. */
  walk: v.nullable(v.custom<WalkCursor>((value) => parseWalkCursor(value) !== undefined)),
  /** Requests so far. */
  reads: count,
  /** The first records that broke their type. The walk counts all. */
  badRecords: v.array(listedBadRecord),
  /** A walk continues only in the units of time that it began with. */
  dates: v.string(),
  /** Filters that are applied here instead of being sent, to the end of the walk: page numbers depend on them. */
  filteredHere: v.array(v.string()),
  /** Once every row was read. */
  end: v.optional(
    v.object({
      completeness: v.picklist(['complete', 'drifted', 'unknown']),
      reason: v.nullable(v.picklist(incompleteReasons)),
    }),
  ),
});
export type ReadState = v.InferOutput<typeof readStateSchema>;

/** Reads what walks ask for into the ledger, one walk at a time. */
export class WalkRunner {
  private readonly options: WalkRunnerOptions;
  private latest: Promise<unknown> = Promise.resolve();

  constructor(options: WalkRunnerOptions) {
    this.options = options;
  }

  /**
   * Begins or resumes a walk, after those that were started before, and ends it. Rejects with
   * ExchangeError or the signal's reason; the walk can then be resumed.
   */
  run(walk: SavedWalk, run: RunOptions): Promise<void> {
    const turn = this.latest.then(() => {
      run.signal.throwIfAborted();
      return this.read(walk, run);
    });
    this.latest = turn.catch(() => undefined);
    return turn;
  }

  private async read(
    given: SavedWalk,
    { onProgress, beforeSave, staysWhenRead = false, ...run }: RunOptions,
  ): Promise<void> {
    const { client, writer } = this.options;
    const { signal, selection = ledgerHistories[given.history] } = run;
    const range = { from: given.from, to: given.to };
    const begun = canContinue(given, client, selection) ? readStateOf(given) : undefined;
    const walk = begun || given.cursor === null ? given : await this.beginAgain(given);
    let saved: ReadState = begun ?? {
      walk: null,
      reads: 0,
      badRecords: [],
      dates: client.conventions.current.dates,
      filteredHere: [...(await filtersReadHere(client, selection, range, signal))],
    };
    const { filteredHere, reads: before } = saved;
    const steps = new StepWriter(walk.id, writer);
    try {
      const { result, reads } = await readToEnd({
        ...run,
        client,
        selection,
        range,
        filteredHere,
        savedCursor: () => saved.walk ?? undefined,
        onStep: async (step, sinceThen) => {
          const { cursor, fraction } = step;
          await beforeSave?.(step);
          const badRecords = withStep(saved.badRecords, step);
          saved = { ...saved, walk: cursor, reads: before + sinceThen, badRecords };
          await steps.add(step.items, saved);
          onProgress?.({ fraction, rows: cursor.rows, reads: saved.reads });
        },
      });
      saved = { ...saved, reads: before + reads, end: result };
      if (staysWhenRead) await steps.add([], saved);
    } finally {
      await steps.end();
    }
    if (!staysWhenRead && saved.end) await writer.endWalk(walk.id, saved.end);
  }

  /** As another walk: in the same one, a row that changed meanwhile would be a second row. */
  private async beginAgain(walk: SavedWalk): Promise<SavedWalk> {
    const begun = await this.options.writer.beginWalk(walk);
    await this.options.writer.dropWalk(walk.id);
    return begun;
  }
}

/** How many rows may wait to be stored. */
const mostWaiting = 20_000;

/** Stores the steps of a walk while the next are read: those that come during a write are stored together. */
class StepWriter {
  private readonly walk: number;
  private readonly writer: Pick<LedgerWriter, 'saveStep'>;
  private waiting: HistoryRecord[] = [];
  private state: ReadState | undefined;
  private writing: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  constructor(walk: number, writer: Pick<LedgerWriter, 'saveStep'>) {
    this.walk = walk;
    this.writer = writer;
  }

  /** Rejects if an earlier step could not be stored. */
  async add(items: readonly HistoryRecord[], state: ReadState): Promise<void> {
    // What comes after a step that is missing must not be stored.
    this.throwFailure();
    for (const item of items) this.waiting.push(item);
    this.state = state;
    this.writing ??= this.write();
    if (this.waiting.length >= mostWaiting) await this.writing;
  }

  /** Resolves once all steps are stored. */
  async end(): Promise<void> {
    await this.writing;
    this.throwFailure();
  }

  private async write(): Promise<void> {
    try {
      while (this.state) {
        const { waiting, state } = this;
        this.waiting = [];
        this.state = undefined;
        await this.writer.saveStep(this.walk, waiting, state);
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.writing = undefined;
    }
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** How far the read of a walk has come; undefined before its first rows, and of a state that cannot be read. */
export function readStateOf({ cursor }: Pick<SavedWalk, 'cursor'>): ReadState | undefined {
  const parsed = v.safeParse(readStateSchema, cursor);
  return parsed.success ? parsed.output : undefined;
}

/** The progress of a walk that does not run. */
export function savedProgressOf(saved: SavedWalk): WalkProgress {
  const { walk, reads = 0, end } = readStateOf(saved) ?? {};
  const fraction = walk ? fractionRead(walk, saved) : 0;
  return { fraction: end ? 1 : fraction, rows: walk?.rows ?? 0, reads };
}

/** Whether a walk that was begun need not begin again. */
export function canContinue(
  walk: SavedWalk,
  { conventions }: Pick<ExchangeClient, 'conventions'>,
  { filters }: HistorySelection,
): boolean {
  const state = readStateOf(walk);
  const notSent = conventions.filteredHere(filters);
  return (
    state?.dates === conventions.current.dates &&
    notSent.every((name) => state.filteredHere.includes(name))
  );
}

export const mostListedRecords = 1000;

function withStep(
  listed: ReadState['badRecords'],
  { items, badRecords }: WalkStep<HistoryRecord>,
): ReadState['badRecords'] {
  if (badRecords.length === 0) return listed;
  const between = spanOf(items);
  const more = badRecords
    .slice(0, mostListedRecords - listed.length)
    .map(({ path, problem }) => ({ path, problem: inEnglish(problem), between }));
  return [...listed, ...more];
}

/** The first and last time of some rows, in UTC: an unreadable record has no time of its own. */
function spanOf(items: readonly HistoryRecord[]): [string, string] | null {
  const times = items.map((item) => timeOf(item) ?? Number.NaN);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const iso = (epochMs: number): string => new Date(epochMs).toISOString();
  return Number.isFinite(first) ? [iso(first), iso(last)] : null;
}
