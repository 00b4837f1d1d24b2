import { lengthOf, openStart, type Interval } from '../../src/base/interval.ts';
import { dayMs } from '../../src/base/time.ts';
import {
  nothingProven,
  type ProvenAnswers,
} from '../../src/exchange/history/learnedConventions.ts';
import { phrase } from '../../src/base/phrase.ts';
import { ExchangeError } from '../../src/exchange/exchangeError.ts';
import type { HistorySource } from '../../src/exchange/history/source.ts';
import { pageOf, rowOf, type HistoryPage, type Row } from '../../src/exchange/history/page.ts';

/** Two records may share id and time; `content` tells them apart. */
export type SimulatedRow = {
  readonly id: string;
  readonly time: number;
  readonly content?: string;
};

export const totals = {
  honest: (all: number) => all,
  absent: () => null,
  constant: () => 7,
  million: () => 1_000_000,
  zero: () => 0,
  thisPage: (_all: number, page: number) => page,
  capped: (all: number) => Math.min(100, all),
  minusOne: () => -1,
} as const;

export type SimulationOptions = {
  /** For order `none`, in the order in which they are answered. */
  readonly rows: readonly SimulatedRow[];
  readonly order: 'newestFirst' | 'oldestFirst' | 'none';
  /** Rows of one time, or all of no order, are reordered for every request. */
  readonly reorders?: boolean;
  /** How many rows a page holds at most: for each request the next one, over and over. */
  readonly caps?: readonly number[];
  /** Whether pages are counted in the requested size, even if they hold fewer rows. */
  readonly offsetsByRequestedSize?: boolean;
  /** What the ends of a range are cut to. */
  readonly cutMs?: number;
  /** How far the zone of these units is ahead of UTC. */
  readonly zoneMs?: number;
  /** The same of the zone that the client knows of, if that is another one. */
  readonly namedZoneMs?: number;
  /** How many days before `to` are answered if a question names no start. */
  readonly defaultDays?: number;
  /** To how many days after `from` a longer question is cut. */
  readonly oldestDays?: number;
  /** To how many days before `to` a longer question is cut. */
  readonly newestDays?: number;
  /** How far the creation, which ends are compared with and rows are sorted by, is after the time of the row. */
  readonly skewMs?: (row: SimulatedRow) => number;
  /** What answers have proven before. */
  readonly proven?: ProvenAnswers;
  /** How many rows each further page repeats. */
  readonly overlap?: number;
  /** How many rows more than the size a page has. */
  readonly excess?: number;
  /** What the number of a page means: nothing, a row, one more, at most 3; or the rows of a page are reversed. */
  readonly pages?: 'ignored' | 'offset' | 'fromOne' | 'atMostThree' | 'reversed';
  /** How many reads old the count is. */
  readonly countLag?: number;
  /** Whether an end means its whole unit rather than the unit’s first moment. */
  readonly comparesUnits?: boolean;
  readonly excludesFrom?: boolean;
  readonly includesTo?: boolean;
  /** The unit that the client knows of. */
  readonly unitMs?: number;
  readonly totals?: (all: number, page: number, read: number) => number | null;
  /** How many rows of one question can be read at most. */
  readonly reach?: number;
  readonly pastEnd?: 'empty' | 404 | 400 | 'lastPage' | 'firstPage';
  /** How the rows change before each read but the first. */
  readonly change?: (rows: readonly SimulatedRow[], read: number) => readonly SimulatedRow[];
  /** Rows that are missing from an answer now and then. */
  readonly flickers?: (row: SimulatedRow, read: number) => boolean;
  /** For how many reads the answer to a question is repeated. */
  readonly cachedReads?: number;
  readonly badIds?: ReadonlySet<string>;
  /** Rows that are counted and have a place, but are never sent. */
  readonly hiddenIds?: ReadonlySet<string>;
  readonly unwantedIds?: ReadonlySet<string>;
  readonly ignoresRange?: boolean;
  readonly emptyAt?: number;
  readonly unmatched?: number;
  readonly maxRangeMs?: number;
  readonly refuses?: (range: Interval) => boolean;
  readonly seed?: number;
};

