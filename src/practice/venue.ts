import type { Clock } from '../base/clock.ts';
import { accountOf, type Account } from './account.ts';
import { Auction } from './auction.ts';
import { Books } from './books.ts';
import { historyStart } from './calendar.ts';
import { exchangeInformation } from './exchangeInformation.ts';
import { Journal } from './journal.ts';
import { lotMatches, newestLotFirst, type Lot, type LotFilter } from './lots.ts';
import { newestOrderFirst, orderMatches, type Order, type OrderFilter } from './orders.ts';
import { pageOf, type Page } from './pages.ts';
import { RestingBook } from './restingBook.ts';
import { newestTradeFirst, tradeMatches, type Trade, type TradeFilter } from './trades.ts';
import {
  entryMatches,
  transactionOf,
  type Transaction,
  type TransactionFilter,
} from './transactions.ts';

export type VenueOptions = {
  /** A whole number; venues with the same seed agree on everything but what was cancelled. */
  readonly seed: number;
  readonly clock: Clock;
  /** Reported by exchange information. */
  readonly weightLimit: number;
};

/**
 * The exchange behind its door. What it tells is a function of seed and time, except for what was
 * cancelled: it stands in the order history instead of being open. Histories are told newest first, and their pages are counted from 0.
 */
export class Venue {
  private readonly seed: number;
  private readonly clock: Clock;
  private readonly weightLimit: number;
  private readonly journal: Journal;
  private readonly books: Books;
  private readonly auction: Auction;
  private readonly resting: RestingBook;

  constructor({ seed, clock, weightLimit }: VenueOptions) {
    this.seed = seed;
    this.clock = clock;
    this.weightLimit = weightLimit;
    this.journal = new Journal(seed);
    this.books = new Books(seed, this.journal);
    this.auction = new Auction(seed, this.journal);
    this.resting = new RestingBook(seed);
  }

  account(): Account {
    const now = this.clock.now();
    return accountOf(this.books.balances(now), this.journal.positions(now), this.resting.open(now));
  }

  orders(filter: OrderFilter, page?: number, size?: number): Page<Order> {
    const now = this.clock.now();
    const ended = this.journal.orderEnds(historyStart(now), now).map(({ order }) => order);
    const found = [...this.resting.ended(now), ...ended].filter((order) =>
      orderMatches(order, filter),
    );
    return pageOf(found.sort(newestOrderFirst), page, size);
  }

  trades(filter: TradeFilter, page?: number, size?: number): Page<Trade> {
    const now = this.clock.now();
    const trades = this.journal.orderEnds(historyStart(now), now).flatMap((end) => end.trades);
    const found = trades.filter((trade) => tradeMatches(trade, filter));
    return pageOf(found.sort(newestTradeFirst), page, size);
  }

  lots(filter: LotFilter, page?: number, size?: number): Page<Lot> {
    const now = this.clock.now();
    const lots = this.auction.lots(historyStart(now), now);
    const found = lots.filter((lot) => lotMatches(lot, filter));
    return pageOf(found.sort(newestLotFirst), page, size);
  }

  transactions(filter: TransactionFilter, page?: number, size?: number): Page<Transaction> {
    const entries = this.books.entries(this.clock.now());
    const found = entries.filter((entry) => entryMatches(entry, filter));
    const { content, ...envelope } = pageOf(found, page, size);
    return { content: content.map((entry) => transactionOf(this.seed, entry)), ...envelope };
  }

  /** Cancels every open order and tells which these were. */
  cancelAll(): readonly Order[] {
    return this.resting.cancel(this.clock.now());
  }

  exchangeInformation() {
    return exchangeInformation(this.clock.now(), this.weightLimit);
  }
}
