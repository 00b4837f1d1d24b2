import { missingRecords } from '../../exchange/badRecords.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { maxPeriodMs } from '../../exchange/conventions/rangeLimit.ts';
import { contentOf, type HistoryRecord } from '../../exchange/history/historyRecords.ts';
import { readSourcePage } from '../../exchange/history/historySource.ts';
import { commitDelayMs, defaultPageSize } from '../../exchange/history/readToEnd.ts';
import {
  ledgerHistories,
  type Interval,
  type LedgerHistory,
  type LedgerWriter,
} from '../ledger.ts';

type IntervalReaderOptions = {
  readonly client: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow'>;
  readonly writer: LedgerWriter;
};

/** An interval between checkpoints has few rows. */
const mostPages = 20;

/**
 * Reads the rows of an interval once more, and stores what is new or changed. It proves nothing: what is
 * known of the completeness of the interval stays. Rejects with ExchangeError or the signal's reason.
 */
export async function readInterval(
  options: IntervalReaderOptions,
  history: LedgerHistory,
  interval: Interval,
  signal: AbortSignal,
): Promise<void> {
  const { client, writer } = options;
  const asOf = client.serverNow();
  const { from, to } = { ...interval, to: Math.min(interval.to, asOf - commitDelayMs) };
  const longestMs = maxPeriodMs(client.conventions.current) ?? Infinity;
  const items: HistoryRecord[] = [];
  for (let start = from; start < to; start += longestMs) {
    const period = { from: start, to: Math.min(to, start + longestMs) };
    items.push(...(await pagesOf(options, history, period, signal)));
  }
  const { id } = await writer.beginWalk({ from, to, history, asOf, purpose: 'current' });
  await writer.saveStep(id, items, null);
  await writer.dropWalk(id);
}

/** Until a page brings nothing new, or the exchange says that there is no more. */
async function pagesOf(
  { client }: IntervalReaderOptions,
  history: LedgerHistory,
  period: Interval,
  signal: AbortSignal,
): Promise<readonly HistoryRecord[]> {
  const maxPageSize = client.conventions.maxPageSize(ledgerHistories[history].operation);
  const size = maxPageSize ?? defaultPageSize;
  const options = { priority: 'bulk', signal, isSingleAttempt: true } as const;
  const found = new Map<string, HistoryRecord>();
  for (let page = 0; page < mostPages; page += 1) {
    const request = { ...ledgerHistories[history], period, page, size };
    const { items, badRecords, totalElements } = await readSourcePage(client, request, options);
    const before = found.size;
    for (const item of items) found.set(contentOf(item), item);
    const sent = items.length + missingRecords(badRecords).length;
    const isShort = maxPageSize !== null && sent < maxPageSize;
    const isAll = totalElements !== null && found.size >= totalElements;
    if (isShort || isAll || found.size === before) break;
  }
  return [...found.values()];
}
