import type { Interval } from '../base/interval.ts';
import type { HistoryName, ParameterName } from '../api/operations.ts';
import { fieldValues } from '../exchange/history/filterRules.ts';
import type { HistorySelection } from '../exchange/history/records.ts';
import type { AccountType } from '../exchange/records.ts';
import { transactionHistories, type LedgerHistory, type LedgerQuery } from './ledger.ts';

/** The filters that no field shows: the ledger keeps a history for each of their values. */
type UnverifiableFilter = ParameterName<HistoryName, { readonly field: null }>;
const historiesByFilter: Readonly<
  Record<UnverifiableFilter, Readonly<Record<AccountType, LedgerHistory>>>
> = { accountType: transactionHistories };

/** The history of the ledger that has the records of a selection. */
export function ledgerHistoryOf({ operation, filters }: HistorySelection): LedgerHistory {
  if (operation !== 'transactions') return operation;
  return historiesByFilter.accountType[filters.accountType];
}

/** Which records of the ledger belong to a selection. */
export function selectionQuery(
  selection: HistorySelection,
  period: Interval,
): Pick<LedgerQuery, 'history' | 'period' | 'filters'> {
  const history = ledgerHistoryOf(selection);
  return { history, period, filters: fieldValues(selection) };
}
