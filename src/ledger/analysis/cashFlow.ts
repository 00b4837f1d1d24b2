import { ledgerHistories, type LedgerHistory } from '../ledger.ts';
import type { AnalysisRequest, AnalysisSeries } from './analysis.ts';
import { seriesOf, type SeriesPart } from './analysisSeries.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { groupedSums } from './groupedSums.ts';

/** What trading brings or costs. Everything else is cash flow: also a type that the API does not name. */
const tradingTypes = ['FEE', 'FUNDING_FEE', 'REALIZED_PL', 'LIQUIDATION_FEE'];

/** The transactions of the account that the request names. */
export function transactionsOf({ account }: AnalysisRequest): LedgerHistory {
  return account === ledgerHistories.spotTransactions.filters.accountType
    ? 'spotTransactions'
    : 'futureTransactions';
}

/** Deposits, withdrawals, transfers and rewards. */
export function cashFlowSeries(scope: AnalysisScope): readonly AnalysisSeries[] {
  return seriesOf(cashFlowParts(scope), scope.calendar);
}

function* cashFlowParts(scope: AnalysisScope): Generator<SeriesPart> {
  const { database, request, period, calendar, splitBy } = scope;
  const history = transactionsOf(request);
  const query = {
    history,
    field: 'amount',
    interval: period,
    days: calendar.days,
    keys: ['asset', 'type'],
    types: { are: 'not in', names: tradingTypes },
  } as const;
  for (const { day, keys, amount, count } of groupedSums(database, query))
    yield {
      kind: 'cashFlow',
      asset: keys.asset,
      key: splitBy === 'type' ? keys.type : null,
      day,
      amount,
      count,
      history,
      fields: keys,
      isExact: true,
    };
}
