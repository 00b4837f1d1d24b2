import { always } from '../../src/base/interval.ts';
import type { HistoryRecord } from '../../src/exchange/history/records.ts';
import { pageOf, recordRow, type HistoryPage } from '../../src/exchange/history/page.ts';

/** A page of these records of any period, counted as `total` says. */
export function aHistoryPage<Item extends object = HistoryRecord>(
  records: readonly Item[],
  { total = null, ...fields }: Partial<HistoryPage<Item>> & { readonly total?: string | null } = {},
): HistoryPage<Item> {
  const rows = records.map((record) =>
    recordRow({ extra: {}, ...record } as unknown as HistoryRecord),
  );
  const totals = { size: '100', totalPages: '1', totalElements: total };
  return { ...(pageOf(always, rows, [], totals) as unknown as HistoryPage<Item>), ...fields };
}
