import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import type { Display } from '../../../../src/base/display.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import type { Account } from '../../../../src/exchange/records.ts';
import { headsOf } from '../../../../src/host/trees/accountHead.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, aProfile } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';

type Situation = {
  readonly profile?: Partial<Profile>;
  readonly account?: Partial<Account>;
  readonly isUnread?: boolean;
  readonly staleAgeMs?: number;
  readonly failure?: unknown;
  readonly display?: Display;
};

const down = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'accounts' });
const refused = new ExchangeError({
  kind: 'auth',
  sent: 'yes',
  operation: 'accounts',
  status: 401,
});

const situations: Readonly<Record<string, Situation>> = {
  live: { profile: { environment: 'live' } },
  test: {},
  practice: { profile: { name: 'Practice', environment: 'practice' } },
  'read-only': { profile: { readOnly: true } },
  'not read yet': { isUnread: true },
  'equity below 0': { account: { equity: '-1234.5' } },
  'unknown figures': { account: { equity: null, upl: null } },
  stale: { staleAgeMs: 190_000 },
  'read failed': { failure: down },
  'sign-in refused': { failure: refused },
  private: { display: aDisplay({ hidesMoney: true }) },
};

/** Each line is one row: what it says, how it looks, and what a screen reader says. */
function linesOf(name: string, situation: Situation): readonly string[] {
  const { profile, account, isUnread, staleAgeMs, failure, display = aDisplay() } = situation;
  const readAt = Date.UTC(2026, 10, 20, 10);
  const snapshot = isUnread ? undefined : { account: anAccount(account), readAt };
  const session = {
    profile: aProfile({ name: 'Mine', environment: 'test', ...profile }),
    store: { state: { snapshot, failure } },
    staleness: { staleAgeMs },
    refresher: { nextReadInMs: 22_000 },
  } as unknown as AccountSession;
  return headsOf({ kind: 'open', session }, display).map((head) => {
    const { title, description, icon, isLive = false, spoken, action } = head;
    const look = `${icon.name}${icon.color ? ` ${icon.color}` : ''}${isLive ? ' live' : ''}`;
    return `${name}: [${look}] ${title} | ${description} | ${spoken} | ${action}`;
  });
}

describe('the rows above the positions', () => {
  it('say whose account it is, its equity and profit, what is wrong, and what to do', () => {
    const lines = Object.entries(situations).flatMap((each) => linesOf(...each));
    assertApprovedLines('trees/heads', lines);
  });
});
