import type { Disposable } from '../base/disposable.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import { isWrittenExactly } from '../exchange/dialect/dates.ts';
import type { HistoryPage } from '../exchange/dialect/historyPage.ts';
import type { Slice } from '../exchange/dialect/slices.ts';
import { ExchangeError } from '../exchange/errors.ts';
import type { WeightLedger } from '../exchange/ledger/weightLedger.ts';
import type { HistoryName } from '../exchange/histories.ts';
import { operations } from '../exchange/operations.ts';
import type { LotQuery, OrderQuery, TradeQuery, TransactionQuery } from '../exchange/queries.ts';
import type { Lot, Order, Trade, Transaction } from '../exchange/records.ts';
import { KeptPlan } from './keptPlan.ts';
import { readSliced, type PanelPage, type SliceQuery } from './slicedPages.ts';

/**
 * Pages of a history for one reader. Each rejects with ExchangeError, with a SentenceError where a
 * period is too long to be asked, or with an abort: a newer query aborts the older one.
 */
export class Histories implements Disposable {
  private readonly client: ExchangeClient;
  private readonly kept: KeptPlan;
  private latest = new AbortController();

  constructor(client: ExchangeClient, ledger: Pick<WeightLedger, 'standing'>) {
    this.client = client;
    this.kept = new KeptPlan(client, ledger);
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
    this.latest.abort();
  }

  /** A refusal from which the bound of a period was learned is no failure: then there are slices. */
  private async page<Asked extends SliceQuery, Item>(
    history: HistoryName,
    query: Asked,
    signal: AbortSignal,
    read: (query: Asked, signal: AbortSignal) => Promise<HistoryPage<Item>>,
  ): Promise<PanelPage<Item>> {
    const ending = this.turn(signal);
    const days = this.client.dialect.maxRangeDays;
    try {
      return await this.planned(history, query, (asked) => read(asked, ending));
    } catch (error) {
      const isLearned = this.client.dialect.maxRangeDays !== days;
      if (!(error instanceof ExchangeError) || !isLearned) throw error;
      return this.planned(history, query, (asked) => read(asked, ending));
    }
  }

  private async planned<Asked extends SliceQuery, Item>(
    history: HistoryName,
    query: Asked,
    read: (query: Asked) => Promise<HistoryPage<Item>>,
  ): Promise<PanelPage<Item>> {
    const { weight } = operations[history];
    const plan = this.kept.for(query, weight);
    const { client } = this;
    const largest = (): number | null => client.dialect.maxPageSize;
    const isExact = (slice: Slice): boolean =>
      isWrittenExactly(slice, client.dialect, client.book.zone);
    if (plan.slices.length > 1)
      return readSliced(plan, query, { weightOfOne: weight, largest, isExact, read });
    const page = await read(query);
    return { ...page, slices: 1, weight, rowsBefore: null, largest: largest() };
  }

  private turn(signal: AbortSignal): AbortSignal {
    this.latest.abort();
    this.latest = new AbortController();
    return AbortSignal.any([this.latest.signal, signal]);
  }
}
