import type { HistoryAccount } from '../../account/history/boundedPeriod.ts';
import type { AccountSession } from '../../account/session/accountSession.ts';
import { compare } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { parseTimestampMs } from '../../base/time.ts';
import type { ApiConventions } from '../../exchange/history/apiConventions.ts';
import type { HistoryTable } from '../tables/definition.ts';
import { readExchangeRows } from '../tables/exchangeRows.ts';
import type { RowPage } from '../tables/panelState.ts';
import { cellOf } from '../webview/recordCells.ts';

/** The newest rows of a history, as far as one request shows. */
export type RecentRows = Pick<RowPage, 'notes' | 'badRecords'> & {
  /** None if they are the oldest rows: under “Last orders” they would mislead. */
  readonly items: readonly object[];
  /** Which rows the answer has, as far as it shows that. */
  readonly place: 'newest' | 'unproven' | 'oldest';
};

export const recentCount = 5;
/** A request costs the same for any size, and a short history fits in one page whatever its order. */
const pageSize = 100;

export const recentNames = ['orders', 'trades', 'transactions'] as const;
export type RecentName = (typeof recentNames)[number];

/** Sends one request. Rejects with ExchangeError or the signal's reason. */
export async function readRecentRows(
  table: HistoryTable,
  session: HistoryAccount & Pick<AccountSession, 'conventions'>,
  display: Display,
  signal: AbortSignal,
): Promise<RecentRows> {
  const query = { filters: {}, page: 0, size: pageSize };
  const page = await readExchangeRows(table, query, { session, display, signal });
  const newestFirst = page.records.toSorted((one, other) => timeOf(other) - timeOf(one));
  const place = placeOf(page, session.conventions.current.sort);
  return {
    items: place === 'oldest' ? [] : newestFirst.slice(0, recentCount),
    place,
    notes: page.notes,
    badRecords: page.badRecords,
  };
}

function placeOf(
  { records, totalElements, part }: RowPage,
  sort: ApiConventions['sort'],
): RecentRows['place'] {
  const isWhole = totalElements !== null && compare(totalElements, String(records.length)) <= 0;
  if (sort === 'oldestFirst' && !isWhole && records.length > 0) return 'oldest';
  return part === null && (sort === 'newestFirst' || isWhole) ? 'newest' : 'unproven';
}

/** A row without a readable time comes last. */
function timeOf(item: object): number {
  return parseTimestampMs(cellOf(item, 'time') ?? '') ?? 0;
}
