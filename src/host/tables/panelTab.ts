import * as vscode from 'vscode';
import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import type { TableContext, TableFilters, TableName, TableQuery } from '../../protocol/table.ts';
import { panels } from '../shared/contributions.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import { untrustedText } from '../text/messageText.ts';
import type { TableDefinition } from './tableDefinition.ts';

/** Which panel it is; it stays the same while the user changes the filters. */
export type PanelIdentity = {
  readonly table: TableName;
  /** The symbol whose rows a command showed; empty for the table's own panel. */
  readonly scope: string;
  /** The filters of its first rows. */
  readonly filters: TableFilters | undefined;
  /** Its last query, if it was open before a reload. */
  readonly restored?: TableQuery | undefined;
};

/** Of a table's own panel, or of a symbol's. */
export function panelKey({ table, scope }: Pick<PanelIdentity, 'table' | 'scope'>): string {
  return `${table} ${scope}`;
}

/**
 * `Orders · btc_usdt`, or `Transactions · SPOT · usdt`: the table, the account type unless it is FUTURE, and the
 * symbol or asset that its rows have.
 */
export function panelTitle(
  { title, tabTitle = title }: TableDefinition,
  filters: TableFilters | undefined,
): string {
  const { accountType, symbol, asset } = filters ?? {};
  const parts = [accountType === 'SPOT' ? accountType : undefined, symbol ?? asset];
  const texts = parts.filter((part) => typeof part === 'string');
  return [tabTitle, ...texts.map((text) => untrustedText(text, 40))].join(' · ');
}

/**
 * After a reload, VS Code restores a hidden panel only when the user selects its tab, and an extension
 * cannot restore it. A new panel replaces such a tab of the same title.
 */
export function tabsTitled(title: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input, label }) =>
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panels.table) &&
        label === title,
    );
}

/** Whose rows a panel shows. */
export class PanelContext {
  private readonly active: ActiveAccount;
  private readonly sessions = new WeakMap<AccountSession, number>();
  private sessionCount = 0;

  constructor(active: ActiveAccount) {
    this.active = active;
  }

  get current(): TableContext {
    const { state } = this.active;
    switch (state.kind) {
      case 'closed':
        return { profile: null, environment: '', session: 0 };
      case 'opening':
      case 'failed': {
        const environment = environmentLabel({ environment: environmentOfProfile(state.name) });
        return { profile: state.name, environment, session: 0 };
      }
      case 'open': {
        const { profile } = state.session;
        const session = this.numberOf(state.session);
        return { profile: profile.name, environment: environmentLabel(profile), session };
      }
    }
  }

  private numberOf(session: AccountSession): number {
    const number = this.sessions.get(session) ?? (this.sessionCount += 1);
    this.sessions.set(session, number);
    return number;
  }
}
