import { fieldValues } from '../exchange/history/filterRules.ts';
import type { HistorySelection } from '../exchange/history/historyRecords.ts';
import type { LedgerHistory, LedgerQuery } from './ledger.ts';

/** The history of the ledger that has the records of a selection. */
export function ledgerHistoryOf({ operation, filters }: HistorySelection): LedgerHistory {
  if (operation !== 'transactions') return operation;
  return filters.accountType === 'SPOT' ? 'spotTransactions' : 'futureTransactions';
}

/** The records of a selection, newest first. */
export function selectionQuery(
  selection: HistorySelection,
  period: LedgerQuery['period'],
): LedgerQuery {
  const history = ledgerHistoryOf(selection);
  return { history, period, filters: fieldValues(selection), search: '', sort: null };
}
