import { lengthOf, type Interval, type PeriodPart } from '../../base/interval.ts';
import { minuteMs } from '../../base/time.ts';
import { clientKey, type ExchangeClient, type RequestOptions } from '../../exchange/client.ts';
import { isEncodedExactly } from '../../exchange/history/dates.ts';
import { PeriodTooLongError } from '../../exchange/exchangeError.ts';
import { omittedRows, requestedRecords, type HistoryPage } from '../../exchange/history/page.ts';
import type { HistoryName } from '../../api/operations.ts';
import type { HistoryRecord, HistoryRequest, RecordOf } from '../../exchange/history/records.ts';

/** Where a part of a period ends. The latest part ends where it did when its first page was read. */
export type PartPosition = { readonly to: number; readonly isLatest: boolean };

/** A page of a part of the period, or of the whole period if `part` is null. */
export type BoundedPage<Item = HistoryRecord> = Omit<HistoryPage<Item>, 'rows'> &
  ReturnType<typeof omittedRows> & {
    /** Of its rows, those that were asked for. */
    readonly records: readonly Item[];
    readonly part: PeriodPart | null;
    /** How many rows a page of this exchange holds at most; null if no cap is known. */
    readonly maxPageSize: number | null;
  };

/** An account whose histories are read, as far as the conventions of its exchange are known. */
export type HistoryAccount = {
  readonly [clientKey]: Pick<ExchangeClient, 'history' | 'conventions' | 'serverNow'>;
};

/** The latest part ends later than now: a request may wait for the rate limit, and clocks differ. */
const leadMs = minuteMs;

/**
 * The part of a period that one request can ask for: the latest part, unless `position` names another.
 * Null if the exchange answers the whole period at once; `longestMs` is null if no bound is known.
 */
export function boundedPart(
  period: Interval,
  position: PartPosition | undefined,
  longestMs: number | null,
  now: number,
): PeriodPart | null {
  const start = period.from;
  const end = Math.min(period.to, Math.ceil(now) + leadMs);
  if (longestMs === null || lengthOf({ from: start, to: end }) <= longestMs) return null;
  const to = Math.min(position?.to ?? end, end);
  const from = Math.max(start, to - longestMs);
  const isLatest = position?.isLatest === true || to >= Math.min(end, now);
  return {
    from,
    to,
    older: from > start ? from : null,
    newer: isLatest ? null : Math.min(to + longestMs, end),
  };
}

/**
 * Reads a page of a history, of one part of a period that is too long for one request. If the exchange
 * refuses the period and the bound is learned from that, reads once more within the bound. Rejects
 * with ExchangeError or the signal's reason.
 */
export async function readBoundedPage<Name extends HistoryName>(
  account: HistoryAccount,
  request: HistoryRequest<Name>,
  position: PartPosition | undefined,
  options: RequestOptions,
): Promise<BoundedPage<RecordOf[Name]>> {
  const { [clientKey]: client } = account;
  const { conventions } = client;
  const { period } = request;
  const part = boundedPart(period, position, conventions.longestPeriodMs, client.serverNow());
  try {
    const page = await client.history({ ...request, period: part ?? period }, options);
    const isExact = !part || isEncodedExactly(part, conventions.current, conventions.zone);
    return {
      ...page,
      // Coarse dates ask for more than the part, and the exchange counts those rows too.
      ...(!isExact && { count: null }),
      ...omittedRows(page),
      records: requestedRecords(page),
      part,
      maxPageSize: conventions.maxPageSize(request.operation),
    };
  } catch (error) {
    if (!(error instanceof PeriodTooLongError)) throw error;
    return readBoundedPage(account, request, position, options);
  }
}