type Page = HistoryPage<SimulatedRow>;

type Matching = {
  readonly of: readonly SimulatedRow[];
  readonly range: Interval;
  readonly matching: readonly SimulatedRow[];
};

/** A history in memory that answers in every way that exchanges may. */
export class SimulatedHistory implements HistorySource<SimulatedRow> {
  readonly proven: ProvenAnswers;
  readonly recordsChange: boolean;
  readonly maxRangeMs: number | null;
  reads = 0;
  rows: readonly SimulatedRow[];
  private readonly options: SimulationOptions;
  private readonly cache = new Map<string, { readonly page: Page; readonly until: number }>();
  private readonly counts: number[] = [];
  /** What matched last: most pages follow one of the same range. */
  private last: Matching | undefined;
  private seed: number;

  constructor(options: SimulationOptions) {
    this.options = options;
    this.maxRangeMs = options.maxRangeMs ?? null;
    this.recordsChange = options.skewMs !== undefined;
    this.proven = options.proven ?? nothingProven;
    this.rows = options.rows;
    this.seed = options.seed ?? 1;
  }

  private rowOf(row: SimulatedRow): Row<SimulatedRow> {
    const { id, time, content = '' } = row;
    const matches = !this.options.unwantedIds?.has(id);
    return rowOf(row, { id, time, content: () => `${id} ${content}` }, matches);
  }

  unitOf(timeMs: number): Interval {
    const { unitMs = 1000, zoneMs = 0, namedZoneMs = zoneMs } = this.options;
    const from = Math.floor((timeMs + namedZoneMs) / unitMs) * unitMs - namedZoneMs;
    return { from, to: from + unitMs };
  }

  async read(range: Interval, page: number, size: number): Promise<Page> {
    const { change, cachedReads = 0, maxRangeMs = Infinity } = this.options;
    if (lengthOf(range) > maxRangeMs) throw new Error('the range is too long');
    if (size < 1) throw refusal(500, 'server');
    if (this.options.refuses?.(range)) throw refusal(400, 'refused');
    if (this.reads > 0 && change) this.rows = change(this.rows, this.reads);
    this.reads += 1;
    if (cachedReads === 0) return Promise.resolve(this.answer(range, page, size));
    const key = JSON.stringify([range, page, size]);
    const cached = this.cache.get(key);
    if (cached && cached.until >= this.reads) return cached.page;
    const answer = this.answer(range, page, size);
    this.cache.set(key, { page: answer, until: this.reads + cachedReads });
    return Promise.resolve(answer);
  }

  private answer(range: Interval, page: number, size: number): Page {
    const {
      caps = [size],
      offsetsByRequestedSize,
      reach = Infinity,
      hiddenIds,
      flickers,
      emptyAt,
      excess = 0,
      countLag = 0,
      pages,
    } = this.options;
    const { reads } = this;
    const matching = this.matching(range);
    const given = flickers ? matching.filter((row) => !flickers(row, reads)) : matching;
    const length = Math.min(size, caps[(reads - 1) % caps.length] ?? size);
    const reachable = emptyAt === reads ? [] : given.slice(0, reach);
    const step = offsetsByRequestedSize ? size : length;
    const begin = this.beginOf(page, step, reachable.length);
    const onPage = reachable.slice(begin, begin + length + excess);
    const sent = onPage.filter(({ id }) => !hiddenIds?.has(id));
    this.counts.push(given.length);
    const counted = this.counts.at(-1 - countLag) ?? this.counts[0] ?? 0;
    return this.pageOf(range, pages === 'reversed' ? sent.toReversed() : sent, counted);
  }

