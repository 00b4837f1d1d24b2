import { phrase } from '../base/phrase.ts';
import { SentenceError } from '../base/sentenceError.ts';
import type { Dialect } from '../exchange/dialect/dialect.ts';
import type { HistoryPage } from '../exchange/dialect/historyPage.ts';
import { countIn } from '../exchange/dialect/seenPage.ts';
import { longestPeriodMs, pageAmong, slicesOf, type Slice } from '../exchange/dialect/slices.ts';

/** A page as a panel shows it, and what it took to read it. */
export type PanelPage<Item> = HistoryPage<Item> & {
  /** In how many slices the period was asked. */
  readonly slices: number;
  readonly weight: number;
  /** How many rows stand before these; null where every page before is full. */
  readonly rowsBefore: number | null;
  /** How many rows a page of this exchange holds at most; null where no cap is known. */
  readonly largest: number | null;
};

/** The slices of a period, and how many rows each has, as far as that was asked. */
export type SlicePlan = {
  readonly slices: readonly (Slice | undefined)[];
  readonly counts: Map<number, number>;
};

type Query = {
  readonly page: number;
  readonly size?: number | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

const dayMs = 86_400_000;
const mostSlices = 20;
const usualSize = 20;

/** Cuts a period for an exchange that takes no longer one; throws a SentenceError where that helps nobody. */
export function planSlices(
  { dateFrom, dateTo }: Omit<Query, 'page'>,
  dialect: Dialect,
  now: number,
): SlicePlan {
  const { maxRangeDays } = dialect;
  const longestMs = longestPeriodMs(dialect);
  const counts = new Map<number, number>();
  const isOpen = dateFrom === undefined && dateTo === undefined;
  if (maxRangeDays === null || longestMs === null || isOpen) return { slices: [undefined], counts };
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
        'This exchange takes {0} days at once: so long a period would be {1} requests of weight 10 each. Ask for {2} days at most.',
        maxRangeDays,
        slices.length,
        Math.floor((mostSlices * longestMs) / dayMs),
      ),
    );
  return { slices, counts };
}

/**
 * Reads one page of a period that is asked in slices. How many rows a slice has is asked once, with
 * its first page; one without rows is not the end. A page ends with its slice.
 */
export async function readSliced<Asked extends Query, Item>(
  { slices, counts }: SlicePlan,
  query: Asked,
  largest: () => number | null,
  weightOfOne: number,
  read: (query: Asked) => Promise<HistoryPage<Item>>,
): Promise<PanelPage<Item>> {
  const firstPages = new Map<number, HistoryPage<Item>>();
  const size = (): number => Math.min(query.size ?? usualSize, largest() ?? Infinity);
  let requests = 0;
  const ask = (slice: number, page: number): Promise<HistoryPage<Item>> => {
    requests += 1;
    const { from: dateFrom, to: dateTo } = slices[slice] ?? {};
    return read({ ...query, page, size: size(), dateFrom, dateTo });
  };
  for (const slice of slices.keys()) {
    if (counts.has(slice)) continue;
    const first = await ask(slice, 0);
    firstPages.set(slice, first);
    counts.set(slice, countOf(first, size()));
  }
  const all = [...slices.keys()].map((slice) => counts.get(slice) ?? 0);
  const place = pageAmong(all, size(), query.page);
  const first = place?.page === 0 ? firstPages.get(place.slice) : undefined;
  const page = first ?? (place ? await ask(place.slice, place.page) : noPage(firstPages));
  const total = all.reduce((sum, count) => sum + count, 0);
  const totalPages = all.reduce((sum, count) => sum + Math.ceil(count / size()), 0);
  const claims = { totalElements: String(total), totalPages: String(totalPages) };
  return {
    ...page,
    value: { ...page.value, size: String(size()), ...claims },
    ...{ slices: slices.length, weight: requests * weightOfOne, largest: largest() },
    rowsBefore: place?.rowsBefore ?? total,
  };
}

/** How many rows a slice has. Throws a SentenceError where nobody says and they are more than a page. */
function countOf({ value, badRecords, outside }: HistoryPage<unknown>, size: number): number {
  const records = value.content.length + badRecords.length + outside;
  const claimed = countIn(value.totalElements);
  if (claimed !== undefined && claimed >= records) return claimed;
  if (records < size) return records;
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
