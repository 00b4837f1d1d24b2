import { phrase } from '../../src/base/phrase.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import type {
  HistorySource,
  HistorySourcePage,
  TimeRange,
  TimeUnit,
} from '../../src/exchange/history/walk/historySource.ts';

export type MovingRow = { readonly id: string; readonly time: number };

export type MovingOptions = {
  readonly rows: readonly MovingRow[];
  readonly order: 'newestFirst' | 'oldestFirst' | 'none';
  /** Rows that share a time, and all rows of no order, are reordered for every answer. */
  readonly isUnstable?: boolean;
  readonly cap?: number;
  /** A cap for each read beside that one, over and over. */
  readonly caps?: readonly number[];
  /** Rows with these ids are counted and take their place on a page, but are not sent. */
  readonly hiddenIds?: ReadonlySet<string>;
  /** Rows with these ids do not match a filter that is not sent. */
  readonly unwantedIds?: ReadonlySet<string>;
  readonly resolutionMs?: number;
  /** Units of different lengths, in place of those. */
  readonly unitOf?: (timeMs: number) => TimeUnit;
  readonly maxRangeMs?: number;
  readonly ignoresRange?: boolean;
  /** Whether an answer also holds the unit that begins where the asked range ends. */
  readonly givesEndToo?: boolean;
  /** What it claims to hold, of what it holds. */
  readonly claim?: (total: number, read: number) => number | null;
  /** How the rows change before each read but the first. */
  readonly change?: (rows: readonly MovingRow[], read: number) => readonly MovingRow[];
  /** Rows with these ids are sent in a form that cannot be read. */
  readonly badIds?: ReadonlySet<string>;
  /** Which read, counted from 1, is answered as if there were no rows. */
  readonly emptyAt?: number;
  /** How many rows of each answer another filter excludes. */
  readonly unmatched?: number;
  /** Whether it answers 400 to every page after the first. */
  readonly refusesPages?: boolean;
  readonly seed?: number;
};

const refusal = new ExchangeError({
  ...{ kind: 'refused', sent: 'yes', operation: 'trades', status: 400 },
});

/** A history in memory that does what exchanges do to those who read it page by page. */
export class MovingHistory implements HistorySource<MovingRow> {
  readonly maxPageSize = null;
  readonly maxRangeMs: number | null;
  reads = 0;
  private readonly options: MovingOptions;
  private rows: readonly MovingRow[];
  private seed: number;

  constructor(options: MovingOptions) {
    this.options = options;
    this.maxRangeMs = options.maxRangeMs ?? null;
    this.rows = options.rows;
    this.seed = options.seed ?? 1;
  }

  idOf({ id }: MovingRow): string {
    return id;
  }

  timeOf({ time }: MovingRow): number {
    return time;
  }

  isWanted({ id }: MovingRow): boolean {
    return !(this.options.unwantedIds?.has(id) ?? false);
  }

  unitOf(timeMs: number): TimeUnit {
    const { unitOf, resolutionMs = 1 } = this.options;
    if (unitOf) return unitOf(timeMs);
    const from = Math.floor(timeMs / resolutionMs) * resolutionMs;
    return { from, to: from + resolutionMs };
  }

  read(range: TimeRange, page: number, size: number): Promise<HistorySourcePage<MovingRow>> {
    const {
      change,
      cap = size,
      claim,
      badIds,
      caps = [],
      hiddenIds,
      order,
      unmatched,
    } = this.options;
    if (this.reads > 0 && change) this.rows = change(this.rows, this.reads);
    this.reads += 1;
    this.refuseLong(range);
    if (page > 0 && this.options.refusesPages) return Promise.reject(refusal);
    const isEmpty = this.reads === this.options.emptyAt;
    const rows = isEmpty ? [] : this.rows.filter((row) => this.matches(row, range));
    const matching = this.sorted(rows);
    const length = Math.min(size, cap, caps[(this.reads - 1) % caps.length] ?? size);
    const onPage = matching.slice(page * length, (page + 1) * length);
    const sent = onPage.filter(({ id }) => !hiddenIds?.has(id));
    const inside = sent.filter(
      ({ time }) => time < range.to && (range.from === undefined || time >= range.from),
    );
    const bad = inside.filter(({ id }) => badIds?.has(id));
    const total = claim ? claim(matching.length, this.reads) : matching.length;
    return Promise.resolve({
      items: inside.filter((row) => !bad.includes(row)),
      badRecords: bad.map(({ id }) => ({
        path: `content.${id}`,
        problem: phrase('bad in {0}', order),
      })),
      rowsOutsidePeriod: sent.length - inside.length,
      ignoredFilters: [
        { parameter: 'dateTo', rows: sent.filter(({ time }) => time >= this.endOf(range)).length },
        {
          parameter: 'dateFrom',
          rows: sent.filter(({ time }) => time < this.beginOf(range)).length,
        },
        ...(unmatched ? [{ parameter: 'symbol', rows: unmatched }] : []),
      ].filter(({ rows }) => rows > 0),
      totalElements: total,
      totalPages: total === null ? null : Math.ceil(total / length),
    });
  }

  /** Where the step that begins at the asked end is over. */
  private endOf({ to }: TimeRange): number {
    return this.unitOf(this.unitOf(to - 1).to).to;
  }

  private beginOf({ from = -Infinity }: TimeRange): number {
    return from === -Infinity ? from : this.unitOf(from).from;
  }

  private matches({ time }: MovingRow, { from, to }: TimeRange): boolean {
    if (this.options.ignoresRange) return true;
    const last = this.unitOf(to - 1);
    const end = this.options.givesEndToo ? this.unitOf(last.to) : last;
    return time < end.to && time >= this.beginOf({ from: from ?? -Infinity, to });
  }

  private refuseLong({ from = -Infinity, to }: TimeRange): void {
    if (this.maxRangeMs !== null && to - from > this.maxRangeMs)
      throw new Error('a range longer than the exchange allows was asked');
  }

  private sorted(rows: readonly MovingRow[]): readonly MovingRow[] {
    const { order, isUnstable = false } = this.options;
    if (order === 'none' && !isUnstable) return rows;
    const sign = { newestFirst: -1, oldestFirst: 1, none: 0 }[order];
    const places = new Map(rows.map((row, index) => [row, isUnstable ? this.random() : index]));
    return rows.toSorted(
      (a, b) => sign * (a.time - b.time) || (places.get(a) ?? 0) - (places.get(b) ?? 0),
    );
  }

  /** A generator of Lehmer: the same numbers for the same seed. */
  private random(): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed;
  }
}
