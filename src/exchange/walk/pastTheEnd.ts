import { ExchangeError } from '../errors.ts';
import type { HistoryAnswer } from './history.ts';

const noRows: HistoryAnswer<never> = {
  items: [],
  badRecords: [],
  outside: 0,
  unmatched: [],
  totalElements: null,
  totalPages: null,
};

/** Some exchanges answer 404 to a page past the last one: it holds no rows. Another refusal may mean that. */
export function noRowsPastTheEnd(page: number, error: unknown): HistoryAnswer<never> {
  if (page === 0 || !(error instanceof ExchangeError)) throw error;
  const { kind, status } = error.failure;
  if (status === 404) return noRows;
  if (kind === 'refused') return { ...noRows, isRefused: true };
  throw error;
}
