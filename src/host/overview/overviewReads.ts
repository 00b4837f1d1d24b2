import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Disposable } from '../../base/disposable.ts';
import { systemClock } from '../../base/time.ts';
import type { Decoded, FeeTier } from '../../exchange/records.ts';
import { ordersTable, tradesTable, transactionsTable } from '../panels/tables/historyTables.ts';
import type { HistoryTable } from '../panels/tableDefinition.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { OnDemandRead } from './onDemandRead.ts';
import type { OnDemandReads } from './overviewContext.ts';
import { readRecentRows, type RecentRows } from './recentRows.ts';

/** What the overview reads when the user asks for it, of one account session at a time. */
export class OverviewReads implements Disposable {
  private readonly feeTiers: OnDemandRead<Decoded<readonly FeeTier[]>>;
  private readonly orders: OnDemandRead<RecentRows>;
  private readonly trades: OnDemandRead<RecentRows>;
  private readonly transactions: OnDemandRead<RecentRows>;

  constructor(display: DisplayState, onChange: () => void) {
    const clock = systemClock;
    this.feeTiers = new OnDemandRead({
      read: ({ client }, signal) => client.feeTiers({ signal }),
      ...{ clock, onChange },
    });
    const recent = (table: HistoryTable): OnDemandRead<RecentRows> =>
      new OnDemandRead({
        read: (session, signal) => readRecentRows(table, session, display.current, signal),
        ...{ clock, onChange },
      });
    this.orders = recent(ordersTable());
    this.trades = recent(tradesTable());
    this.transactions = recent(transactionsTable());
  }

  get states(): OnDemandReads {
    const { feeTiers, orders, trades, transactions } = this;
    return {
      feeTiers: feeTiers.state,
      orders: orders.state,
      trades: trades.state,
      transactions: transactions.state,
    };
  }

  async readFeeTiers(session: AccountSession): Promise<void> {
    await this.feeTiers.start(session);
  }

  async readRecent(session: AccountSession): Promise<void> {
    const { orders, trades, transactions } = this;
    await Promise.all([orders, trades, transactions].map((read) => read.start(session)));
  }

  /** Forgets everything: another account is open. */
  reset(): void {
    for (const read of [this.feeTiers, this.orders, this.trades, this.transactions]) read.reset();
  }

  dispose(): void {
    this.reset();
  }
}
