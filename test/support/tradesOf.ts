import type { ExchangeClient } from '../../src/exchange/client.ts';
import type { Trade } from '../../src/exchange/records.ts';
import type { History } from '../../src/exchange/walk/history.ts';

/** The trades as a walk reads them. */
export function tradesOf(client: ExchangeClient): History<Trade> {
  const isIn = ({ time }: Trade, from: number | undefined, to: number): boolean =>
    Number(time) < to && Number(time) >= (from ?? -Infinity);
  return {
    idOf: ({ tradeId }) => tradeId,
    timeOf: ({ time }) => Number(time),
    resolutionMs: 1,
    maxPageSize: null,
    maxRangeMs: null,
    read: async ({ from, to }, page, pageSize, signal) => {
      const query = { page, size: pageSize, dateFrom: from, dateTo: to };
      const { value, badRecords } = await client.trades(query, signal);
      const items = value.content.filter((trade) => isIn(trade, from, to));
      const outside = value.content.length - items.length;
      const [totalElements, totalPages] = [countOf(value.totalElements), countOf(value.totalPages)];
      return { items, badRecords, outside, totalElements, totalPages };
    },
  };
}

function countOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
