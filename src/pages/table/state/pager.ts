import { parseCount, unknownText } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import type { PeriodPart, TablePage, TableQuery } from '../../../protocol/table.ts';
import type { OpenState } from './pageState.ts';
import { hasSameFilters } from '../../../protocol/tableQuery.ts';

/** Counted from 0. */
const maxPage = 10_000_000;

/**
 * The page that each button opens, counted from 0; null if the button is disabled. After a failure, the
 * pages beside the rows that stayed; none if these are of other filters.
 */
export function pagerOf({ body, query, shown }: Pick<OpenState, 'body' | 'query' | 'shown'>) {
  const stayed = body.kind === 'failed' ? shown : null;
  if (stayed && !hasSameFilters(query, stayed.query)) return { previous: null, next: null };
  const at = stayed?.query ?? query;
  const hasPrevious = at.page > 0 && at.page <= maxPage;
  const hasNext = at.page < maxPage && shown !== null && hasNextPage(at, shown.page);
  return { previous: hasPrevious ? at.page - 1 : null, next: hasNext ? at.page + 1 : null };
}

/** The number of rows on earlier pages. */
export function rowsBefore(query: TableQuery, shown: TablePage): number {
  return query.page * pageSize(query, shown);
}

/** All records of the answer: shown and omitted. */
export function recordCount(page: TablePage): number {
  return page.rows.length + page.omittedRows;
}

type Words = Pick<OpenState, 'display' | 'texts'>;

/** `21–40 of 12,345`, with the server's page size if it differs from the requested one; empty without rows. */
export function rangeText(query: TableQuery, shown: TablePage, { display, texts }: Words): string {
  const records = recordCount(shown);
  if (records === 0) return '';
  const before = rowsBefore(query, shown);
  const total = rowTotal(query, shown);
  const range = texts.range(
    display.count(before + 1),
    display.count(before + records),
    total === null ? unknownText : display.count(total),
  );
  const size = pageSize(query, shown);
  return size === query.size ? range : `${range} · ${texts.serverPageSize(display.count(size))}`;
}

/** The period of a part, in words. */
export function partText({ from, to }: PeriodPart, { display, texts }: Words): string {
  const time = (epochMs: number): string => display.timeToSecond(String(epochMs));
  return texts.shownPart(time(from), time(to));
}

/** The number of pages, or `—` if the server gives no positive integer. */
export function pageCountText(shown: TablePage | null, display: Display): string {
  const pages = shown ? pageCount(shown) : null;
  return pages === null ? unknownText : display.count(pages);
}

/** The server's total; null if its own rows contradict it. */
export function rowTotal(query: TableQuery, shown: TablePage): number | null {
  const total = parseCount(shown.totalElements);
  const least = rowsBefore(query, shown) + recordCount(shown);
  return total !== undefined && total >= least ? total : null;
}

/** Reads a page that the user counts from 1; null if the text is not a page number. */
export function parsePage(text: string): number | null {
  const page = parseCount(text.trim());
  return page === undefined || page < 1 || page - 1 > maxPage ? null : page - 1;
}

/**
 * Totals from the server can be wrong: after a full page there is always a next one, unless both
 * totals agree with the rows that this is the last.
 */
function hasNextPage(query: TableQuery, shown: TablePage): boolean {
  const pages = pageCount(shown);
  if (pages !== null && pages > query.page + 1) return true;
  const isFull = recordCount(shown) >= pageSize(query, shown);
  const seenToEnd = rowsBefore(query, shown) + recordCount(shown);
  return isFull && !(pages === query.page + 1 && parseCount(shown.totalElements) === seenToEnd);
}

/** The server may use smaller pages than requested. A size that its own rows contradict is ignored. */
function pageSize(query: TableQuery, shown: TablePage): number {
  const size = parseCount(shown.size) ?? 0;
  return size > 0 && size < query.size && size >= recordCount(shown) ? size : query.size;
}

function pageCount(shown: TablePage): number | null {
  const pages = parseCount(shown.totalPages);
  return pages === undefined || pages < 1 || pages - 1 > maxPage ? null : pages;
}
