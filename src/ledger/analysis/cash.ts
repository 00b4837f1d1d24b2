import { added, amountOf, negative, textOf, zeroAmount, type Amount } from '../../base/decimal.ts';
import { covers, openStart, type Interval } from '../../base/interval.ts';
import type { CashCurve } from './analysis.ts';
import { checkpointsWhere } from '../storage/checkpointStore.ts';
import { sumsByAsset, type Totals } from '../storage/sums.ts';
import type { Checkpoint, LedgerHistory } from '../ledger.ts';
import { bracketOf, staleBracket } from '../reconciliation/bracket.ts';
import { contradictionsAround, newestReading } from './newestReading.ts';
import { analysisCoverage, transactionsOf, type AnalysisScope } from './scope.ts';
import { sumSeries } from './sums.ts';

/** The running sum of the transactions of each asset. */
export function cashCurves(scope: AnalysisScope): readonly CashCurve[] {
  const history = transactionsOf(scope.request);
  const changes = new Map(sumSeries(scope, 'cash').map((each) => [each.asset, each]));
  const deposited = depositedOpenings(scope, history);
  const balances = openingBalances(scope);
  const assets = [...deposited.keys(), ...(balances?.names ?? []), ...changes.keys()];
  return [...new Set(assets)].sort().map((asset) => {
    const opening = deposited.get(asset) ?? balances?.of(asset) ?? zeroAmount;
    const series = changes.get(asset);
    let balance = opening;
    const values = scope.calendar.buckets.map((_bucket, index) => {
      balance = added(balance, amountOf(series?.values[index] ?? '0'));
      return textOf(balance);
    });
    return {
      asset,
      basis: deposited.has(asset) ? 'deposited' : balances ? 'balance' : 'change',
      opening: textOf(opening),
      values,
      counts: series?.counts ?? values.map(() => 0),
      selection: { history, filters: { asset: [asset] }, isExact: true },
    };
  });
}

/** By asset; undefined if not all earlier transactions are known. */
function openingBalances(scope: AnalysisScope): Totals | undefined {
  const { database, request, period } = scope;
  const history = transactionsOf(request);
  const earlier = { from: openStart, to: period.from };
  const isKnown = period.from === openStart || isComplete(scope, history, earlier);
  return isKnown ? sumsByAsset(database, history, [earlier]) : undefined;
}

/** How many checkpoints before and after the start of a period are tried. */
const mostTried = 20;

/**
 * The balance of each asset at the start of the period, by the deposited balance of a checkpoint near it: where it
 * is learned that the balance follows this history alone, whose rows are complete from there to the end.
 */
function depositedOpenings(
  scope: AnalysisScope,
  history: LedgerHistory,
): ReadonlyMap<string, Amount> {
  const { database, period, coverage } = scope;
  const openings = new Map<string, Amount>();
  const learned = newestReading(database, 'deposited', history);
  if (!learned || coverage.gaps.length > 0) return openings;
  const [follows, ...others] = Object.keys(learned.reading.terms);
  if (follows !== history || others.length > 0) return openings;
  const near = checkpointsNear(scope);
  // Only a later checkpoint shows that a row is missing.
  const ends = near.map((each) => bracketOf(each).to);
  const around = {
    from: Math.min(period.from, ...near.map(({ sentAt }) => sentAt)),
    to: Math.max(period.to, ...ends),
  };
  const contradictionsOf = contradictionsAround(database, learned, around);
  for (const checkpoint of near) {
    const { from, to } = staleBracket(bracketOf(checkpoint));
    const isBefore = to <= period.from;
    const between = isBefore ? { from: to, to: period.from } : { from: period.from, to: from };
    const whole = { from: Math.min(from, period.from), to: Math.max(to, period.from) };
    if (!isComplete(scope, history, whole)) continue;
    // Rows in the bracket may be in the figures or not.
    const unclear = sumsByAsset(database, history, [{ from, to }]);
    const changes = sumsByAsset(database, history, [between]);
    for (const { name, deposited } of checkpoint.assets ?? []) {
      const isTrusted = contradictionsOf(name).length === 0;
      if (deposited === null || !isTrusted || unclear.names.includes(name) || openings.has(name))
        continue;
      const change = changes.of(name);
      openings.set(name, added(amountOf(deposited), isBefore ? change : negative(change)));
    }
    if (checkpoint.assets?.every(({ name }) => openings.has(name))) break;
  }
  return openings;
}

/** Those before the start of the period, the nearest first; then those after it. */
function checkpointsNear({ database, period }: AnalysisScope): Checkpoint[] {
  return ['< ? ORDER BY answeredAt DESC', '>= ? ORDER BY answeredAt'].flatMap((near) =>
    checkpointsWhere(database, `answeredAt ${near} LIMIT ${mostTried}`, period.from),
  );
}

/** Whether no row is missing, and none lacks its amount. */
function isComplete(
  { database, request }: AnalysisScope,
  history: LedgerHistory,
  period: Interval,
): boolean {
  const now = Math.max(request.now, period.to);
  const found = analysisCoverage(database, [history], { ...request, period, now });
  return (
    covers(found.complete, period) && found.byHistory.every(({ lackingRows }) => lackingRows === 0)
  );
}
