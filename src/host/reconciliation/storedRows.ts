import { always, type Interval } from '../../base/interval.ts';
import { identityFields } from '../../exchange/recordIdentity.ts';
import { operations } from '../../api/operations.ts';
import { hourMs, minuteMs, parseTimestampMs, secondMs } from '../../base/time.ts';
import {
  ledgerHistories,
  type CandidateRow,
  type IdentityName,
  type LedgerHistory,
} from '../../ledger/ledger.ts';
import type { TableFilters, TableName } from '../../protocol/table.ts';
import { identityLook } from './verdictText.ts';
import type { StartAt } from '../tables/panelState.ts';
import { maxFilterLength } from '../../protocol/values.ts';

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
  return rowWithin(always, row);
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
  const subject = 'asset' in record ? { asset: record.asset } : { symbol: record.symbol };
  return {
    ...rowsOf(history, subject, aMinuteAround(period)),
    startAt: { fields: identityFields(record) },
  };
}

/** The rows of an interval that an identity is about. */
export function rowsOfInterval(
  history: LedgerHistory,
  identity: IdentityName,
  subject: string,
  interval: Interval,
): StoredRows {
  return rowsOf(history, { [identityLook(identity).subject]: subject }, aMinuteAround(interval));
}

/** The last digits of a time are not shown. */
function aMinuteAround({ from, to }: Interval): Interval {
  return { from: from - minuteMs, to: to + minuteMs };
}

/** The rows of a period, as far as a panel can filter them. */
export function rowsOf(
  history: LedgerHistory,
  wanted: TableFilters,
  { from, to }: Interval,
): StoredRows {
  const { operation, filters } = ledgerHistories[history];
  return {
    table: operation,
    filters: {
      ...filters,
      ...panelFilters(history, wanted),
      dateFrom: new Date(from).toISOString(),
      // A filter has the whole second of its end.
      dateTo: new Date(to - secondMs).toISOString(),
    },
    startAt: undefined,
  };
}

/** A panel filters by the parameters of its history. */
export function panelFilters(history: LedgerHistory, wanted: TableFilters): TableFilters {
  const { parameters } = operations[ledgerHistories[history].operation];
  const own = Object.entries(wanted).filter(
    ([field, value]) => Object.hasOwn(parameters, field) && value.length <= maxFilterLength,
  );
  return Object.fromEntries(own);
}
