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
  negative,
  signOf,
  textOf,
  zeroAmount,
  type ExactAmount,
} from './exactAmount.ts';
import { groupedSums, type GroupedSum } from './groupedSums.ts';

type Sum = Pick<GroupedSum<never>, 'day' | 'amount'>;
type Difference = Agreement['differences'][number];

type Sums = {
  trades: ExactAmount;
  transactions: ExactAmount;
  /** Trades less transactions of each day of the calendar: what two days lack and have too much may cancel out. */
  readonly days: Map<number, ExactAmount>;
};

/** What the two histories show for a period in which both are complete, by asset. */
type Compared = { readonly span: Interval; readonly sums: ReadonlyMap<string, Sums> };

/** Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset. */
export function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const walks = new WalkStore(scope.database);
  const coverage = { coverage: walks.coverage.bind(walks) };
  const spans = coveredSpans(coverage, ['trades', 'futureTransactions']);
  const all = clip(spans, scope.period).map((span) => comparedIn(scope, span));
  return (asset) => agreementOf(scope, asset, all);
}

function agreementOf(scope: AnalysisScope, asset: string, all: readonly Compared[]): Agreement {
  let [trades, transactions] = [zeroAmount, zeroAmount];
  const differences: Difference[] = [];
  for (const { span, sums } of all) {
    const own = sums.get(asset) ?? noSums();
    trades = added(trades, own.trades);
    transactions = added(transactions, own.transactions);
    differences.push(...daysThatDiffer(scope, asset, span, own));
  }
  const verdict = differences.length === 0 ? 'agree' : 'differ';
  return {
    verdict: all.length === 0 ? 'notCovered' : verdict,
    compared: all.map(({ span }) => span),
    trades: textOf(trades),
    transactions: textOf(transactions),
    differences,
  };
}

function daysThatDiffer(
  { database, calendar }: AnalysisScope,
  asset: string,
  span: Interval,
  { days }: Sums,
): readonly Difference[] {
  return [...days]
    .filter(([, amount]) => signOf(amount) !== 0)
    .flatMap(([day, amount]) =>
      clip([calendar.days[day] ?? span], span).map((part) => ({ ...part, amount })),
    )
    .filter(({ amount, ...part }) => !isExplained(amount, movableRows(database, asset, part)))
    .map((each) => ({ ...each, amount: textOf(each.amount) }))
    .sort((one, other) => one.from - other.from);
}

function isExplained(difference: ExactAmount, movable: readonly ExactAmount[]): boolean {
  const [figure = 0n, ...amounts] = atSameFraction([difference, ...movable]);
  return withoutBracketRows([figure], amounts)?.has(0n) ?? false;
}

function comparedIn({ database, symbols, calendar }: AnalysisScope, span: Interval): Compared {
  const all = new Map<string, Sums>();
  const add = (asset: string, of: 'trades' | 'transactions', { day, amount }: Sum): void => {
    const sums = all.get(asset) ?? noSums();
    all.set(asset, sums);
    sums[of] = added(sums[of], amount);
    const change = of === 'trades' ? amount : negative(amount);
    sums.days.set(day, added(sums.days.get(day) ?? zeroAmount, change));
  };
  const { days } = calendar;
  const traded = { history: 'trades', field: 'rpnl', isNotZero: true, interval: span } as const;
  for (const sum of groupedSums(database, { ...traded, days, keys: ['symbol'] }))
    add(symbols.assetOf(sum.keys.symbol, 'marginAsset').asset, 'trades', sum);
  for (const sum of groupedSums(database, { ...bookedIn(span), days, keys: ['asset'] }))
    add(sum.keys.asset, 'transactions', sum);
  return { span, sums: all };
}

function noSums(): Sums {
  return { trades: zeroAmount, transactions: zeroAmount, days: new Map() };
}

/**
 * Transactions at the ends that may be of a trade on the other side, with the sign that takes them there: booked
 * just after the start, a row may be of an earlier trade; just after the end, of one in the period.
 */
function movableRows(
  database: AnalysisScope['database'],
  asset: string,
  { from, to }: Interval,
): readonly ExactAmount[] {
  const bookedAfter = (start: number): readonly ExactAmount[] => {
    const booked = bookedIn({ from: start, to: start + postingDelayMs });
    const keys = ['asset', 'time', 'transactionId'] as const;
    return [...groupedSums(database, { ...booked, keys })]
      .filter((each) => each.keys.asset === asset)
      .map(({ amount }) => amount);
  };
  return [...bookedAfter(from).map(negative), ...bookedAfter(to)];
}

function bookedIn(interval: Interval) {
  const types = { are: 'in', names: ['REALIZED_PL'] } as const;
  return { history: 'futureTransactions', field: 'amount', interval, types } as const;
}
