import type { AccountSession } from '../../account/session/accountSession.ts';
import type { ActiveAccount } from '../../account/session/activeAccount.ts';
import { environmentLabel } from '../../account/session/profile.ts';
import type { TableContext } from '../../protocol/table.ts';
import { environmentOfProfile } from '../profiles/profileSettings.ts';
import { untrustedText } from '../text/messageText.ts';

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

  /** A panel's title: what it shows, and whose. */
  titleOf(title: string): string {
    const { profile, environment } = this.current;
    return profile === null ? title : `${title} · ${untrustedText(profile, 40)} · ${environment}`;
  }

  private numberOf(session: AccountSession): number {
    const number = this.sessions.get(session) ?? (this.sessionCount += 1);
    this.sessions.set(session, number);
    return number;
  }
}
