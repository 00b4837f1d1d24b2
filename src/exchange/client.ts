import { unlessAborted } from '../base/deadline.ts';
import * as read from './decode.ts';
import type { Dialect, QueryPairs } from './dialect/dialect.ts';
import type { DialectBook } from './dialect/dialectBook.ts';
import type { HistoryPage } from './dialect/historyPage.ts';
import { toldInformation } from './dialect/information.ts';
import type { Priority } from './ledger/priority.ts';
import { HistoryReader } from './historyReader.ts';
import type { OperationName } from './operations.ts';
import type { LotQuery, OrderQuery, TradeQuery, TransactionQuery } from './queries.ts';
import type { Reader } from './readers.ts';
import type {
  Account,
  CanceledOrder,
  Decoded,
  ExchangeInformation,
  FeeTier,
  LeverageRule,
  Lot,
  Order,
  Trade,
  Transaction,
} from './records.ts';
import type { Transport } from './transport.ts';
import { understoodBy } from './understand.ts';

const urgentMs = 2000;

/**
 * The exchange, one method per operation of the interface. Each throws ExchangeError, or the
 * signal's reason when aborted, and sends a request when there is weight for it. The first of all is
 * preceded by exchange information, which tells the limits; a read may be sent again as `Transport`
 * says, and a history asked in other ways as `HistoryReader` says; a write is sent once.
 */
export class ExchangeClient {
  private readonly transport: Transport;
  private readonly priority: Priority;
  private readonly histories: HistoryReader;
  /** What is known of how this exchange wants to be asked. */
  readonly book: DialectBook;

  constructor(transport: Transport, book: DialectBook, priority: Priority = 'interactive') {
    this.transport = transport;
    this.book = book;
    this.priority = priority;
    this.histories = new HistoryReader({
      book,
      send: (operation, pairs, reader, signal) => this.ask(operation, pairs, reader, signal),
      sendOnce: (operation, pairs, reader, signal) =>
        this.ask(operation, pairs, reader, signal, true),
      inform: (signal) => this.exchangeInfo(signal),
      serverNow: () => this.serverNow(),
      now: () => transport.now(),
    });
  }

  /** The same exchange, asked with another priority. */
  at(priority: Priority): ExchangeClient {
    return new ExchangeClient(this.transport, this.book, priority);
  }

  /** How the next request is written; answers may change it. */
  get dialect(): Dialect {
    return this.book.dialect;
  }

  /** The exchange's time in epoch milliseconds, as far as its answers show. */
  serverNow(): number {
    return this.transport.serverNow();
  }

  /**
   * Finds out on the lot history what the interface leaves open of pages and dates, for at most 70
   * weight, and remembers it. What cannot be told stays undecided.
   */
  probeDialect(signal?: AbortSignal): Promise<void> {
    return this.histories.probe(signal);
  }

  /** How far the exchange's clock is ahead of ours, as far as its answers show, in milliseconds. */
  get clockAheadMs(): number {
    return this.transport.clockAheadMs;
  }

  /** Section 4.5: balances, positions and what open orders lock. */
  accounts(signal?: AbortSignal): Promise<Decoded<Account>> {
    return this.ask('accounts', [], read.account, signal);
  }

  /** Section 4.1: one page of the order history. */
  orders(query: OrderQuery, signal?: AbortSignal): Promise<HistoryPage<Order>> {
    return this.histories.read({ operation: 'orders', query, reader: read.orderPage, signal });
  }

  /** Section 4.2: one page of the trade history. */
  trades(query: TradeQuery, signal?: AbortSignal): Promise<HistoryPage<Trade>> {
    return this.histories.read({ operation: 'trades', query, reader: read.tradePage, signal });
  }

  /** Section 4.3: one page of the liquidation auction's lots, the venue's, not the account's. */
  lots(query: LotQuery, signal?: AbortSignal): Promise<HistoryPage<Lot>> {
    return this.histories.read({ operation: 'lots', query, reader: read.lotPage, signal });
  }

  /** Section 4.4: one page of the transactions of the spot or the futures account. */
  transactions(query: TransactionQuery, signal?: AbortSignal): Promise<HistoryPage<Transaction>> {
    const { transactionPage: reader } = read;
    return this.histories.read({ operation: 'transactions', query, reader, signal });
  }

  /** Section 4.8: the bounds and margins of each leverage level. */
  leverage(signal?: AbortSignal): Promise<Decoded<readonly LeverageRule[]>> {
    return this.ask('leverage', [], read.leverageRules, signal);
  }

  /** Section 4.9: fee rates by 30-day volume. */
  feeTiers(signal?: AbortSignal): Promise<Decoded<readonly FeeTier[]>> {
    return this.ask('feeTiers', [], read.feeTiers, signal);
  }

  /** Section 4.7: symbols, rate limits and the server's time. */
  async exchangeInfo(signal?: AbortSignal): Promise<Decoded<ExchangeInformation>> {
    const information = await this.ask('exchangeInfo', [], read.exchangeInformation, signal);
    this.transport.ledger.learn(information.value.rateLimits);
    const { clockAheadMs: aheadMs, teller } = this.transport;
    const readAt = this.transport.now();
    const scrub = (text: string): string => teller.text(text);
    this.book.noteInformation(toldInformation(information.value, { aheadMs, readAt, scrub }));
    return information;
  }

  /** Section 4.6: cancels every open order, before all others. It cannot be aborted: half a cancel is unknown. */
  cancelAll(): Promise<Decoded<readonly CanceledOrder[]>> {
    return this.at('cancel').ask('cancelAll', [], read.canceledOrders);
  }

  private async ask<Value>(
    name: OperationName,
    pairs: QueryPairs,
    reader: Reader<Value>,
    signal?: AbortSignal,
    isOnce = false,
  ): Promise<Decoded<Value>> {
    if (name !== 'exchangeInfo' && name !== 'cancelAll') await this.introduce(signal);
    const { priority } = this;
    const understand = understoodBy(name, reader, this.transport.teller);
    return this.transport.send(name, pairs, { priority, signal, isOnce }, understand);
  }

  /**
   * All who come before the limits are known wait for one answer, and none of them can end it for
   * others. A cancel-all waits for it only where no limits were ever told, and not for long.
   */
  private async introduce(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const isUrgent = this.priority === 'cancel';
    const { ledger } = this.transport;
    if (isUrgent && ledger.knowsLimits) return;
    const asked = ledger.introduce(() => this.at('interactive').exchangeInfo());
    await unlessAborted(isUrgent ? this.transport.soon(urgentMs, asked) : asked, signal);
  }
}
