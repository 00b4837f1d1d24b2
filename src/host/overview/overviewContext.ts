import type { AccountSession } from '../../account/session/accountSession.ts';
import type { Snapshot } from '../../account/session/accountStore.ts';
import type { ActiveState } from '../../account/session/activeAccount.ts';
import type { Environment } from '../../account/session/profile.ts';
import type { Display } from '../../base/display.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { RiskAssessment } from '../settings/riskAssessment.ts';
import type { ReconciliationState } from '../reconciliation/accountReconciliation.ts';
import type { Today } from '../analysis/today.ts';
import type { FeeRateUnit } from '../../ledger/analysis/analysis.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { Decoded, FeeTier } from '../../exchange/records.ts';
import type { DisplayState } from '../settings/displayState.ts';
import { historyTables } from '../tables/histories.ts';
import { learnedRateUnit } from '../tables/referenceTables.ts';
import { readRecentRows, type RecentName, type RecentRows } from './recentRows.ts';

/** Everything that the overview shows. */
export type OverviewContext = {
  readonly state: ActiveState;
  readonly display: Display;
  readonly risk: Pick<RiskAssessment, 'rankPositions' | 'limits'>;
  readonly reads: OnDemandReads;
  /** How the user arranged the columns of the positions. */
  readonly layout: ColumnLayout;
  readonly reconciliation: ReconciliationState;
  readonly today: Today['numbers'];
  /** The environment of a profile that is not open. */
  readonly environmentOf: (name: string) => Environment;
};

/** The same of an account that was read. */
export type AccountContext = OverviewContext & {
  readonly session: AccountSession;
  readonly snapshot: Snapshot;
  /** The age of its figures, if they are stale. */
  readonly age: string | null;
};

/** What was read on demand, if anything, and why the newest read failed, if it did. */
type OnDemandState<Value> = {
  readonly isReading: boolean;
  readonly last?: { readonly value: Value; readonly readAt: number };
  readonly failure?: unknown;
};

/** Something of the open account that is read when it is asked for, and not again by itself. */
export class OnDemandRead<Value> {
  private running = new AbortController();
  private current: OnDemandState<Value> = { isReading: false };
  private readonly read: (session: AccountSession, signal: AbortSignal) => Promise<Value>;
  private readonly onChange: () => void;

  constructor(read: OnDemandRead<Value>['read'], onChange: () => void) {
    this.read = read;
    this.onChange = onChange;
  }

  get state(): OnDemandState<Value> {
    return this.current;
  }

  /** Does nothing while it already reads. A failure leaves what was read before. */
  async start(session: AccountSession): Promise<void> {
    if (this.current.isReading) return;
    const { last } = this.current;
    const { signal } = this.running;
    this.set({ isReading: true, ...(last && { last }) });
    try {
      const value = await this.read(session, signal);
      if (!signal.aborted)
        this.set({
          isReading: false,
          last: { value, readAt: Math.floor(session.serverNow()) },
        });
    } catch (failure) {
      if (!signal.aborted) this.set({ isReading: false, ...(last && { last }), failure });
    }
  }

  /** Forgets what was read, and aborts what still reads: another account is open. */
  reset(): void {
    this.running.abort();
    this.running = new AbortController();
    this.current = { isReading: false };
  }

  private set(state: OnDemandState<Value>): void {
    this.current = state;
    this.onChange();
  }
}

type Reading<Value> = Pick<OnDemandRead<Value>, 'state' | 'start' | 'reset'>;

/** What the overview reads beside the account: its rates once, and its last rows when the user asks for them. */
export type OnDemandReads = {
  readonly feeTiers: Reading<Decoded<readonly FeeTier[]>>;
  /** The unit of the rates, as far as the ledger shows it. */
  readonly rateUnit: Reading<FeeRateUnit | null>;
} & Readonly<Record<RecentName, Reading<RecentRows>>>;

export function onDemandReads(
  display: DisplayState,
  ledger: AccountLedger,
  onChange: () => void,
): OnDemandReads {
  const recent = (name: RecentName): Reading<RecentRows> =>
    new OnDemandRead(
      (session, signal) => readRecentRows(historyTables()[name], session, display.current, signal),
      onChange,
    );
  return {
    feeTiers: new OnDemandRead(
      ({ reference }, signal) => reference.list('feeTiers', { signal }),
      onChange,
    ),
    rateUnit: new OnDemandRead(() => learnedRateUnit(ledger), onChange),
    orders: recent('orders'),
    trades: recent('trades'),
    transactions: recent('transactions'),
  };
}
