import { identityFields } from '../../exchange/recordIdentity.ts';
import { hourMs, minuteMs, parseTimestampMs, secondMs } from '../../base/time.ts';
import {
  ledgerHistories,
  type CandidateRow,
  type IdentityName,
  type Interval,
  type LedgerHistory,
  type LedgerRecord,
} from '../../ledger/ledger.ts';
import { maxFilterLength, type TableFilters, type TableName } from '../../protocol/table.ts';
import { identities } from './verdictText.ts';
import type { StartAt } from '../tables/panelState.ts';

/** Rows of the ledger in their panel. */
export type StoredRows = {
  readonly table: TableName;
  readonly filters: TableFilters;
  /** The row whose details are shown; undefined if it is missing. */
  readonly startAt: StartAt | undefined;
};

/** An interval may be long: no more than this before and after a row is shown with it. */
const aroundMs = 12 * hourMs;

/** A row among those of a day around it. */
export function storedRow(row: Pick<CandidateRow, 'history' | 'record'>): StoredRows {
  return rowWithin({ from: 0, to: Number.MAX_SAFE_INTEGER }, row);
}

/** A row among those of its interval. */
export function rowWithin(
  interval: Interval,
  { history, record }: Pick<CandidateRow, 'history' | 'record'>,
): StoredRows {
  const written = 'updatedAt' in record ? record.updatedAt : record.time;
  const time = parseTimestampMs(written) ?? interval.from;
  const period = {
    from: Math.max(interval.from, time - aroundMs),
    to: Math.min(interval.to, time + aroundMs),
  };
  return {
    ...rowsOf(history, subjectOf(record), period),
    startAt: { fields: identityFields(record) },
  };
}

function subjectOf(record: LedgerRecord): TableFilters {
  return 'asset' in record ? { asset: record.asset } : { symbol: record.symbol };
}

/** The rows of an interval that an identity is about. */
export function rowsOfInterval(
  history: LedgerHistory,
  identity: IdentityName,
  subject: string,
  interval: Interval,
): StoredRows {
  const field = identities[identity].subject;
  const hasField = field === 'symbol' || ledgerHistories[history].operation === 'transactions';
  return rowsOf(history, hasField ? { [field]: subject } : {}, interval);
}

/** With a minute before and after it: the last digits of a time are not shown. */
function rowsOf(history: LedgerHistory, subject: TableFilters, { from, to }: Interval): StoredRows {
  const { operation, filters } = ledgerHistories[history];
  const named = Object.entries(subject).filter(([, value]) => value.length <= maxFilterLength);
  const dateFrom = new Date(from - minuteMs).toISOString();
  const dateTo = new Date(to + minuteMs - secondMs).toISOString();
  return {
    table: operation,
    filters: { ...filters, ...Object.fromEntries(named), dateFrom, dateTo },
    startAt: undefined,
  };
}
