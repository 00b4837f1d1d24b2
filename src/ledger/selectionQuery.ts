import { fieldValues } from '../exchange/history/filterRules.ts';
import type { HistorySelection } from '../exchange/history/historyRecords.ts';
import type { LedgerHistory, LedgerQuery } from './ledger.ts';

/** The history of the ledger that has the records of a selection. */
export function ledgerHistoryOf({ operation, filters }: HistorySelection): LedgerHistory {
  if (operation !== 'transactions') return operation;
  return filters.accountType === 'SPOT' ? 'spotTransactions' : 'futureTransactions';
}

/** Which records of the ledger belong to a selection. */
export function selectionQuery(
  selection: HistorySelection,
  period: LedgerQuery['period'],
): Pick<LedgerQuery, 'history' | 'period' | 'filters'> {
  const history = ledgerHistoryOf(selection);
  return { history, period, filters: fieldValues(selection) };
}
