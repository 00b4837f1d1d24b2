import { clip } from '../coverage/intervals.ts';
import type { Interval } from '../ledger.ts';
import { postingDelayMs, withoutBracketRows } from '../reconciliation/bracket.ts';
import { coveredSpans } from '../reconciliation/reconciliationReader.ts';
import { numberOf } from '../storage/sql.ts';
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
type Compared = {
  readonly span: Interval;
  readonly sums: ReadonlyMap<string, Sums>;
  /** Whether each trade says its P&L, and none has an unknown asset. */
  readonly isKnown: boolean;
  /** The end of the span if later rows are not complete. */
  readonly unreadFrom: number;
};

/** Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset. */
export function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const walks = new WalkStore(scope.database);
  const coverage = { coverage: walks.coverage.bind(walks) };
  const spans = coveredSpans(coverage, ['trades', 'futureTransactions']);
  const ends = new Set(spans.map(({ to }) => to));
  const all = clip(spans, scope.period).map((span) => ({
    ...comparedIn(scope, span),
    unreadFrom: ends.has(span.to) ? span.to : Infinity,
  }));
  return (asset) => agreementOf(scope, asset, all);
}

function agreementOf(scope: AnalysisScope, asset: string, all: readonly Compared[]): Agreement {
  let [trades, transactions] = [zeroAmount, zeroAmount];
  const differences: (Difference & { readonly isCertain: boolean })[] = [];
  for (const compared of all) {
    const { sums } = compared;
    const own = sums.get(asset) ?? noSums();
    trades = added(trades, own.trades);
    transactions = added(transactions, own.transactions);
    differences.push(...daysThatDiffer(scope, asset, compared, own));
  }
  const isCertain =
    all.every(({ isKnown }) => isKnown) && differences.every((each) => each.isCertain);
  const verdict = differences.length === 0 ? 'agree' : isCertain ? 'differ' : 'undecided';
  return {
    verdict: all.length === 0 ? 'notCovered' : verdict,
    compared: all.map(({ span }) => span),
    trades: textOf(trades),
    transactions: textOf(transactions),
    differences: differences.map(({ from, to, amount }) => ({ from, to, amount })),
  };
}

function daysThatDiffer(
  scope: AnalysisScope,
  asset: string,
  { span, unreadFrom }: Compared,
  { days }: Sums,
) {
  const { calendar } = scope;
  return [...days]
    .filter(([, amount]) => signOf(amount) !== 0)
    .flatMap(([day, amount]) =>
      clip([calendar.days[day] ?? span], span).map((part) => ({ ...part, amount })),
    )
    .map(({ amount, ...part }) => {
      const movable = movableRows(scope, asset, part, unreadFrom);
      return { ...part, amount: textOf(amount), left: withoutMoved(amount, movable) };
    })
    .filter(({ left }) => !left?.has(0n))
    .map(({ left, ...difference }) => ({ ...difference, isCertain: left !== null }))
    .sort((one, other) => one.from - other.from);
}

/** What may be left of a difference; null if too many rows may be of another day. */
function withoutMoved(difference: ExactAmount, movable: readonly ExactAmount[]) {
  const [figure = 0n, ...amounts] = atSameFraction([difference, ...movable]);
  return withoutBracketRows([figure], amounts);
}

function comparedIn({ database, symbols, calendar }: AnalysisScope, span: Interval) {
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
  const lacking = 'SELECT count(*) FROM trades WHERE rpnl IS NULL AND time >= ? AND time < ?';
  let isKnown = numberOf(database, lacking, span.from, span.to) === 0;
  for (const sum of groupedSums(database, { ...traded, days, keys: ['symbol'] })) {
    const { asset, assetBasis } = symbols.assetOf(sum.keys.symbol, 'marginAsset');
    isKnown &&= assetBasis !== 'unknown';
    add(asset, 'trades', sum);
  }
  for (const sum of groupedSums(database, { ...bookedIn(span), days, keys: ['asset'] }))
    add(sum.keys.asset, 'transactions', sum);
  return { span, sums: all, isKnown };
}

function noSums(): Sums {
  return { trades: zeroAmount, transactions: zeroAmount, days: new Map() };
}

/**
 * Rows at the ends whose other row may be on the other side, with the sign that takes them there: booked just after
 * the start, a row may be of an earlier trade; just after the end, of one in the period. What was traded just before
 * the end of a span may be booked where nothing was read.
 */
function movableRows(
  { database, symbols }: AnalysisScope,
  asset: string,
  { from, to }: Interval,
  unreadFrom: number,
): readonly ExactAmount[] {
  const bookedAfter = (start: number): readonly ExactAmount[] => {
    const booked = bookedIn({ from: start, to: start + postingDelayMs });
    const keys = ['asset', 'time', 'transactionId'] as const;
    return [...groupedSums(database, { ...booked, keys })]
      .filter((each) => each.keys.asset === asset)
      .map(({ amount }) => amount);
  };
  const last = { from: to === unreadFrom ? to - postingDelayMs : to, to };
  const traded = { history: 'trades', field: 'rpnl', isNotZero: true, interval: last } as const;
  const unbooked = [...groupedSums(database, { ...traded, keys: ['symbol', 'time', 'tradeId'] })]
    .filter(({ keys }) => symbols.assetOf(keys.symbol, 'marginAsset').asset === asset)
    .map(({ amount }) => amount);
  return [...bookedAfter(from).map(negative), ...bookedAfter(to), ...unbooked];
}

function bookedIn(interval: Interval) {
  const types = { are: 'in', names: ['REALIZED_PL'] } as const;
  return { history: 'futureTransactions', field: 'amount', interval, types } as const;
}
