import * as read from './decode.ts';
import { writeParameters, type Dialect, type ParameterValues } from './dialect/dialect.ts';
import { ExchangeError } from './errors.ts';
import type { Priority } from './ledger/priority.ts';
import { operations, type OperationName } from './operations.ts';
import { decode, DecodeError, type Reader } from './readers.ts';
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
  Page,
  Trade,
  Transaction,
} from './records.ts';
import type { Transport } from './transport.ts';

type Parameters<Name extends OperationName> = ParameterValues<(typeof operations)[Name]>;

/** Section 4.1: every filter of the order history, `page` counted from 0. */
export type OrderQuery = Parameters<'orders'> & { readonly page: number };

/** Section 4.2: every filter of the trade history; `page` is always sent. */
export type TradeQuery = Parameters<'trades'> & { readonly page: number };

/** Section 4.3: every filter of the lot history; `page` is always sent. */
export type LotQuery = Parameters<'lots'> & { readonly page: number };

/** Section 4.4: every filter of the transaction history; the interface types `size` as text. */
export type TransactionQuery = Omit<Parameters<'transactions'>, 'size'> & {
  readonly accountType: AccountType;
  readonly page: number;
  readonly size?: number | undefined;
};

/**
 * The exchange, one method per operation of the interface. Each throws ExchangeError, or the
 * signal's reason when aborted, and sends one request when there is weight for it. The first of all
 * is preceded by exchange information, which tells the limits; a read may be sent again as
 * `Transport` says.
 */
export class ExchangeClient {
  private readonly transport: Transport;
  private readonly dialect: Dialect;
  private readonly priority: Priority;

  constructor(transport: Transport, dialect: Dialect, priority: Priority = 'interactive') {
    this.transport = transport;
    this.dialect = dialect;
    this.priority = priority;
  }

  /** The same exchange, asked with another priority. */
  at(priority: Priority): ExchangeClient {
    return new ExchangeClient(this.transport, this.dialect, priority);
  }

  /** How far the exchange's clock is ahead of ours, as far as its answers show, in milliseconds. */
  get clockAheadMs(): number {
    return this.transport.clockAheadMs;
  }

  /** Section 4.5: balances, positions and what open orders lock. */
  accounts(signal?: AbortSignal): Promise<Decoded<Account>> {
    return this.call('accounts', {}, read.account, signal);
  }

  /** Section 4.1: one page of the order history. */
  orders(query: OrderQuery, signal?: AbortSignal): Promise<Decoded<Page<Order>>> {
    return this.call('orders', query, read.orderPage, signal);
  }

  /** Section 4.2: one page of the trade history. */
  trades(query: TradeQuery, signal?: AbortSignal): Promise<Decoded<Page<Trade>>> {
    return this.call('trades', query, read.tradePage, signal);
  }

  /** Section 4.3: one page of the liquidation auction's lots, the venue's, not the account's. */
  lots(query: LotQuery, signal?: AbortSignal): Promise<Decoded<Page<Lot>>> {
    return this.call('lots', query, read.lotPage, signal);
  }

  /** Section 4.4: one page of the transactions of the spot or the futures account. */
  transactions(query: TransactionQuery, signal?: AbortSignal): Promise<Decoded<Page<Transaction>>> {
    const { size, ...others } = query;
    const values = { ...others, ...(size === undefined ? {} : { size: String(size) }) };
    return this.call('transactions', values, read.transactionPage, signal);
  }

  /** Section 4.8: the bounds and margins of each leverage level. */
  leverage(signal?: AbortSignal): Promise<Decoded<readonly LeverageRule[]>> {
    return this.call('leverage', {}, read.leverageRules, signal);
  }

  /** Section 4.9: fee rates by 30-day volume. */
  feeTiers(signal?: AbortSignal): Promise<Decoded<readonly FeeTier[]>> {
    return this.call('feeTiers', {}, read.feeTiers, signal);
  }

  /** Section 4.7: symbols, rate limits and the server's time. */
  async exchangeInfo(signal?: AbortSignal): Promise<Decoded<ExchangeInformation>> {
    const information = await this.call('exchangeInfo', {}, read.exchangeInformation, signal);
    this.transport.ledger.learn(information.value.rateLimits);
    return information;
  }

  /** Section 4.6: cancels every open order, before all others. It cannot be aborted: half a cancel is unknown. */
  cancelAll(): Promise<Decoded<readonly CanceledOrder[]>> {
    return this.at('cancel').call('cancelAll', {}, read.canceledOrders);
  }

  private async call<Name extends OperationName, Value>(
    name: Name,
    values: Parameters<Name>,
    reader: Reader<Value>,
    signal?: AbortSignal,
  ): Promise<Decoded<Value>> {
    const pairs = writeParameters(operations[name], values, this.dialect);
    if (name !== 'exchangeInfo' && this.priority !== 'cancel') await this.introduce();
    const answer = await this.transport.send(name, pairs, { priority: this.priority, signal });
    try {
      return this.scrubbed(decode(reader, answer));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const detail = this.transport.tellable(error.message);
      throw new ExchangeError({ kind: 'malformed', sent: 'yes', operation: name, detail });
    }
  }

  private introduce(): Promise<void> {
    return this.transport.ledger.introduce(() => this.at('interactive').exchangeInfo());
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
