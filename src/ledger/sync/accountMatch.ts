import { hourMs, minuteMs } from '../../base/time.ts';
import type { ExchangeClient } from '../../exchange/client.ts';
import { defaultPageSize } from '../../exchange/history/readToEnd.ts';
import { readSourcePage } from '../../exchange/history/historySource.ts';
import {
  idOf,
  timeOf,
  type HistoryRecord,
  type HistoryRequest,
} from '../../exchange/history/historyRecords.ts';
import { ledgerHistories, type LedgerHistory, type LedgerWriter } from '../ledger.ts';

/** `none`: there is nothing to compare. */
export type AccountMatch = 'same' | 'other' | 'none';

/** Their records do not change, and lots are those of all accounts. */
const compared = [
  'trades',
  'futureTransactions',
  'spotTransactions',
] as const satisfies readonly LedgerHistory[];
const comparedRows = 10;
const farFuture = Number.MAX_SAFE_INTEGER;

/**
 * Whether the newest records of a ledger are those of the account: the exchange is asked for the hour
 * before the newest one, a page for each history. Rejects with ExchangeError or LedgerError.
 */
export async function compareAccount(
  client: Pick<ExchangeClient, 'history' | 'conventions'>,
  ledger: Pick<LedgerWriter, 'recordsIn'>,
): Promise<AccountMatch> {
  const size = client.conventions.current.maxPageSize ?? defaultPageSize;
  let match: AccountMatch = 'none';
  for (const history of compared) {
    const known = await ledger.recordsIn(history, { from: 0, to: farFuture }, comparedRows);
    const newest = timeOf(known[0] ?? {});
    if (newest === undefined) continue;
    const period = { from: newest - hourMs, to: newest + minuteMs };
    const request: HistoryRequest = { ...ledgerHistories[history], period, page: 0, size };
    const page = await readSourcePage(client, request, {});
    const listed = new Set(page.items.map(identityOf));
    if (!known.some((record) => listed.has(identityOf(record)))) return 'other';
    match = 'same';
  }
  return match;
}

/** Another account of the exchange may have a record of the same id. */
function identityOf(record: HistoryRecord): string {
  return `${idOf(record)} ${timeOf(record)}`;
}
