import type { Disposable } from '../base/disposable.ts';
import type {
  ExchangeClient,
  LotQuery,
  OrderQuery,
  TradeQuery,
  TransactionQuery,
} from '../exchange/client.ts';
import type { Decoded, Lot, Order, Page, Trade, Transaction } from '../exchange/records.ts';

type History = 'orders' | 'trades' | 'lots' | 'transactions';

/**
 * Pages of the histories for one reader. Each rejects with ExchangeError, or with an abort: a newer
 * query of a history aborts its older one.
 */
export class Histories implements Disposable {
  private readonly client: ExchangeClient;
  private readonly latest = new Map<History, AbortController>();

  constructor(client: ExchangeClient) {
    this.client = client;
  }

  orders(query: OrderQuery, signal: AbortSignal): Promise<Decoded<Page<Order>>> {
    return this.client.orders(query, this.turn('orders', signal));
  }

  trades(query: TradeQuery, signal: AbortSignal): Promise<Decoded<Page<Trade>>> {
    return this.client.trades(query, this.turn('trades', signal));
  }

  lots(query: LotQuery, signal: AbortSignal): Promise<Decoded<Page<Lot>>> {
    return this.client.lots(query, this.turn('lots', signal));
  }

  transactions(query: TransactionQuery, signal: AbortSignal): Promise<Decoded<Page<Transaction>>> {
    return this.client.transactions(query, this.turn('transactions', signal));
  }

  dispose(): void {
    for (const controller of this.latest.values()) controller.abort();
  }

  private turn(history: History, signal: AbortSignal): AbortSignal {
    this.latest.get(history)?.abort();
    const controller = new AbortController();
    this.latest.set(history, controller);
    return AbortSignal.any([controller.signal, signal]);
  }
}
