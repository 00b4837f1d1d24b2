import { tradingStateKey } from '../../account/session/accountStore.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import type { TableName } from '../../protocol/table.ts';

/** The tables whose rows change with the account's orders and positions. */
const tradingTables: readonly TableName[] = ['orders', 'trades'];

/** Whether orders or positions have changed since a table's rows were requested. */
export class TradingChange {
  private readonly active: ActiveAccount;
  private readonly table: TableName;
  /** Undefined once a change was taken. */
  private baseline: { readonly state: string | undefined } | undefined;

  constructor(active: ActiveAccount, table: TableName) {
    this.active = active;
    this.table = table;
  }

  /** Undefined if this is not known of the account, or if this table does not depend on trading. */
  get state(): string | undefined {
    const { state } = this.active;
    const snapshot = state.kind === 'open' ? state.session.store.state.snapshot : undefined;
    return snapshot && tradingTables.includes(this.table) ? tradingStateKey(snapshot) : undefined;
  }

  /** The state when the rows were requested; if that is unknown, the first one known after that counts. */
  startAt(state: string | undefined): void {
    this.baseline = { state };
  }

  /** Whether there is a change that was not taken yet. */
  take(): boolean {
    const { baseline, state } = this;
    if (!baseline || state === undefined || state === baseline.state) return false;
    const isFirst = baseline.state === undefined;
    this.baseline = isFirst ? { state } : undefined;
    return !isFirst;
  }
}
