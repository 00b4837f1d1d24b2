import * as v from 'valibot';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { ApiConventions } from '../../exchange/conventions/apiConventions.ts';
import { readToEnd } from '../../exchange/history/readToEnd.ts';
import { parseWalkCursor, type WalkCursor } from '../../exchange/history/walk/cursor.ts';
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
  /** Resolves when the next request may be sent. */
  readonly beforeRequest?: () => Promise<void>;
  readonly onProgress?: (progress: WalkProgress) => void;
};

/** How far the read of a walk has come, as it is stored with its rows. */
type ReadCursor = {
  readonly walk: WalkCursor;
  /** Requests so far. */
  readonly reads: number;
  /** A walk continues only in the units of time that it began with. */
  readonly dates: ApiConventions['dates'];
};

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const cursorSchema = v.object({
  walk: v.unknown(),
  reads: count,
  dates: v.string(),
});

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

  private async read(given: SavedWalk, { onProgress, ...run }: RunOptions): Promise<void> {
    const { client, writer } = this.options;
    const { dates } = client.conventions.current;
    const before = parseReadCursor(given.cursor, dates);
    const walk = before || given.cursor === null ? given : await this.beginAgain(given);
    let saved = before;
    const { result } = await readToEnd({
      ...run,
      client,
      selection: ledgerHistories[walk.history],
      range: { from: walk.from, to: walk.to },
      filteredHere: [],
      savedCursor: () => saved?.walk,
      onStep: async ({ items, cursor, fraction }, reads) => {
        const next: ReadCursor = {
          walk: cursor,
          dates,
          reads: (before?.reads ?? 0) + reads,
        };
        await writer.saveStep(walk.id, items, next);
        saved = next;
        onProgress?.({ fraction, rows: cursor.rows, reads: next.reads });
      },
    });
    await writer.endWalk(walk.id, result);
  }

  /** As another walk: in the same one, a row that changed meanwhile would be a second row. */
  private async beginAgain(walk: SavedWalk): Promise<SavedWalk> {
    const begun = await this.options.writer.beginWalk(walk);
    await this.options.writer.dropWalk(walk.id);
    return begun;
  }
}

/** Parses a stored cursor; undefined if there is none, or if the walk must begin again. */
function parseReadCursor(stored: unknown, dates: ApiConventions['dates']): ReadCursor | undefined {
  const parsed = v.safeParse(cursorSchema, stored);
  if (!parsed.success || parsed.output.dates !== dates) return undefined;
  const walk = parseWalkCursor(parsed.output.walk);
  return walk && { ...parsed.output, walk, dates };
}
