import { marginAssetOf } from '../../exchange/symbols.ts';
import { clip } from '../coverage/intervals.ts';
import type { Interval } from '../ledger.ts';
import { postingDelayMs, withoutBracketRows } from '../reconciliation/bracket.ts';
import { coveredSpans } from '../reconciliation/coveredSpans.ts';
import { WalkStore } from '../storage/walkStore.ts';
import type { Agreement } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import {
  added,
  atSameFraction,
  less,
  negative,
  signOf,
  textOf,
  zeroAmount,
  type ExactAmount,
} from './exactAmount.ts';
import { groupedSums } from './groupedSums.ts';

type ByAsset<Value> = ReadonlyMap<string, Value>;

/** What the two histories show for a period in which both are complete. */
type Compared = {
  readonly trades: ByAsset<ExactAmount>;
  readonly transactions: ByAsset<ExactAmount>;
  /** Transactions at the ends that may be of a trade on the other side, with the sign that takes them there. */
  readonly movable: ByAsset<readonly ExactAmount[]>;
};

/** Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset. */
export function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const walks = new WalkStore(scope.database);
  const coverage = { coverage: walks.coverage.bind(walks) };
  const spans = coveredSpans(coverage, ['trades', 'futureTransactions']);
  const compared = clip(spans, scope.period);
  const all = compared.map((span) => comparedIn(scope, span));
  return (asset) => agreementOf(asset, compared, all);
}

function agreementOf(
  asset: string,
  compared: readonly Interval[],
  all: readonly Compared[],
): Agreement {
  let [trades, transactions, difference] = [zeroAmount, zeroAmount, zeroAmount];
  for (const each of all) {
    const [ofTrades, ofTransactions] = [
      each.trades.get(asset) ?? zeroAmount,
      each.transactions.get(asset) ?? zeroAmount,
    ];
    trades = added(trades, ofTrades);
    transactions = added(transactions, ofTransactions);
    const found = less(ofTrades, ofTransactions);
    if (!isExplained(found, each.movable.get(asset) ?? [])) difference = added(difference, found);
  }
  const agrees = signOf(difference) === 0;
  return {
    verdict: compared.length === 0 ? 'notCovered' : agrees ? 'agree' : 'differ',
    compared,
    trades: textOf(trades),
    transactions: textOf(transactions),
    difference: textOf(difference),
  };
}

function isExplained(difference: ExactAmount, movable: readonly ExactAmount[]): boolean {
  const [figure = 0n, ...amounts] = atSameFraction([difference, ...movable]);
  return figure === 0n || (withoutBracketRows([figure], amounts)?.has(0n) ?? false);
}

function comparedIn({ database }: AnalysisScope, span: Interval): Compared {
  const trades = new Map<string, ExactAmount>();
  const ofTrades = { history: 'trades', field: 'rpnl', isNotZero: true } as const;
  for (const { keys, amount } of groupedSums(database, {
    ...ofTrades,
    interval: span,
    keys: ['symbol'],
  }))
    addTo(trades, marginAssetOf(keys.symbol), amount);
  const transactions = new Map<string, ExactAmount>();
  const booked = bookedIn(span);
  for (const { keys, amount } of groupedSums(database, { ...booked, keys: ['asset'] }))
    addTo(transactions, keys.asset, amount);
  return { trades, transactions, movable: movableRows(database, span) };
}

/** Booked just after the start, a row may be of an earlier trade; just after the end, of one in the period. */
function movableRows(
  database: AnalysisScope['database'],
  { from, to }: Interval,
): ByAsset<readonly ExactAmount[]> {
  const movable = new Map<string, ExactAmount[]>();
  const add = (start: number, moved: (amount: ExactAmount) => ExactAmount): void => {
    const booked = bookedIn({ from: start, to: start + postingDelayMs });
    const keys = ['asset', 'time', 'transactionId'] as const;
    for (const { keys: of, amount } of groupedSums(database, { ...booked, keys }))
      movable.set(of.asset, [...(movable.get(of.asset) ?? []), moved(amount)]);
  };
  add(from, negative);
  add(to, (amount) => amount);
  return movable;
}

function bookedIn(interval: Interval) {
  const types = { are: 'in', names: ['REALIZED_PL'] } as const;
  return { history: 'futureTransactions', field: 'amount', interval, types } as const;
}

function addTo(sums: Map<string, ExactAmount>, asset: string, amount: ExactAmount): void {
  sums.set(asset, added(sums.get(asset) ?? zeroAmount, amount));
}
