import type { Interval } from '../../base/interval.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import type { HistoryRecord } from '../../exchange/history/records.ts';
import { emptyIfPastEnd, readSourcePage } from '../../exchange/history/source.ts';
import type { HistoryPage, Row } from '../../exchange/history/page.ts';
import { commitDelayMs } from '../../exchange/history/readToEnd.ts';
import type { ReadOptions } from '../../exchange/http/requests.ts';
import { ledgerHistories, operationOf, type LedgerHistory, type LedgerWriter } from '../ledger.ts';

type PageClient = Pick<ExchangeClient, 'history' | 'conventions'>;

type IntervalReaderOptions = {
  readonly client: PageClient & Pick<ExchangeClient, 'serverNow'>;
  readonly writer: Pick<LedgerWriter, 'storeRows'>;
};

/** An interval between checkpoints has few rows. */
const mostPages = 20;

/**
 * Reads the rows of an interval once more, and stores what is new or changed. It proves nothing: what is
 * known of the completeness of the interval stays. Rejects with ExchangeError or the signal's reason.
 */
export async function readInterval(
  { client, writer }: IntervalReaderOptions,
  history: LedgerHistory,
  interval: Interval,
  signal: AbortSignal,
): Promise<void> {
  const asOf = client.serverNow();
  const { from, to } = { ...interval, to: Math.min(interval.to, asOf - commitDelayMs) };
  const longestMs = client.conventions.longestPeriodMs ?? Infinity;
  // An exchange may list a row at the end of one question and at the start of the next.
  const found = new Map<string, HistoryRecord>();
  for (let start = from; start < to; start += longestMs) {
    const period = { from: start, to: Math.min(to, start + longestMs) };
    for (const { identity, item } of await rowsOf(client, history, period, signal))
      found.set(identity, item);
  }
  await writer.storeRows(history, [...found.values()], asOf);
}

/** Until a page brings nothing new, or the exchange counts no more rows. */
async function rowsOf(
  client: PageClient,
  history: LedgerHistory,
  period: Interval,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const options = { priority: 'bulk', signal, isSingleAttempt: true } as const;
  const found = new Map<string, Row>();
  for (let page = 0; page < mostPages; page += 1) {
    const { rows, count } = await readPage(client, history, period, options, page).catch(
      (error: unknown) => emptyIfPastEnd(period, page > 0, error),
    );
    const before = found.size;
    for (const row of rows) found.set(row.identity, row);
    const isAll = count !== null && found.size >= count;
    if (isAll || found.size === before) break;
  }
  return [...found.values()];
}

/** Reads one page of a period, counted from 0. Rejects with ExchangeError or the signal's reason. */
export function readPage(
  client: PageClient,
  history: LedgerHistory,
  period: Interval,
  options: ReadOptions,
  page = 0,
): Promise<HistoryPage> {
  const size = client.conventions.pageSize(operationOf(history));
  return readSourcePage(client, { ...ledgerHistories[history], period, page, size }, options);
}
