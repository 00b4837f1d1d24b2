import { unlessAborted } from '../base/deadline.ts';
import type { Phrase } from '../base/phrase.ts';
import * as read from './decode.ts';
import type { Dialect, ParameterValues, QueryPairs } from './dialect/dialect.ts';
import type { DialectBook } from './dialect/dialectBook.ts';
import type { HistoryPage } from './dialect/historyPage.ts';
import { toldInformation } from './dialect/information.ts';
import { ExchangeError } from './errors.ts';
import type { JsonValue } from './json.ts';
import type { Priority } from './ledger/priority.ts';
import { HistoryReader } from './historyReader.ts';
import type { operations, OperationName } from './operations.ts';
import { decode, DecodeError, type Reader } from './readers.ts';
import { isRead } from './reads.ts';
import type {
  Account,
  AccountType,
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

type Parameters<Name extends OperationName> = ParameterValues<(typeof operations)[Name]>;

/**
 * A page of a history: `page` is counted from 0. The period is half-open, in epoch milliseconds:
 * `dateTo` is the first moment that is no longer asked for.
 */
type PageOf<Filters> = Omit<Filters, 'size'> & {
  readonly page: number;
  readonly size?: number | undefined;
};

/** Section 4.1: every filter of the order history. */
export type OrderQuery = PageOf<Parameters<'orders'>>;

/** Section 4.2: every filter of the trade history; `page` is always sent. */
export type TradeQuery = PageOf<Parameters<'trades'>>;

/** Section 4.3: every filter of the lot history; `page` is always sent. */
export type LotQuery = PageOf<Parameters<'lots'>>;

/** Section 4.4: every filter of the transaction history; the interface types `size` as text. */
export type TransactionQuery = PageOf<Parameters<'transactions'>> & {
  readonly accountType: AccountType;
};

/**
 * The exchange, one method per operation of the interface. Each throws ExchangeError, or the
 * signal's reason when aborted, and sends one request when there is weight for it. The first of all
 * is preceded by exchange information, which tells the limits; a read may be sent again as
 * `Transport` says.
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
      now: () => this.serverNow() - this.clockAheadMs,
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
    const { clockAheadMs: aheadMs } = this;
    const readAt = this.serverNow() - aheadMs;
    const scrub = (text: string): string => this.transport.tellableText(text);
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
    if (name !== 'exchangeInfo' && this.priority !== 'cancel') await this.introduce(signal);
    const { priority } = this;
    return this.transport.send(name, pairs, { priority, signal, isOnce }, (answer, status) =>
      this.decoded(name, reader, answer, status),
    );
  }

  /** Throws ExchangeError where the answer as a whole is not what the interface promises. */
  private decoded<Value>(
    operation: OperationName,
    reader: Reader<Value>,
    answer: JsonValue,
    status: number,
  ): Decoded<Value> {
    const malformed = (detail: string | Phrase): ExchangeError =>
      new ExchangeError({ kind: 'malformed', sent: 'yes', operation, status, detail });
    // Another success, such as 202, does not say that a write was done.
    if (!isRead(operation) && status !== 200) throw malformed(`HTTP ${status}`);
    try {
      return this.scrubbed(decode(reader, answer));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw malformed(this.transport.tellable(error.problem));
    }
  }

  /** All who come before the limits are known wait for one answer, and none of them can end it for others. */
  private async introduce(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const asked = this.transport.ledger.introduce(() => this.at('interactive').exchangeInfo());
    await unlessAborted(asked, signal);
  }

  /** What is said of bad records quotes the server, which may repeat a key. */
  private scrubbed<Value>({ value, badRecords }: Decoded<Value>): Decoded<Value> {
    return {
      value,
      badRecords: badRecords.map(({ path, problem }) => ({
        path,
        problem: this.transport.tellable(problem),
      })),
    };
  }
}
