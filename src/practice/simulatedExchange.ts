import type Big from 'big.js';
import type { Clock } from '../base/time.ts';
import type { Order, OrderFilter, Trade } from './account/completedOrders.ts';
import type { Position } from './account/netPosition.ts';
import { OpenOrders, summarizeOpenOrders, type OpenOrder } from './account/openOrders.ts';
import {
  filterRows,
  pageOf,
  type HistoryFilter,
  type Page,
  type RowSort,
  historyStart,
} from './account/pagedHistory.ts';
import { TradingHistory } from './account/tradingHistory.ts';
import {
  TransactionHistory,
  transactionOf,
  type NumberedChange,
  type Transaction,
  type TransactionFilter,
} from './account/transactionHistory.ts';
import { instruments, marginAsset, type Instrument } from './market/instruments.ts';
import { LiquidationAuction, type Lot } from './market/liquidationAuction.ts';
import { accountFees, sum } from './market/tradingRules.ts';

type SimulatedExchangeOptions = {
  /** A whole number. Exchanges with the same seed differ only in what was cancelled. */
  readonly seed: number;
  readonly clock: Clock;
  /** The limit that exchange information reports. */
  readonly weightLimit: number;
};

/**
 * The exchange without its HTTP server. Everything it returns is a function of seed and time,
 * except that cancelled orders move from the open orders to the order history. Histories are sorted
 * newest first, and their pages are counted from 0.
 */
export class SimulatedExchange {
  private readonly options: SimulatedExchangeOptions;
  private readonly tradingHistory: TradingHistory;
  private readonly transactionHistory: TransactionHistory;
  private readonly auction: LiquidationAuction;
  private readonly openOrders: OpenOrders;

  constructor(options: SimulatedExchangeOptions) {
    const { seed } = options;
    this.options = options;
    this.tradingHistory = new TradingHistory(seed);
    this.transactionHistory = new TransactionHistory(seed, this.tradingHistory);
    this.auction = new LiquidationAuction(seed, (from, to) =>
      this.tradingHistory.liquidations(from, to),
    );
    this.openOrders = new OpenOrders(seed);
  }

  account() {
    const now = this.options.clock.now();
    return accountSnapshot(
      this.transactionHistory.balances(now),
      this.tradingHistory.positions(now),
      this.openOrders.open(now),
    );
  }

  orders({ statuses, ...filter }: OrderFilter, page?: number, size?: number): Page<Order> {
    const now = this.options.clock.now();
    const completed = this.tradingHistory.completedOrders(historyStart(now), now);
    const rows = [...this.openOrders.ended(now), ...completed.map(({ order }) => order)];
    return pageOf(filterRows<Order>(rows, { ...filter, status: statuses }, orderSort), page, size);
  }

  trades(filter: HistoryFilter<Trade>, page?: number, size?: number): Page<Trade> {
    const now = this.options.clock.now();
    const completed = this.tradingHistory.completedOrders(historyStart(now), now);
    const rows = completed.flatMap(({ trades }) => trades);
    return pageOf(filterRows<Trade>(rows, filter, tradeSort), page, size);
  }

  lots(filter: HistoryFilter<Lot>, page?: number, size?: number): Page<Lot> {
    const now = this.options.clock.now();
    const lots = this.auction.lots(historyStart(now), now);
    return pageOf(filterRows<Lot>(lots, filter, lotSort), page, size);
  }

  transactions(filter: TransactionFilter, page?: number, size?: number): Page<Transaction> {
    const changes = this.transactionHistory.changes(this.options.clock.now());
    const found = filterRows<NumberedChange>(changes, filter, transactionSort);
    const { content, ...envelope } = pageOf(found, page, size);
    const { seed } = this.options;
    return { content: content.map((change) => transactionOf(seed, change)), ...envelope };
  }

  /** Cancels every open order and returns these orders. */
  cancelAll(): readonly Order[] {
    return this.openOrders.cancelAll(this.options.clock.now());
  }

  /** Section 2.7 of the API document. */
  exchangeInformation() {
    const { clock, weightLimit } = this.options;
    return {
      rateLimits: [
        { intervalNum: 1, limit: weightLimit, interval: 'MINUTE', rateLimitType: 'HARD_LIMIT' },
      ],
      timezone: 'UTC',
      serverTime: clock.now(),
      symbols: instruments.map(symbolInformation),
    };
  }
}

const orderSort: RowSort<Order> = { timeOf: ({ time }) => time, idOf: ({ orderId }) => orderId };
const tradeSort: RowSort<Trade> = { timeOf: ({ time }) => time, idOf: ({ tradeId }) => tradeId };
const lotSort: RowSort<Lot> = { timeOf: ({ updatedAt }) => updatedAt, idOf: ({ lotId }) => lotId };
const transactionSort: RowSort<NumberedChange> = {
  timeOf: ({ time }) => time,
  idOf: ({ transactionId }) => transactionId,
};

function symbolInformation({ symbol, baseAsset }: Instrument) {
  return {
    symbol,
    marginAsset,
    baseAsset: baseAsset.toUpperCase(),
    pair: `${baseAsset}/${marginAsset}`.toUpperCase(),
    quoteAsset: marginAsset,
    status: 'TRADING',
  };
}

/** The balance of an asset in FUTURE: the sum of its balance changes. */
type Balance = { readonly asset: string; readonly amount: Big };

/** Section 2.6 of the API document. `equity` is the balance of the margin asset plus `upl`. */
function accountSnapshot(
  balances: readonly Balance[],
  positions: readonly Position[],
  open: readonly OpenOrder[],
) {
  const upl = sum(positions.map((position) => position.upl));
  const marginBalances = balances.filter(({ asset }) => asset === marginAsset);
  return {
    upl,
    feeTierStructure: accountFees.tier,
    feeTierDiscount: accountFees.discount,
    assets: balances.map((balance) => assetBalance(balance, positions, open)),
    tradeFeeAsset: marginAsset,
    positions,
    orders: summarizeOpenOrders(open),
    equity: sum(marginBalances.map(({ amount }) => amount)).plus(upl),
  };
}

/** `deposited` is the whole balance. Positions lock `margin` of it, and open orders lock `locked`. */
function assetBalance(
  { asset, amount }: Balance,
  positions: readonly Position[],
  open: readonly OpenOrder[],
) {
  const isMargin = asset === marginAsset;
  return {
    name: asset,
    isMargin,
    deposited: amount,
    margin: sum(isMargin ? positions.map(({ lockedBalance }) => lockedBalance) : []),
    locked: sum(isMargin ? open.map(({ locked }) => locked) : []),
  };
}
