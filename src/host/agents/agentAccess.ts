import * as vscode from 'vscode';
import { Grants, heartbeatMs, type Grant } from '../../agents/grants.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { UserFacingError } from '../../base/errors.ts';
import { practiceName } from '../profiles/parseProfile.ts';
import { findProfile } from '../profiles/profileSettings.ts';
import type { FeatureContext } from '../feature/context.ts';
import type { AccountLedger } from '../ledger/openLedger.ts';
import type { ProfileLedgers } from '../ledger/profileLedgers.ts';
import { onDidChangeSetting, writeSetting } from '../settings/settings.ts';
import { settingValue } from '../settings/settingValues.ts';
import { setContextKey } from '../shared/contextKey.ts';
import { commands, contextKeys, statusItems } from '../shared/contributions.ts';
import { t } from '../shared/translate.ts';
import { accountLabel } from '../text/messageText.ts';

const setting = 'marginDesk.agents';

export type AgentNeeds = {
  readonly ledger: Pick<AccountLedger, 'current' | 'onDidChange'>;
  readonly profileLedgers: Pick<ProfileLedgers, 'require'>;
  readonly fileOf: (ledger: string) => string;
};

/** What agents may read, as a person allowed it in this or another window. */
export class AgentAccess extends DisposableOwner {
  private readonly context: FeatureContext;
  private readonly needs: AgentNeeds;
  /** Names this window. */
  private readonly window: string = crypto.randomUUID();
  readonly grants: Grants;
  private readonly item = this.disposables.add(
    vscode.window.createStatusBarItem(statusItems.agents, vscode.StatusBarAlignment.Right, 99),
  );
  private readonly didChange = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.didChange.event;
  /** None in a folder that is not trusted. */
  accounts: readonly Grant[] = [];
  /** Whether privacy mode was on the last time. */
  private hidMoney = false;

  constructor(context: FeatureContext, needs: AgentNeeds) {
    super();
    this.context = context;
    this.needs = needs;
    this.grants = new Grants(context.storageFolder('agents'));
    this.item.name = t('Margin Desk Agents');
    this.item.command = commands.revokeAgents;
    const follow = (): void => this.follow();
    const heartbeat = setInterval(follow, heartbeatMs);
    for (const item of [
      onDidChangeSetting([setting, 'marginDesk.profiles'], follow),
      vscode.workspace.onDidGrantWorkspaceTrust(follow),
      context.display.onDidChange(follow),
      needs.ledger.onDidChange(follow),
      { dispose: () => clearInterval(heartbeat) },
      { dispose: () => this.grants.revoke(this.window) },
    ])
      this.disposables.add(item);
    this.follow();
  }

  /** Asks whether agents may read the open account. Rejects with UserFacingError. */
  async allow(): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw new UserFacingError(t('Agents can read an account only in a folder that you trust.'));
    const { account, id } = await this.needs.profileLedgers.require();
    const { profile } = account;
    const detail = t(
      'An agent can read what the ledger has of this account: orders, trades, transactions, balances and positions. It cannot change anything, and has no key. The figures that it reads are sent to the provider of its model.',
    );
    const question = t('Allow agents to read {0}?', accountLabel(profile));
    const { name, environment } = profile;
    const lasts = await askHowLong(question, detail);
    if (lasts === 'notAtAll')
      this.grants.renew((grant) => (grant.account === name ? undefined : grant));
    else if (lasts) {
      await writeSetting(setting, true);
      const { hidesMoney } = this.context.display.latest().settings;
      const amounts = hidesMoney ? 'hidden' : 'shown';
      const ledger = this.needs.fileOf(id);
      this.grants.put({ account: name, environment, ledger, amounts, lasts }, this.window);
    }
    this.follow();
  }

  /** At once, in all windows, and in servers that run. */
  revoke(): void {
    this.grants.revoke();
    this.follow();
  }

  /** Keeps what was allowed as it is now, and ends what no longer is. */
  private follow(): void {
    const { grants, needs, context } = this;
    if (!settingValue(setting)) grants.revoke();
    const { state } = context.active;
    const open = state.kind === 'open' ? state.session.profile.name : undefined;
    const current = needs.ledger.current?.id;
    const { hidesMoney } = context.display.latest().settings;
    // Another window may hide amounts before this one knows.
    const amounts = hidesMoney ? 'hidden' : this.hidMoney ? 'shown' : undefined;
    this.hidMoney = hidesMoney;
    grants.keepAlive(this.window);
    grants.renew((grant) => {
      if (!isSameProfile(grant)) return undefined;
      const isOpen = grant.account === open && current !== undefined;
      // Other credentials may be those of another account.
      if (isOpen && needs.fileOf(current) !== grant.ledger) return undefined;
      return { ...grant, ...(amounts && { amounts }) };
    });
    this.show(vscode.workspace.isTrusted ? grants.read() : []);
  }

  private show(allowed: readonly Grant[]): void {
    if (JSON.stringify(allowed) === JSON.stringify(this.accounts)) return;
    this.accounts = allowed;
    const isAllowed = allowed.length > 0;
    setContextKey(this.context.log, contextKeys.agentsMayRead, isAllowed);
    this.item.text = t('$(eye) Agents');
    const accounts = allowed.map(({ account: name, environment }) =>
      accountLabel({ name, environment }),
    );
    this.item.tooltip = t('Agents can read {0}. Click to revoke.', accounts.join(', '));
    if (isAllowed) this.item.show();
    else this.item.hide();
    this.didChange.fire();
  }
}

/**
 * VS Code focuses the first button that does not close the question: one that allows nothing, so that neither Enter nor
 * Escape does.
 */
async function askHowLong(
  question: string,
  detail: string,
): Promise<Grant['lasts'] | 'notAtAll' | undefined> {
  const none = { title: t('Do Not Allow') };
  const whileWindowIsOpen = { title: t('Allow While This Window Is Open') };
  const always = { title: t('Always') };
  const buttons = [none, whileWindowIsOpen, always, { ...none, isCloseAffordance: true }];
  const options = { modal: true, detail };
  const { showWarningMessage } = vscode.window;
  const chosen = await showWarningMessage<vscode.MessageItem>(question, options, ...buttons);
  if (chosen === always) return 'always';
  if (chosen === none) return 'notAtAll';
  return chosen === whileWindowIsOpen ? 'whileWindowIsOpen' : undefined;
}

/** Another profile may have this name now. */
function isSameProfile({ account, environment }: Grant): boolean {
  if (account === practiceName) return environment === 'practice';
  const entry = findProfile(account);
  return entry?.kind === 'good' && entry.profile.environment === environment;
}
