import * as read from './decode.ts';
import type { Reader } from './decode.ts';
import { writeParameters, type Dialect, type ParameterValues } from './dialect/dialect.ts';
import { ExchangeError } from './errors.ts';
import { operations, type OperationName } from './operations.ts';
import type {
  Account,
  CanceledOrder,
  Decoded,
  ExchangeInformation,
  Order,
  Page,
} from './records.ts';
import type { Transport } from './transport.ts';

type Parameters<Name extends OperationName> = ParameterValues<(typeof operations)[Name]>;

/** Section 4.1: every filter of the order history, `page` counted from 0. */
export type OrderQuery = Parameters<'orders'> & { readonly page: number };

/**
 * The exchange, one method per operation of the interface. Each throws ExchangeError, or the
 * signal's reason when aborted, and sends exactly one request.
 */
export class ExchangeClient {
  private readonly transport: Transport;
  private readonly dialect: Dialect;

  constructor(transport: Transport, dialect: Dialect) {
    this.transport = transport;
    this.dialect = dialect;
  }

  /** Section 4.5: balances, positions and what open orders lock. */
  accounts(signal?: AbortSignal): Promise<Decoded<Account>> {
    return this.call('accounts', {}, read.account, signal);
  }

  /** Section 4.1: one page of the order history. */
  orders(query: OrderQuery, signal?: AbortSignal): Promise<Decoded<Page<Order>>> {
    return this.call('orders', query, read.orderPage, signal);
  }

  /** Section 4.7: symbols, rate limits and the server's time. */
  exchangeInfo(signal?: AbortSignal): Promise<Decoded<ExchangeInformation>> {
    return this.call('exchangeInfo', {}, read.exchangeInformation, signal);
  }

  /** Section 4.6: cancels every open order. It cannot be aborted: half a cancel is unknown. */
  cancelAll(): Promise<Decoded<readonly CanceledOrder[]>> {
    return this.call('cancelAll', {}, read.canceledOrders);
  }

  private async call<Name extends OperationName, Value>(
    name: Name,
    values: Parameters<Name>,
    reader: Reader<Value>,
    signal?: AbortSignal,
  ): Promise<Decoded<Value>> {
    const pairs = writeParameters(operations[name], values, this.dialect);
    const answer = await this.transport.send(name, pairs, signal);
    try {
      return read.decode(reader, answer);
    } catch (cause) {
      if (!(cause instanceof read.DecodeError)) throw cause;
      const failure = { kind: 'malformed', sent: 'yes', operation: name, detail: cause.message };
      throw new ExchangeError(failure as ExchangeError['failure'], { cause });
    }
  }
}
