import type { AnalysisSeries, CashCurve } from './analysis.ts';
import { analysisCoverage } from './analysisCoverage.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { seriesOf, type SeriesPart } from './analysisSeries.ts';
import { depositedOpenings } from './depositedOpenings.ts';
import { transactionsOf } from './cashFlow.ts';
import { added, amountOf, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';
import { groupedSums, sumsByAsset } from './groupedSums.ts';

/** The running sum of the transactions of each asset. */
export function cashCurves(scope: AnalysisScope): readonly CashCurve[] {
  const changes = seriesOf(changeParts(scope), scope.calendar);
  const deposited = depositedOpenings(scope, transactionsOf(scope.request));
  const balances = openingBalances(scope);
  const openingOf = (
    asset: string,
  ): Pick<CashCurve, 'basis'> & { readonly amount: ExactAmount } => {
    const known = deposited.get(asset);
    if (known) return { basis: 'deposited', amount: known };
    return { basis: balances ? 'balance' : 'change', amount: balances?.get(asset) ?? zeroAmount };
  };
  const assets = [
    ...deposited.keys(),
    ...(balances?.keys() ?? []),
    ...changes.map(({ asset }) => asset),
  ];
  return [...new Set(assets)].sort().map((asset) => {
    const { basis, amount } = openingOf(asset);
    const series = changes.find((each) => each.asset === asset);
    return { asset, basis, opening: textOf(amount), ...curveOf(scope, asset, series, amount) };
  });
}

function* changeParts({
  database,
  request,
  period,
  calendar,
}: AnalysisScope): Generator<SeriesPart> {
  const history = transactionsOf(request);
  const query = { history, field: 'amount', interval: period, keys: ['asset'] } as const;
  for (const sum of groupedSums(database, { ...query, days: calendar.days }))
    yield {
      kind: 'cashFlow',
      asset: sum.keys.asset,
      key: null,
      day: sum.day,
      amount: sum.amount,
      count: sum.count,
      history,
      fields: sum.keys,
      isExact: true,
    };
}

/** By asset; undefined if not all earlier transactions are known. */
function openingBalances({
  database,
  request,
  period,
}: AnalysisScope): ReadonlyMap<string, ExactAmount> | undefined {
  const history = transactionsOf(request);
  const earlier = { from: 0, to: period.from };
  const { complete } = analysisCoverage(database, [history], { ...request, period: earlier });
  if (period.from > 0 && !complete.some(({ from, to }) => from === 0 && to === period.from))
    return undefined;
  return sumsByAsset(database, [history], earlier);
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