  private pageOf(range: Interval, sent: readonly SimulatedRow[], all: number): Page {
    const { badIds, unmatched = 0, totals: count = totals.honest } = this.options;
    const bad = sent.filter(({ id }) => badIds?.has(id));
    const rows = sent.filter(({ id }) => !badIds?.has(id)).map((row) => this.rowOf(row));
    const badRecords = bad.map(({ id }) => ({ path: id, problem: phrase('bad') }));
    const counted = count(all, sent.length, this.reads);
    return {
      ...pageOf(range, rows, badRecords),
      count: counted !== null && counted >= 0 ? counted : null,
      ignoredFilters: unmatched > 0 ? [{ parameter: 'symbol', rows: unmatched }] : [],
    };
  }

  /** The place of the first row of a page. */
  private beginOf(asked: number, step: number, rows: number): number {
    const { pages, overlap = 0 } = this.options;
    if (pages === 'offset') return asked;
    if (pages === 'ignored') return 0;
    const page = pages === 'fromOne' ? Math.max(0, asked - 1) : asked;
    if (pages === 'atMostThree') return Math.min(page, 3) * step;
    const answered = this.pageFor(page, Math.ceil(rows / step));
    return Math.max(0, answered * (step - overlap));
  }

  /** The number of the page that is answered. */
  private pageFor(page: number, pages: number): number {
    const { pastEnd = 'empty' } = this.options;
    if (page === 0 || page < pages) return page;
    if (pastEnd === 'lastPage') return Math.max(0, pages - 1);
    if (pastEnd === 'firstPage') return 0;
    if (pastEnd !== 'empty') throw refusal(pastEnd, 'refused');
    return page;
  }

  private matcherOf({ from: named, to: last }: Interval): (row: SimulatedRow) => boolean {
    const { defaultDays = Infinity, oldestDays = Infinity, newestDays = Infinity } = this.options;
    const newestMs = (named === openStart ? defaultDays : newestDays) * dayMs;
    const from = Math.max(named, last - newestMs);
    const to = named === openStart ? last : Math.min(last, named + oldestDays * dayMs);
    const {
      skewMs = () => 0,
      cutMs = 1,
      zoneMs = 0,
      comparesUnits,
      excludesFrom,
      includesTo,
    } = this.options;
    if (this.options.ignoresRange) return () => true;
    const cut = (at: number): number => Math.floor((at + zoneMs) / cutMs) * cutMs - zoneMs;
    const [begin, end] = [cut(from), cut(to)];
    return (row) => {
      const time = row.time + skewMs(row);
      const at = comparesUnits ? cut(time) : time;
      const isAfter = excludesFrom ? at > begin : at >= begin;
      return isAfter && (includesTo ? at <= end : at < end);
    };
  }

  /** The rows of a range, in the order of their answer. */
  private matching(range: Interval): readonly SimulatedRow[] {
    const { last, rows } = this;
    const isSame =
      last?.of === rows && last.range.from === range.from && last.range.to === range.to;
    const matching = isSame ? last.matching : this.matchingInOrder(range);
    this.last = { of: rows, range, matching };
    return this.options.reorders ? this.reordered(matching) : matching;
  }

  private matchingInOrder(range: Interval): readonly SimulatedRow[] {
    const rows = this.rows.filter(this.matcherOf(range));
    return this.options.reorders ? rows : rows.sort((a, b) => this.compareTimes(a, b));
  }

  private reordered(rows: readonly SimulatedRow[]): readonly SimulatedRow[] {
    const places = rows.map((row) => ({ row, place: this.random() }));
    places.sort((a, b) => this.compareTimes(a.row, b.row) || a.place - b.place);
    return places.map(({ row }) => row);
  }

  private compareTimes(one: SimulatedRow, other: SimulatedRow): number {
    const sign = { newestFirst: -1, oldestFirst: 1, none: 0 }[this.options.order];
    const { skewMs = () => 0 } = this.options;
    return sign * (one.time + skewMs(one) - other.time - skewMs(other));
  }

  /** A generator of Lehmer: the same numbers for the same seed. */
  private random(): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed;
  }
}

function refusal(status: number, kind: 'refused' | 'server'): ExchangeError {
  return new ExchangeError({ kind, sent: 'yes', operation: 'trades', status });
}
