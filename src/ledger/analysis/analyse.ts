import type { DatabaseSync } from 'node:sqlite';
import type { LedgerHistory } from '../ledger.ts';
import { withFile } from '../storage/ledgerFile.ts';
import type { Analysis, AnalysisRequest, AnalysisView } from './analysis.ts';
import { assetNumbers } from './analysisNumbers.ts';
import { analysisScope } from './analysisScope.ts';
import { cashCurves } from './cashCurves.ts';
import { equityCurve } from './equityCurve.ts';
import { auditFees, storedFees } from './feeAudit.ts';
import { sumSeries, transactionsOf } from './sumSeries.ts';

/** Analyses a file, which may be in use. */
export function analyseFile(file: string, request: AnalysisRequest): Analysis {
  return withFile(file, (database) => analyse(database, request));
}

function analyse(database: DatabaseSync, request: AnalysisRequest): Analysis {
  const { view } = request;
  const scope = analysisScope(database, request, historiesOf(request));
  const { period, coverage, calendar } = scope;
  const { groupBy, buckets } = calendar;
  const common = { period, coverage };
  const bucketed = { ...common, groupBy, buckets };
  switch (view) {
    case 'realizedPl':
    case 'fees':
    case 'funding':
    case 'cashFlow':
      return { view, ...bucketed, series: sumSeries(scope, view) };
    case 'cash':
      return { view, ...bucketed, curves: cashCurves(scope) };
    case 'equity':
      return { view, ...bucketed, ...equityCurve(scope) };
    case 'numbers':
      return { view, ...common, assets: assetNumbers(scope) };
    case 'feeAudit':
      return { view, ...common, ...auditFees(storedFees(scope)) };
  }
}

/** Whose rows the figures of a view are made of. */
function historiesOf(request: AnalysisRequest): readonly LedgerHistory[] {
  const ofView: Readonly<Record<AnalysisView, readonly LedgerHistory[]>> = {
    realizedPl: ['trades'],
    fees: ['trades', 'futureTransactions'],
    funding: ['futureTransactions'],
    cashFlow: [transactionsOf(request)],
    cash: [transactionsOf(request)],
    equity: ['futureTransactions'],
    numbers: ['trades', 'futureTransactions'],
    feeAudit: ['trades'],
  };
  return ofView[request.view];
}
