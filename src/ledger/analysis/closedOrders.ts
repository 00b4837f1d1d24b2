import { marginAssetOf } from '../../exchange/symbols.ts';
import type { OrderResult } from './analysis.ts';
import type { AnalysisScope } from './analysisScope.ts';
import { added, less, signOf, textOf, zeroAmount, type ExactAmount } from './exactAmount.ts';
import { storedSums, textSums, type GroupedSum } from './groupedSums.ts';

/** The closed orders of one asset that won, or that lost. */
type OrderTotals = {
  readonly count: number;
  readonly amount: ExactAmount;
  readonly largest: OrderResult | null;
};

export type ClosedOrders = { readonly won: OrderTotals; readonly lost: OrderTotals };

const none: OrderTotals = { count: 0, amount: zeroAmount, largest: null };
export const noClosedOrders: ClosedOrders = { won: none, lost: none };

type Totals = { count: number; amount: ExactAmount; largest: Order | null };
type Order = { readonly orderId: string; readonly symbol: string; readonly amount: ExactAmount };

/**
 * The orders whose fills in the period realise a P&L other than 0, by the asset in which they do. Fills of one
 * order are added up first: one order that is filled in parts is one result.
 */
export function closedOrders({
  database,
  period,
}: AnalysisScope): ReadonlyMap<string, ClosedOrders> {
  const query = {
    ...({ history: 'trades', field: 'rpnl', interval: period } as const),
    ...({ keys: ['orderId', 'symbol'], isNotZero: true } as const),
  };
  const byAsset = new Map<string, { readonly won: Totals; readonly lost: Totals }>();
  for (const order of wholeOrders(storedSums(database, query), textSums(database, query))) {
    const asset = marginAssetOf(order.symbol);
    const totals = byAsset.get(asset) ?? { won: noOrders(), lost: noOrders() };
    byAsset.set(asset, totals);
    const sign = signOf(order.amount);
    if (sign !== 0) addOrder(sign > 0 ? totals.won : totals.lost, order);
  }
  return new Map(
    [...byAsset].map(([asset, { won, lost }]) => [
      asset,
      { won: finished(won), lost: finished(lost) },
    ]),
  );
}

type OrderSum = GroupedSum<'orderId' | 'symbol'>;

/** Fills with too many digits for SQLite's integers come on their own: they join the others of their order. */
function* wholeOrders(stored: Iterable<OrderSum>, texts: Iterable<OrderSum>): Generator<Order> {
  const rare = new Map<string, Order>();
  const keyOf = ({ orderId, symbol }: OrderSum['keys']): string => `${orderId} ${symbol}`;
  for (const { keys, amount } of texts) {
    const before = rare.get(keyOf(keys))?.amount ?? zeroAmount;
    rare.set(keyOf(keys), { ...keys, amount: added(before, amount) });
  }
  for (const { keys, amount } of stored) {
    const others = rare.size === 0 ? undefined : rare.get(keyOf(keys));
    if (others) rare.delete(keyOf(keys));
    yield { ...keys, amount: others ? added(amount, others.amount) : amount };
  }
  yield* rare.values();
}

function noOrders(): Totals {
  return { count: 0, amount: zeroAmount, largest: null };
}

function addOrder(totals: Totals, order: Order): void {
  totals.count += 1;
  totals.amount = added(totals.amount, order.amount);
  if (!totals.largest || isFarther(order.amount, totals.largest.amount)) totals.largest = order;
}

/** From 0; both have the same sign. */
function isFarther(one: ExactAmount, other: ExactAmount): boolean {
  return signOf(less(one, other)) === signOf(one);
}

function finished({ count, amount, largest }: Totals): OrderTotals {
  return { count, amount, largest: largest && { ...largest, amount: textOf(largest.amount) } };
}
