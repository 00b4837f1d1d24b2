import { missingRecords } from '../../exchange/badRecords.ts';
import { isConclusive, orderOf } from '../../exchange/history/walk/answer.ts';
import type { ReadIncompleteReason } from '../../exchange/history/readToEnd.ts';
import type { HistorySourcePage } from '../../exchange/history/historySource.ts';
import { idOf, timeOf, type HistoryRecord } from '../../exchange/history/historyRecords.ts';

/** No exchange gives fewer rows of one question than this, however many there are. */
const leastDepth = 20;

/** What one page was asked for: the newest rows, back to some that the ledger has. */
export type TailPage = {
  readonly page: HistorySourcePage<HistoryRecord>;
  /** The newest known rows before the tail: the page was asked for all of them again. */
  readonly known: readonly HistoryRecord[];
  /** Whether the exchange is known to give the newest rows first. */
  readonly isNewestFirst: boolean;
  /** The most rows that it gave in one answer of this history. */
  readonly largestPage: number;
};

/** `notReached`: there are rows between the page and the known ones. */
type TailVerdict = 'proven' | 'notReached' | { readonly unproven: ReadIncompleteReason };

/**
 * Whether one page has every row after the known ones. A walk proves more, with more requests. A page
 * is enough only if
 * 1. it reaches the known rows: there is an overlap, and the page repeats all of it;
 * 2. the exchange counts no more rows than came;
 * 3. nothing can be missing between: the rows are newest first, with too many different times for chance,
 *    on an exchange that was seen to use this order; or the count is that of the rows, and the exchange
 *    gave more of them at once before.
 */
export function judgeTail({ page, known, isNewestFirst, largestPage }: TailPage): TailVerdict {
  const { items, badRecords, totalElements, ignoredFilters } = page;
  const shown = new Set(items.map(idOf));
  const missing = known.filter((record) => !shown.has(idOf(record)));
  const sent = items.length + missingRecords(badRecords).length;
  if (known.length > 0 && missing.length === known.length) return 'notReached';
  if (known.length === 0 || missing.length > 0) return { unproven: 'edgesUnproven' };
  if (ignoredFilters.length > 0) return { unproven: 'filterIgnored' };
  if (totalElements !== null && totalElements > sent) return { unproven: 'countDisagrees' };
  const rows = items.map((item) => ({ time: timeOf(item) ?? Number.NaN }));
  const isOrdered = isNewestFirst && isConclusive(rows) && orderOf(rows) === 'newestFirst';
  const isWhole = totalElements === sent && sent < Math.max(leastDepth, largestPage);
  return isOrdered || isWhole ? 'proven' : { unproven: 'orderUnproven' };
}
