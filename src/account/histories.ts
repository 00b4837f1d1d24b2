import type { Disposable } from '../base/disposable.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import type { HistoryPage } from '../exchange/dialect/historyPage.ts';
import { ExchangeError } from '../exchange/errors.ts';
import { operations } from '../exchange/operations.ts';
import type { LotQuery, OrderQuery, TradeQuery, TransactionQuery } from '../exchange/queries.ts';
import type { Lot, Order, Trade, Transaction } from '../exchange/records.ts';
import { planSlices, readSliced, type PanelPage, type SlicePlan } from './slicedPages.ts';

type History = 'orders' | 'trades' | 'lots' | 'transactions';
type Query = {
  readonly page: number;
  readonly size?: number | undefined;
  readonly dateFrom?: number | undefined;
  readonly dateTo?: number | undefined;
};
type Kept = { readonly of: string; readonly plan: SlicePlan };

/**
 * Pages of the histories for one reader. Each rejects with ExchangeError, with a SentenceError where
 * a period is too long to be asked, or with an abort: a newer query of a history aborts its older one.
 */
export class Histories implements Disposable {
  private readonly client: ExchangeClient;
  private readonly latest = new Map<History, AbortController>();
  private readonly plans = new Map<History, Kept>();

  constructor(client: ExchangeClient) {
    this.client = client;
  }

  orders(query: OrderQuery, signal: AbortSignal): Promise<PanelPage<Order>> {
    const { client } = this;
    return this.page('orders', query, signal, (asked, ending) => client.orders(asked, ending));
  }

  trades(query: TradeQuery, signal: AbortSignal): Promise<PanelPage<Trade>> {
    const { client } = this;
    return this.page('trades', query, signal, (asked, ending) => client.trades(asked, ending));
  }

  lots(query: LotQuery, signal: AbortSignal): Promise<PanelPage<Lot>> {
    const { client } = this;
    return this.page('lots', query, signal, (asked, ending) => client.lots(asked, ending));
  }

  transactions(query: TransactionQuery, signal: AbortSignal): Promise<PanelPage<Transaction>> {
    const { client } = this;
    return this.page('transactions', query, signal, (asked, ending) =>
      client.transactions(asked, ending),
    );
  }

  dispose(): void {
    for (const controller of this.latest.values()) controller.abort();
  }

  /** A refusal from which the bound of a period was learned is no failure: then there are slices. */
  private async page<Asked extends Query, Item>(
    history: History,
    query: Asked,
    signal: AbortSignal,
    read: (query: Asked, signal: AbortSignal) => Promise<HistoryPage<Item>>,
  ): Promise<PanelPage<Item>> {
    const ending = this.turn(history, signal);
    const days = this.client.dialect.maxRangeDays;
    try {
      return await this.planned(history, query, (asked) => read(asked, ending));
    } catch (error) {
      const isLearned = this.client.dialect.maxRangeDays !== days;
      if (!(error instanceof ExchangeError) || !isLearned) throw error;
      return this.planned(history, query, (asked) => read(asked, ending));
    }
  }

  private async planned<Asked extends Query, Item>(
    history: History,
    query: Asked,
    read: (query: Asked) => Promise<HistoryPage<Item>>,
  ): Promise<PanelPage<Item>> {
    const plan = this.plan(history, query);
    const { weight } = operations[history];
    const largest = (): number | null => this.client.dialect.maxPageSize;
    if (plan.slices.length > 1) return readSliced(plan, query, largest, weight, read);
    const page = await read(query);
    return { ...page, slices: 1, weight, rowsBefore: null, largest: largest() };
  }

  /** The first page begins anew; the others of the same query go on with the slices it was cut into. */
  private plan(history: History, { page, ...query }: Query): SlicePlan {
    const of = JSON.stringify([query, this.client.dialect.maxRangeDays]);
    const kept = this.plans.get(history);
    if (page > 0 && kept?.of === of) return kept.plan;
    const plan = planSlices(query, this.client.dialect, this.client.serverNow());
    this.plans.set(history, { of, plan });
    return plan;
  }

  private turn(history: History, signal: AbortSignal): AbortSignal {
    this.latest.get(history)?.abort();
    const controller = new AbortController();
    this.latest.set(history, controller);
    return AbortSignal.any([controller.signal, signal]);
  }
}
