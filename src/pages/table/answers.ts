import type { TablePage } from '../../protocol/table.ts';
import { pagesText, recordCount } from './pager.ts';
import { filterCount } from './query.ts';
import type { Body, OpenState } from './state.ts';

/** What an answer puts where the rows belong. */

export function answered(state: OpenState, page: TablePage): OpenState {
  const body = answerBody(state, page);
  return { ...state, body, announcement: announcementOf(state, body, page) };
}

function announcementOf(
  { query, description, words, display }: OpenState,
  body: Body,
  page: TablePage,
): string {
  if (body.kind === 'emptyAccount') return words.nothingYet;
  if (body.kind === 'noMatch') return words.noMatch;
  if (body.kind === 'pastEnd') return words.pastEnd(query.page + 1);
  if (description.pageSizes.length === 0) return words.rowsRead(page.rows.length);
  return words.rowsLoaded(page.rows.length, query.page + 1, pagesText(page, display));
}

function answerBody({ query, description }: OpenState, page: TablePage): Body {
  const shown = { query, page };
  if (recordCount(page) > 0) return { kind: 'rows', shown };
  if (query.page > 0 && page.totalElements !== '0') return { kind: 'pastEnd', shown };
  const isFiltered = filterCount(query, description.filters) > 0;
  return { kind: isFiltered ? 'noMatch' : 'emptyAccount', shown };
}

export function failedQuestion({ body }: OpenState): { kind: 'failed'; question: 'open' | 'page' } {
  return { kind: 'failed', question: body.kind === 'loading' ? body.question : 'page' };
}
