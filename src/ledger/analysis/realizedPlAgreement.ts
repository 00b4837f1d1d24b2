import type { NumberText } from '../../base/decimal.ts';
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
type Difference = Agreement['differences'][number];

type Sums = {
  trades: ExactAmount;
  transactions: ExactAmount;
  /** Trades less transactions of each day of the calendar. */
  readonly days: Map<number, ExactAmount>;
};

/** What the two histories show for a period in which both are complete. */
type Compared = {
  readonly span: Interval;
  readonly sums: ByAsset<Sums>;
  /** Transactions at the ends that may be of a trade on the other side, with the sign that takes them there. */
  readonly movable: ByAsset<readonly ExactAmount[]>;
};

/** With more days that differ, they are not told apart. */
const mostDays = 100;

/** Whether the trades of a period realise what its `REALIZED_PL` transactions book, by asset. */
export function realizedPlAgreement(scope: AnalysisScope): (asset: string) => Agreement {
  const walks = new WalkStore(scope.database);
  const coverage = { coverage: walks.coverage.bind(walks) };
  const spans = coveredSpans(coverage, ['trades', 'futureTransactions']);
  const all = clip(spans, scope.period).map((span) => comparedIn(scope, span));
  return (asset) => agreementOf(scope, asset, all);
}

function agreementOf(scope: AnalysisScope, asset: string, all: readonly Compared[]): Agreement {
  const total = (history: 'trades' | 'transactions'): NumberText =>
    textOf(
      all.map(({ sums }) => sums.get(asset)?.[history] ?? zeroAmount).reduce(added, zeroAmount),
    );
  const differences = all.flatMap((each) => {
    const ofDays = daysThatDiffer(scope, asset, each);
    return ofDays.length > 0 ? ofDays : differenceOf(asset, each);
  });
  const verdict = differences.length === 0 ? 'agree' : 'differ';
  return {
    verdict: all.length === 0 ? 'notCovered' : verdict,
    compared: all.map(({ span }) => span),
    trades: total('trades'),
    transactions: total('transactions'),
    differences,
  };
}

/** What two days lack and have too much may cancel out in a sum; days next to each other may explain each other. */
function daysThatDiffer(
  scope: AnalysisScope,
  asset: string,
  { span, sums }: Compared,
): readonly Difference[] {
  const ofDays = [...(sums.get(asset)?.days ?? [])].filter(([, amount]) => signOf(amount) !== 0);
  if (ofDays.length > mostDays) return [];
  const { days } = scope.calendar;
  const partOf = (first: number, last: number): Interval => {
    const from = Math.max(span.from, (days[first] ?? span).from);
    return { from, to: Math.min(span.to, (days[last] ?? span).to) };
  };
  return ofDays
    .filter(([day]) =>
      [partOf(day, day), partOf(day - 1, day), partOf(day, day + 1)].every(
        (part) => differenceOf(asset, comparedIn(scope, part)).length > 0,
      ),
    )
    .map(([day, amount]) => ({ ...partOf(day, day), amount: textOf(amount) }))
    .sort((one, other) => one.from - other.from);
}

/** None if the sums are the same, but for what may lie on the other side of an end. */
function differenceOf(asset: string, { span, sums, movable }: Compared): readonly Difference[] {
  const { trades, transactions } = sums.get(asset) ?? noSums();
  const found = less(trades, transactions);
  if (isExplained(found, movable.get(asset) ?? [])) return [];
  return [{ ...span, amount: textOf(found) }];
}

function isExplained(difference: ExactAmount, movable: readonly ExactAmount[]): boolean {
  const [figure = 0n, ...amounts] = atSameFraction([difference, ...movable]);
  return figure === 0n || (withoutBracketRows([figure], amounts)?.has(0n) ?? false);
}

function comparedIn({ database, symbols, calendar }: AnalysisScope, span: Interval): Compared {
  const all = new Map<string, Sums>();
  const sumsOf = (asset: string): Sums => {
    const sums = all.get(asset) ?? noSums();
    all.set(asset, sums);
    return sums;
  };
  const { days } = calendar;
  const ofTrades = { history: 'trades', field: 'rpnl', isNotZero: true, interval: span } as const;
  for (const { day, keys, amount } of groupedSums(database, {
    ...ofTrades,
    days,
    keys: ['symbol'],
  })) {
    const sums = sumsOf(symbols.assetOf(keys.symbol, 'marginAsset').asset);
    sums.trades = added(sums.trades, amount);
    sums.days.set(day, added(sums.days.get(day) ?? zeroAmount, amount));
  }
  const booked = bookedIn(span);
  for (const { day, keys, amount } of groupedSums(database, { ...booked, days, keys: ['asset'] })) {
    const sums = sumsOf(keys.asset);
    sums.transactions = added(sums.transactions, amount);
    sums.days.set(day, less(sums.days.get(day) ?? zeroAmount, amount));
  }
  return { span, sums: all, movable: movableRows(database, span) };
}

function noSums(): Sums {
  return { trades: zeroAmount, transactions: zeroAmount, days: new Map() };
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
