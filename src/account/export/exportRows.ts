import { always, clip, type Interval } from '../../base/interval.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import { findIgnoredFilters } from '../../exchange/history/filterRules.ts';
import type { HistoryRecord, HistorySelection } from '../../exchange/history/records.ts';
import { completeIn, coverageParts, recordsChange } from '../../ledger/coverage/coverageParts.ts';
import type {
  LedgerHistory,
  LedgerQuery,
  LedgerReader,
  LedgerWriter,
  RowPlace,
} from '../../ledger/ledger.ts';
import { ledgerHistoryOf, selectionQuery } from '../../ledger/selectionQuery.ts';
import type { ExportQuery } from './exportPlan.ts';

/** What an export needs of the ledger of its account. */
export type AccountRows = {
  readonly reader: Pick<LedgerReader, 'piece'>;
  readonly writer: Pick<LedgerWriter, 'coverage'>;
};

type SynchronisedLedger = AccountRows & {
  synchronise(histories: readonly LedgerHistory[], signal: AbortSignal): Promise<unknown>;
};

/** How long the newest rows of an open period may be missing. */
const mostBehindMs = minuteMs;
/** Longer than this, an export does not wait for the ledger. */
const longestSynchronisationMs = 10 * secondMs;

/**
 * Where an export ends that may end at `newest`. The account's ledger may be a few seconds behind the exchange: if the
 * period is open and the ledger has the rows before, that is where it ends.
 */
export async function exportEnd(
  ledger: SynchronisedLedger | undefined,
  { request, period }: ExportQuery,
  newest: number,
): Promise<number> {
  if (!ledger || period.to === newest) return newest;
  const history = ledgerHistoryOf(request);
  const reachOf = async (): Promise<number | undefined> =>
    (await provedIn(ledger, request, [{ from: period.from, to: newest }])).at(-1)?.to;
  const reach = await reachOf();
  if (reach === undefined || reach === newest) return newest;
  const timeout = AbortSignal.timeout(longestSynchronisationMs);
  await ledger.synchronise([history], timeout).catch(() => undefined);
  const end = (await reachOf()) ?? 0;
  return end >= newest - mostBehindMs ? end : newest;
}

/**
 * Where a ledger has every row. Orders and lots may have changed since they were read: they always come from the
 * exchange, and so does what a ledger that fails has.
 */
export async function provedIn(
  ledger: AccountRows | undefined,
  request: HistorySelection,
  intervals: readonly Interval[],
): Promise<readonly Interval[]> {
  const history = ledgerHistoryOf(request);
  if (!ledger || recordsChange(history) || intervals.length === 0) return [];
  const reads = await ledger.writer.coverage(history).catch(() => []);
  const proved = completeIn(coverageParts(history, reads, always));
  return intervals.flatMap((interval) => clip(proved, interval));
}

type RowsOptions = {
  readonly request: HistorySelection;
  /** What the export read from the exchange into its own ledger, and what the account's ledger proves. */
  readonly parts: readonly Interval[];
  readonly proved: readonly Interval[];
  readonly own: Pick<LedgerReader, 'piece'>;
  readonly account: AccountRows | undefined;
  /** As the exchange lists them. */
  readonly isOldestFirst: boolean;
  readonly signal: AbortSignal;
};

/** Rows that one ledger has. */
type RowSource = {
  readonly reader: Pick<LedgerReader, 'piece'>;
  readonly query: LedgerQuery;
  /** Where the first pass began: a row that comes later is in no other. */
  start: RowPlace | null;
};

/** What was counted in the rows of an export. */
export type RowTally = {
  readonly rows: number;
  /** How many contradict each parameter, which the exchange ignored. */
  readonly unmatched: Readonly<Record<string, number>>;
};

/** Small enough to be written without blocking the window. */
const pieceSize = 2000;

/** The rows of an export in their order, as often as they are needed. */
export class ExportRows {
  private readonly options: RowsOptions;
  private readonly sources: readonly RowSource[];
  private counted: RowTally = { rows: 0, unmatched: {} };

  constructor(options: RowsOptions) {
    const { request, parts, proved, own, account, isOldestFirst } = options;
    this.options = options;
    const order = {
      isListed: true,
      search: '',
      sort: isOldestFirst ? { field: 'time', isDescending: false } : null,
    } as const;
    const unfiltered = { history: ledgerHistoryOf(request), filters: {} };
    const sources = [
      ...parts.map((period) => ({ reader: own, query: { ...unfiltered, period, ...order } })),
      ...proved.flatMap((period) => {
        const query = { ...selectionQuery(request, period), ...order };
        return account ? [{ reader: account.reader, query }] : [];
      }),
    ];
    const oldestFirst = sources
      .map((source): RowSource => ({ ...source, start: null }))
      .toSorted((one, other) => one.query.period.from - other.query.period.from);
    this.sources = isOldestFirst ? oldestFirst : oldestFirst.reverse();
  }

  /** Of the last pass over all rows. */
  get tally(): RowTally {
    return this.counted;
  }

  async *pieces(): AsyncGenerator<readonly HistoryRecord[]> {
    this.counted = { rows: 0, unmatched: {} };
    for (const source of this.sources)
      for await (const rows of rowPieces(source, this.options.signal)) {
        this.count(rows);
        yield rows;
      }
  }

  private count(rows: readonly HistoryRecord[]): void {
    const unmatched = { ...this.counted.unmatched };
    const { request } = this.options;
    if (Object.keys(request.filters).length > 0)
      for (const { parameter, rows: ignored } of findIgnoredFilters(request, rows, always))
        unmatched[parameter] = (unmatched[parameter] ?? 0) + ignored;
    this.counted = { rows: this.counted.rows + rows.length, unmatched };
  }
}

/** The rows of a query. The next piece is read while one is used. */
export async function* rowPieces(
  source: RowSource,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryRecord[]> {
  const { reader, query } = source;
  const read = (place: RowPlace | null): ReturnType<typeof reader.piece> =>
    reader.piece(query, place, pieceSize);
  let piece = await read(source.start);
  source.start = piece.start;
  for (;;) {
    signal.throwIfAborted();
    const next = piece.next && read(piece.next);
    next?.catch(() => undefined);
    if (piece.rows.length > 0) yield piece.rows;
    if (!next) return;
    piece = await next;
  }
}
