import { ExchangeError } from '../../exchangeError.ts';
import type { HistorySourcePage } from './historySource.ts';

const noRows: HistorySourcePage<never> = {
  items: [],
  badRecords: [],
  rowsOutsidePeriod: 0,
  ignoredFilters: [],
  totalElements: null,
  totalPages: null,
};

/** Some exchanges answer 404 to a page past the last one. Another refusal may mean the same. */
export function emptyPageIfPastEnd(page: number, error: unknown): HistorySourcePage<never> {
  if (page === 0 || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status === 404) return noRows;
  if (kind === 'refused') return { ...noRows, isRefused: true };
  throw error;
}
