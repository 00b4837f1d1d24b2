import type { Disposable } from '../base/disposable.ts';
import type { ExchangeClient, OrderQuery } from '../exchange/client.ts';
import type { Decoded, Order, Page } from '../exchange/records.ts';

/** Pages of the histories for one reader: a newer query of a history aborts its older one. */
export class Histories implements Disposable {
  private readonly client: ExchangeClient;
  private latest = new AbortController();

  constructor(client: ExchangeClient) {
    this.client = client;
  }

  /** One page of the order history; rejects with ExchangeError, or with an abort when a newer query came. */
  orders(query: OrderQuery, signal: AbortSignal): Promise<Decoded<Page<Order>>> {
    this.latest.abort();
    this.latest = new AbortController();
    return this.client.orders(query, AbortSignal.any([this.latest.signal, signal]));
  }

  dispose(): void {
    this.latest.abort();
  }
}
