import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import type { ActiveState } from '../../../../src/account/session/activeAccount.ts';
import type { Environment } from '../../../../src/account/session/profile.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { answers, type Account } from '../../../../src/exchange/records.ts';
import { viewDescription, viewMessage } from '../../../../src/host/trees/accountTree.ts';
import {
  assetsView,
  lockedOrdersView,
  positionsView,
  type RenderContext,
} from '../../../../src/host/trees/accountViews.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, aPosition, aProfile, wire } from '../../../support/builders.ts';
import { decode } from '../../../support/decode.ts';
import { aDisplay } from '../../../support/display.ts';
import { rankPositions } from '../../../support/risks.ts';

const down = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'accounts' });
const zero = { isMargin: true, margin: '0', deposited: '0', locked: '0', extra: {}, name: 'dust' };
const broken = wire(anAccount()).replaceAll(/"(?:amount|lockedBid)":[\d.]+/g, '"amount":"half"');

/** What each of the three views says above its rows. */
function linesOf(name: string, state: ActiveState, context?: RenderContext): readonly string[] {
  return [positionsView(), assetsView(), lockedOrdersView()].map((view) => {
    const rowCount = context ? view.rows(context).length : 0;
    const message = viewMessage(state, view, context, rowCount, aDisplay());
    return `${name}, ${view.list}: ${message ?? '—'}`;
  });
}

function openLines(
  name: string,
  text: string | undefined,
  fields: { environment?: Environment; failure?: unknown; hidesZeroAssets?: boolean } = {},
): readonly string[] {
  const { environment = 'live', failure, hidesZeroAssets = false } = fields;
  const store = new AccountStore();
  if (text !== undefined) {
    const { value, badRecords } = decode(answers.accounts, parseJson(text));
    const times = { asOf: 1, readAt: 1, sentAt: 1, answeredAt: 1 };
    store.replace({ account: value, badRecords, ...times });
  }
  if (failure !== undefined) store.fail(failure);
  const exchangeInformation = { cached: undefined };
  const profile = aProfile({ environment });
  const rateLimiter = { usage: { at: 0 } };
  const parts = { profile, store, exchangeInformation, rateLimiter, staleness: {} };
  const session = parts as unknown as AccountSession;
  const { snapshot } = store.state;
  const risk = { limits: { nearPercent: 10, criticalPercent: 5 }, rankPositions };
  const shown = { session, snapshot, display: aDisplay(), risk, hidesZeroAssets };
  const context = snapshot && (shown as unknown as RenderContext);
  return linesOf(name, { kind: 'open', session }, context);
}

describe('the message of a view', () => {
  const accountOf = (fields: Partial<Account> = {}): string => wire(anAccount(fields));

  it('says why rows are missing, never that a list is empty which was not read, and a failure once', () => {
    assertApprovedLines('trees/messages', [
      ...linesOf('closed', { kind: 'closed' }),
      ...linesOf('opening', { kind: 'opening', name: 'Main' }),
      ...linesOf('not opened', { kind: 'failed', name: 'Main', error: down }),
      ...openLines('not read yet', undefined),
      ...openLines('never read', undefined, { failure: down }),
      ...openLines('read', accountOf()),
      ...openLines('read before, then failed', accountOf(), { failure: down }),
      ...openLines('empty', accountOf({ positions: [], assets: [], orders: [] })),
      ...openLines('lists are missing', accountOf({ positions: null, assets: null, orders: null })),
      ...openLines('a figure is missing', accountOf({ upl: null })),
      ...openLines('a record is broken', broken),
      ...openLines('practice', accountOf(), { environment: 'practice' }),
      ...openLines('zeros hidden', accountOf({ assets: [zero, zero] }), { hidesZeroAssets: true }),
    ]);
  });

  const critical = aPosition({ markPrice: '100', liquidationPrice: '97' });
  const badgeOf = (count: number, environment: Environment, staleAgeMs?: number, locale = 'en') => {
    const positions = Array.from({ length: count }, () => critical);
    const times = { asOf: 1, readAt: 1, sentAt: 1, answeredAt: 1 };
    const account = anAccount({ positions });
    const snapshot = new AccountStore().replace({ account, badRecords: [], ...times });
    const session = { profile: aProfile({ environment }), staleness: { staleAgeMs } };
    const risk = { limits: { nearPercent: 10, criticalPercent: 5.5 }, rankPositions };
    const context = { session, snapshot, display: aDisplay({ locale }), risk };
    return positionsView().badge?.(context as unknown as RenderContext);
  };
  const besides = (readOnly: boolean, staleAgeMs?: number): string => {
    const session = { profile: aProfile({ name: 'Main', readOnly }), staleness: { staleAgeMs } };
    return viewDescription(session as unknown as AccountSession, aDisplay());
  };

  it('stands beside whose account it is, how old its figures are, and how many are critical', () => {
    const badges = Object.entries({
      none: badgeOf(0, 'live'),
      one: badgeOf(1, 'live'),
      stale: badgeOf(2, 'live', 190_000),
      practice: badgeOf(1, 'practice'),
      German: badgeOf(1234, 'live', undefined, 'de'),
    });
    assertApprovedLines('trees/headers', [
      ...badges.map(
        ([name, badge]) => `${name}: ${badge ? `${badge.value} ${badge.tooltip}` : '—'}`,
      ),
      ...[besides(false), besides(true), besides(false, 190_000), besides(true, 190_000)],
    ]);
  });
});
