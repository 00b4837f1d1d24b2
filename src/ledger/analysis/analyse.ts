import { withFile } from '../storage/ledgerFile.ts';
import type { Analysis, AnalysisRequest } from './analysis.ts';
import { BookReader } from './bookReader.ts';
import { calendarAssets, symbolFigures } from './netFigures.ts';
import { assetNumbers } from './numbers.ts';
import { rebuiltPositions } from './positions.ts';
import { analysisScope, type AnalysisScope } from './scope.ts';
import { cashCurves } from './cash.ts';
import { equityCurve } from './equity.ts';
import { auditFees, storedFees } from './feeAudit.ts';
import { sumSeries } from './sums.ts';

/** Analyses a file, which may be in use. */
export function analyseFile(
  file: string,
  request: AnalysisRequest,
  books = new BookReader(),
): Analysis {
  return withFile(file, (database) => analyse(analysisScope(database, request, books)));
}

function analyse(scope: AnalysisScope): Analysis {
  const { view } = scope.request;
  const { period, coverage } = scope;
  const { groupBy, buckets } = scope.calendar;
  const bucketed = { period, coverage, groupBy, buckets };
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
      return { view, period, coverage, assets: assetNumbers(scope) };
    case 'feeAudit':
      return { view, period, coverage, ...auditFees(storedFees(scope)) };
    case 'positions':
      return { view, period, coverage, ...rebuiltPositions(scope) };
    case 'bySymbol':
      return { view, period, coverage, symbols: symbolFigures(scope) };
    case 'calendar':
      return { view, period, coverage, assets: calendarAssets(scope) };
  }
}
