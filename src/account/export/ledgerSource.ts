import type { Interval } from '../../base/interval.ts';
import { minuteMs, secondMs } from '../../base/time.ts';
import type { ConventionResolver } from '../../exchange/conventions/conventionResolver.ts';
import type { HistorySelection } from '../../exchange/history/historyRecords.ts';
import { commitDelayMs, type ReadResult } from '../../exchange/history/readToEnd.ts';
import { completeTo, coverageParts, recordsChange } from '../../ledger/coverage/coverageParts.ts';
import type {
  LedgerHistory,
  LedgerQuery,
  LedgerReader,
  LedgerWriter,
} from '../../ledger/ledger.ts';
import { ledgerHistoryOf, selectionQuery } from '../../ledger/selectionQuery.ts';
import type { ExportQuery } from './exportPlan.ts';

/** What an export needs of the ledger of its account. */
export type ExportLedger = {
  readonly reader: Pick<LedgerReader, 'rows' | 'versions'>;
  readonly writer: Pick<LedgerWriter, 'coverage'>;
};

/** A ledger that has every row of an export up to a moment, in epoch milliseconds. */
export type LedgerSource = ExportLedger & { readonly to: number };

type SynchronisedLedger = ExportLedger & {
  synchronise(histories: readonly LedgerHistory[], signal: AbortSignal): Promise<unknown>;
};

/** How long the newest rows of an open period may be missing. */
const mostBehindMs = minuteMs;
/** Longer than this, an export does not wait for the ledger. */
const longestSynchronisationMs = 10 * secondMs;

/**
 * The ledger as the source of an export; undefined if it lacks a part of the period, or fails. Orders and
 * lots may have changed since they were read: they always come from the exchange. `serverNow` is in epoch
 * milliseconds of the exchange.
 */
export async function findLedgerSource(
  ledger: SynchronisedLedger,
  { request, period }: ExportQuery,
  serverNow: number,
): Promise<LedgerSource | undefined> {
  if (recordsChange(ledgerHistoryOf(request))) return undefined;
  const newest = serverNow - commitDelayMs;
  const range = { from: period.from, to: Math.min(period.to, newest) };
  try {
    if ((await reachOf(ledger, request, range)) === range.to) return { ...ledger, to: range.to };
    if (range.to < newest) return undefined;
    const timeout = AbortSignal.timeout(longestSynchronisationMs);
    await ledger.synchronise([ledgerHistoryOf(request)], timeout);
    const to = await reachOf(ledger, request, range);
    return to >= newest - mostBehindMs ? { ...ledger, to } : undefined;
  } catch {
    return undefined;
  }
}

/** Up to where the ledger has every row of the range. */
async function reachOf(
  { writer }: ExportLedger,
  selection: HistorySelection,
  range: Interval,
): Promise<number> {
  const history = ledgerHistoryOf(selection);
  const reads = await writer.coverage(history);
  return completeTo(coverageParts(history, reads, range)) ?? range.from;
}

/** The rows of a range that the exchange still lists, in its order. */
export function ledgerRowsOf(
  selection: HistorySelection,
  range: Interval,
  { current }: Pick<ConventionResolver, 'current'>,
): LedgerQuery {
  const isOldestFirst = current.sort === 'oldestFirst';
  return {
    ...selectionQuery(selection, range),
    isListed: true,
    search: '',
    sort: isOldestFirst ? { field: 'time', isDescending: false } : null,
  };
}

/** What the ledger proves of the rows that were read from it: it may have changed meanwhile. */
export async function resultOfLedger(
  ledger: ExportLedger,
  selection: HistorySelection,
  range: Interval,
): Promise<ReadResult> {
  const isComplete = (await reachOf(ledger, selection, range)) === range.to;
  return { completeness: isComplete ? 'complete' : 'drifted', reason: null };
}
