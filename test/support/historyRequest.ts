import { openEnd, openStart } from '../../src/base/interval.ts';
import type { ExchangeClient, RequestOptions } from '../../src/exchange/client.ts';
import type { HistoryName } from '../../src/api/operations.ts';
import {
  omittedRows,
  requestedRecords,
  type HistoryPage,
} from '../../src/exchange/history/page.ts';
import type { HistoryFilters, HistoryRequest } from '../../src/exchange/history/records.ts';

/** The parameters of a history's operation, side by side as in the API. */
export type HistoryParameters<Name extends HistoryName> = HistoryFilters<Name> & {
  /** The first page unless given. */
  readonly page?: number;
  readonly size?: number | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};

/** The request of one page by its parameters. */
export function historyRequest<Name extends HistoryName>(
  operation: Name,
  { page = 0, size, dateFrom, dateTo, ...filters }: HistoryParameters<Name>,
): HistoryRequest<Name> {
  const period = { from: dateFrom ?? openStart, to: dateTo ?? openEnd };
  return { operation, filters: filters as unknown as HistoryFilters<Name>, period, page, size };
}

/** Reads one page of a history by its parameters: with what was asked for as `value`. */
export async function readHistory<Name extends HistoryName>(
  client: Pick<ExchangeClient, 'history'>,
  operation: Name,
  parameters = {} as HistoryParameters<Name>,
  options?: RequestOptions,
) {
  const page = await client.history(historyRequest(operation, parameters), options);
  return { ...page, ...omittedRows(page), value: valueOf(page) };
}

/** What was asked for, in the form of the answer. */
export function valueOf<Item>(page: HistoryPage<Item>) {
  const { totals, count } = page;
  const totalElements = count === null ? null : String(count);
  return { ...totals, totalElements, content: requestedRecords(page) };
}
