import { contain } from '../coverage/intervals.ts';
import type { AnalysisSeries, CashCurve } from './analysis.ts';
import { analysisCoverage } from './analysisCoverage.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { depositedOpenings } from './depositedOpenings.ts';
import {
  added,
  amountOf,
  textOf,
  zeroAmount,
  type ExactAmount,
  type Totals,
} from './exactAmount.ts';
import { sumsByAsset } from './groupedSums.ts';
import { sumSeries, transactionsOf } from './sumSeries.ts';

/** The running sum of the transactions of each asset. */
export function cashCurves(scope: AnalysisScope): readonly CashCurve[] {
  const changes = sumSeries(scope, 'cash');
  const deposited = depositedOpenings(scope, transactionsOf(scope.request));
  const balances = openingBalances(scope);
  const openingOf = (
    asset: string,
  ): Pick<CashCurve, 'basis'> & { readonly amount: ExactAmount } => {
    const known = deposited.get(asset);
    if (known) return { basis: 'deposited', amount: known };
    return { basis: balances ? 'balance' : 'change', amount: balances?.of(asset) ?? zeroAmount };
  };
  const assets = [
    ...deposited.keys(),
    ...(balances?.names ?? []),
    ...changes.map(({ asset }) => asset),
  ];
  return [...new Set(assets)].sort().map((asset) => {
    const { basis, amount } = openingOf(asset);
    const series = changes.find((each) => each.asset === asset);
    return { asset, basis, opening: textOf(amount), ...curveOf(scope, asset, series, amount) };
  });
}

/** By asset; undefined if not all earlier transactions are known. */
function openingBalances({ database, request, period }: AnalysisScope): Totals | undefined {
  const history = transactionsOf(request);
  const earlier = { from: 0, to: period.from };
  const { complete } = analysisCoverage(database, [history], { ...request, period: earlier });
  const isKnown = period.from === 0 || contain(complete, earlier);
  return isKnown ? sumsByAsset(database, history, earlier) : undefined;
}

function curveOf(
  { request, calendar }: AnalysisScope,
  asset: string,
  series: AnalysisSeries | undefined,
  opening: ExactAmount,
): Pick<CashCurve, 'values' | 'counts' | 'selection'> {
  let balance = opening;
  const values = calendar.buckets.map((_bucket, index) => {
    balance = added(balance, amountOf(series?.values[index] ?? '0'));
    return textOf(balance);
  });
  const counts = series?.counts ?? values.map(() => 0);
  const selection = {
    history: transactionsOf(request),
    filters: { asset: [asset] },
    isExact: true,
  };
  return { values, counts, selection };
}
