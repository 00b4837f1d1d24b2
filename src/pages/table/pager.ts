import type { Display } from '../../base/display.ts';
import { unknownValue } from '../../base/format.ts';
import type { TablePage, TableQuery } from '../../protocol/table.ts';
import type { Words } from './words.ts';

/** The last page that can be asked for, counted from 0. */
const lastAskablePage = 10_000_000;

/** Where each button of the pager leads, counted from 0; null where it leads nowhere. */
export type Pager = {
  readonly first: number | null;
  readonly previous: number | null;
  readonly next: number | null;
  readonly last: number | null;
};

/**
 * The pager of a query, given the rows that stand on the page now. The server's totals may lie: a
 * full page always leads on, unless both totals agree with what is seen that it is the last.
 */
export function pagerOf(query: TableQuery, shown: TablePage | null): Pager {
  const pages = shown ? pageCount(shown) : null;
  const back = query.page > 0 && query.page <= lastAskablePage;
  const on = query.page < lastAskablePage && shown !== null && leadsOn(query, shown);
  return {
    first: back ? 0 : null,
    previous: back ? query.page - 1 : null,
    next: on ? query.page + 1 : null,
    last: pages !== null && pages - 1 !== query.page ? pages - 1 : null,
  };
}

/** How many rows of the query stand before those shown; null where nobody knows. */
export function rowsBefore(query: TableQuery, shown: TablePage): number | null {
  if (shown.rowsBefore === 'unknown') return null;
  return shown.rowsBefore ?? query.page * pageSize(query, shown);
}

/** What the server calls its page size where that is another than was asked for, in grouped digits. */
export function givenSize(query: TableQuery, shown: TablePage, display: Display): string | null {
  const size = pageSize(query, shown);
  return size === query.size ? null : display.count(size);
}

/** How many records a page stands for: those shown, those that could not be read, those left out. */
export function recordCount(page: TablePage): number {
  return page.rows.length + page.badRecords.length + page.leftOut;
}

/** `rows 21–40 of 12,345`, empty without rows or their place; totals that cannot be true are unknown. */
export function rangeText(
  query: TableQuery,
  shown: TablePage,
  { display, words }: { readonly display: Display; readonly words: Words },
): string {
  const records = recordCount(shown);
  const before = rowsBefore(query, shown);
  if (records === 0 || before === null) return '';
  const first = before + 1;
  const last = before + records;
  const total = rowTotal(query, shown);
  return words.range(
    display.count(first),
    display.count(last),
    total === null ? unknownValue : display.count(total),
  );
}

/** The number of pages in grouped digits; unknown where the server's is no positive integer. */
export function pagesText(shown: TablePage | null, display: Display): string {
  const pages = shown ? pageCount(shown) : null;
  return pages === null ? unknownValue : display.count(pages);
}

/** All rows of the query, or null where the server's number contradicts the rows that it sent. */
export function rowTotal(query: TableQuery, shown: TablePage): number | null {
  const total = count(shown.totalElements);
  const least = (rowsBefore(query, shown) ?? 0) + recordCount(shown);
  return total !== null && total >= least ? total : null;
}

/** The page that a person named, counted from 0; null where the text names none. */
export function pageFromText(text: string): number | null {
  const page = count(text.trim());
  return page === null || page < 1 || page - 1 > lastAskablePage ? null : page - 1;
}

function leadsOn(query: TableQuery, shown: TablePage): boolean {
  const pages = pageCount(shown);
  if (pages !== null && pages > query.page + 1) return true;
  const isFull = recordCount(shown) >= pageSize(query, shown);
  const seenToEnd = (rowsBefore(query, shown) ?? 0) + recordCount(shown);
  return isFull && !(pages === query.page + 1 && count(shown.totalElements) === seenToEnd);
}

/** A server may give smaller pages than asked for; a size that its own rows contradict does not count. */
function pageSize(query: TableQuery, shown: TablePage): number {
  const size = count(shown.size) ?? 0;
  return size > 0 && size < query.size && size >= recordCount(shown) ? size : query.size;
}

function pageCount(shown: TablePage): number | null {
  const pages = count(shown.totalPages);
  return pages === null || pages < 1 || pages - 1 > lastAskablePage ? null : pages;
}

function count(digits: string | null): number | null {
  return digits !== null && /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
