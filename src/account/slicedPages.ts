import { phrase } from '../base/phrase.ts';
import { SentenceError } from '../base/sentenceError.ts';
import type { Dialect } from '../exchange/dialect/dialect.ts';
import type { HistoryPage } from '../exchange/dialect/historyPage.ts';
import {
  longestPeriodMs,
  pageAmong,
  slicesOf,
  type Place,
  type Slice,
} from '../exchange/dialect/slices.ts';
import type { Page } from '../exchange/records.ts';
import { SliceRows, sumOf, type SlicePages } from './sliceRows.ts';
import { countIn } from '../exchange/histories.ts';
import { dayMs } from '../base/durations.ts';

/** A page as a panel shows it, and what it took to read it. */
export type PanelPage<Item> = HistoryPage<Item> & {
  /** In how many slices the period was asked. */
  readonly slices: number;
  readonly weight: number;
  /** How many rows stand before these; null where every page before is full. */
  readonly rowsBefore: number | 'unknown' | null;
  /** How many rows a page of this exchange holds at most; null where no cap is known. */
  readonly largest: number | null;
};

/** The slices of a period, and the rows of each that was asked. */
export type SlicePlan = {
  readonly slices: readonly (Slice | undefined)[];
  readonly rows: Map<number, SliceRows>;
};

/** How the pages of slices are read. */
export type SliceReading<Asked, Item> = {
  readonly weightOfOne: number;
  /** How many rows a page holds at most; null where no cap is known. */
  readonly largest: () => number | null;
  /** Whether dates ask for a slice as it is, and not for more. */
  readonly isExact: (slice: Slice) => boolean;
  readonly read: (query: Asked) => Promise<HistoryPage<Item>>;
};

/** What of a history's query the slices depend on. */
export type SliceQuery = {
  readonly page: number;
  readonly size?: number | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

/** On what terms an exchange is asked. */
type SliceTerms = {
  readonly dialect: Dialect;
  readonly weightOfOne: number;
  readonly now: number;
};

const mostSlices = 20;
const usualSize = 20;

/** Cuts a period for an exchange that takes no longer one; throws a SentenceError where that helps nobody. */
export function planSlices(
  { dateFrom, dateTo }: Omit<SliceQuery, 'page'>,
  { dialect, weightOfOne, now }: SliceTerms,
): SlicePlan {
  const { maxRangeDays } = dialect;
  const longestMs = longestPeriodMs(dialect);
  const rows = new Map<number, SliceRows>();
  const isOpen = dateFrom === undefined && dateTo === undefined;
  if (maxRangeDays === null || longestMs === null || isOpen) return { slices: [undefined], rows };
  if (dateFrom === undefined)
    throw new SentenceError(
      phrase(
        'This exchange takes a period of {0} days at most: say where it begins.',
        maxRangeDays,
      ),
    );
  const slices = slicesOf({ from: dateFrom, to: Math.max(dateFrom, dateTo ?? now) }, dialect);
  if (slices.length > mostSlices)
    throw new SentenceError(
      phrase(
        'This exchange takes {0} days at once: so long a period would be {1} requests of weight {2} each. Ask for {3} days at most.',
        maxRangeDays,
        slices.length,
        weightOfOne,
        Math.floor((mostSlices * longestMs) / dayMs),
      ),
    );
  return { slices, rows };
}

/**
 * Reads one page of a period that is asked in slices. How many rows a slice has is asked once, with
 * its first page; one without rows is not the end. A page ends with its slice. Rows of other slices
 * that come with it are not counted: where nobody knows how many, totals are null.
 */
export async function readSliced<Asked extends SliceQuery, Item>(
  { slices, rows }: SlicePlan,
  query: Asked,
  { weightOfOne, largest, isExact, read }: SliceReading<Asked, Item>,
): Promise<PanelPage<Item>> {
  const firstPages = new Map<number, HistoryPage<Item>>();
  let requests = 0;
  const ask = (slice: Slice | undefined, page: number, size: number) => {
    requests += 1;
    return read({ ...query, page, size, dateFrom: slice?.from, dateTo: slice?.to });
  };
  const wholeSize = (): number => Math.min(query.size ?? usualSize, largest() ?? Infinity);
  for (const [index, slice] of slices.entries()) {
    if (rows.has(index)) continue;
    const first = await ask(slice, 0, wholeSize());
    const lie = pagesOf(first, wholeSize());
    firstPages.set(index, first);
    rows.set(index, new SliceRows({ ...lie, isExact: !!slice && isExact(slice) }, first));
  }
  const all = [...slices.keys()].flatMap((index) => rows.get(index) ?? []);
  const place = placeOf(all, query.page);
  const size = place?.of.size ?? wholeSize();
  const first = place?.page === 0 ? firstPages.get(place.slice) : undefined;
  const page =
    first ?? (place ? await ask(slices[place.slice], place.page, size) : noPage(firstPages));
  place?.of.note(place.page, page);
  return {
    ...page,
    value: { ...page.value, size: String(size), ...claimsOf(all) },
    // Rows outside a slice are the next one's, or were asked for too much.
    ...{ outside: 0, rowsBefore: rowsBefore(all, place) ?? 'unknown' },
    ...{ slices: slices.length, weight: requests * weightOfOne, largest: largest() },
  };
}

type RowsPlace = Place & { readonly of: SliceRows };

function placeOf(all: readonly SliceRows[], page: number): RowsPlace | undefined {
  const place = pageAmong(
    all.map(({ pages }) => pages),
    page,
  );
  const of = place && all[place.slice];
  return of && { ...place, of };
}

function claimsOf(all: readonly SliceRows[]): Pick<Page<never>, 'totalPages' | 'totalElements'> {
  const total = sumOf(all.map((slice) => slice.total));
  const totalPages = String(sumOf(all.map(({ pages }) => pages)));
  return { totalPages, totalElements: total === null ? null : String(total) };
}

function rowsBefore(all: readonly SliceRows[], place: RowsPlace | undefined): number | null {
  const whole = all.slice(0, place?.slice).map(({ total }) => total);
  return sumOf(place ? [...whole, place.of.before(place.page)] : whole);
}

/**
 * How the rows of a slice lie on pages, by its first. One of fewer rows than were asked, with more
 * behind them, has as many as a page holds. Throws a SentenceError where nobody says how many rows
 * there are and they are more than a page.
 */
function pagesOf(
  { value, badRecords, outside }: HistoryPage<unknown>,
  asked: number,
): Pick<SlicePages, 'counted' | 'size'> {
  const records = value.content.length + badRecords.length + outside;
  const claimed = countIn(value.totalElements);
  if (claimed !== undefined && claimed >= records)
    return { counted: claimed, size: claimed > records && records > 0 ? records : asked };
  if (records < asked) return { counted: records, size: asked };
  throw new SentenceError(
    phrase(
      'This exchange refuses so long a period, and does not say how many rows a shorter one has: ask for a shorter one.',
    ),
  );
}

function noPage(slices: ReadonlyMap<number, HistoryPage<unknown>>): HistoryPage<never> {
  const [{ undecided } = emptyPage] = slices.values();
  return { ...emptyPage, undecided };
}

const emptyPage: HistoryPage<never> = {
  value: { content: [], size: '0', totalPages: '0', totalElements: '0', extra: {} },
  badRecords: [],
  outside: 0,
  unmatched: [],
  undecided: [],
};
