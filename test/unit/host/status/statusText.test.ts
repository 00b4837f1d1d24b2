import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import { lastDays } from '../../../../src/base/timeZone.ts';
import type { Display } from '../../../../src/base/display.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import type { RateLimitUsage } from '../../../../src/exchange/rateLimit/usage.ts';
import { answers, type Account, type Position } from '../../../../src/exchange/records.ts';
import type { AnalysisOf } from '../../../../src/ledger/analysis/analysis.ts';
import { statusContent } from '../../../../src/host/status/statusItem.ts';
import { coverageWithGaps } from '../../../support/analysisCoverage.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, aPosition, aProfile, someLocked, wire } from '../../../support/builders.ts';
import { decode } from '../../../support/decode.ts';
import { aDisplay } from '../../../support/display.ts';
import { rankPositions } from '../../../support/risks.ts';

type Situation = {
  /** The exchange's answer about the account. */
  readonly answer?: string;
  readonly profile?: Partial<Profile>;
  readonly staleAgeMs?: number;
  readonly failure?: unknown;
  readonly usage?: Partial<RateLimitUsage>;
  readonly display?: Display;
  readonly today?: AnalysisOf<'numbers'>;
};

/** The status bar of a LIVE account. */
function statusOf({ answer, profile, staleAgeMs, failure, ...situation }: Situation) {
  const { value, badRecords } = decode(answers.accounts, parseJson(answer ?? wire(anAccount())));
  const asOf = 1_700_000_000_000;
  const times = { asOf, readAt: asOf, sentAt: asOf, answeredAt: asOf };
  const usage = { at: asOf, used: 5, ownShare: 500, limit: 1000, windowMs: 60_000, waiting: 0 };
  const session = {
    profile: { ...aProfile({ environment: 'live' }), ...profile },
    rateLimiter: { usage: { ...usage, isUnshared: false, ...situation.usage } },
    staleness: { staleAgeMs },
    serverNow: () => asOf,
    exchangeInformation: { cached: undefined },
    store: {
      state: {
        snapshot: new AccountStore().replace({ account: value, badRecords, ...times }),
        failure,
      },
    },
  } as unknown as AccountSession;
  const { display = aDisplay(), today } = situation;
  const state = { kind: 'open', session } as const;
  return statusContent(state, display, { rankPositions }, today) ?? assert.fail();
}

/** Text, what a screen reader says, and the lines of the hover. */
function linesOf(situation: Situation): readonly string[] {
  const { text, level, screenReaderLabel, hover } = statusOf(situation);
  const { heading, rows, time, isStale } = hover;
  return [
    `${text} (${level})`,
    screenReaderLabel,
    heading.filter((part) => part !== '').join(' · '),
    ...rows.map((row) => row.join(': ').replaceAll('\u{a0}', ' ')),
    `${isStale ? 'first' : 'last'}: ${time}`,
  ];
}

const accountWith = (fields: Partial<Account>): string => wire(anAccount(fields));
const calm = aPosition({ symbol: 'eth_usdt' });
const at = (symbol: string, liquidationPrice: string): Position =>
  aPosition({ symbol, markPrice: '100', liquidationPrice });
const [near, critical] = [at('eth_usdt', '91.06'), at('btc_usdt', '97.01')];
const endangered = accountWith({ positions: [near, critical] });

/** An account with one readable position and `count` others, of which each of these figures is broken. */
function withUnreadable(count: number, first = calm, broken = ['amount']): string {
  const others = Array.from({ length: count }, () => aPosition({ amount: '7', markPrice: '8' }));
  return broken.reduce(
    (text, field) => text.replaceAll(new RegExp(`"${field}":[78]\\b`, 'g'), `"${field}":"a lot"`),
    accountWith({ positions: [first, ...others] }),
  );
}

const asset = { ...(anAccount().assets?.[0] ?? assert.fail()), isMargin: true };
const locked = ['a', 'b', 'c', 'd'].map((symbol) => someLocked({ symbol }));
const long = [someLocked({ symbol: 'a', sumSizeBid: '2.123456789' })];
const old = accountWith({ upl: '-1234.5678', equity: '98765.439', positions: [calm] });

const day = lastDays(1, 1_700_000_000_000, aDisplay().zone);
const today = {
  ...{ view: 'numbers', period: day, coverage: coverageWithGaps(day, ['trades'], []) },
  assets: [
    {
      ...{ asset: 'usdt', assetBasis: 'known', grossPl: '50.25', netPl: '-47.75' },
      otherFeeAssets: ['bnb'],
    },
  ],
} as unknown as AnalysisOf<'numbers'>;

const situations: Readonly<Record<string, Situation>> = {
  calm: { answer: accountWith({ positions: [calm] }) },
  today: { today },
  near: { answer: accountWith({ positions: [near, calm] }) },
  critical: { answer: endangered },
  past: { answer: accountWith({ positions: [at('x', '110')] }) },
  hostileSymbol: { answer: accountWith({ positions: [at('$(trash)_usdt', '97.01')] }) },
  test: { answer: endangered, profile: { environment: 'test' } },
  practice: { answer: endangered, profile: { name: 'Practice', environment: 'practice' } },
  private: { answer: endangered, display: aDisplay({ hidesMoney: true }) },
  stale: { answer: old, staleAgeMs: 75_000 },
  staleAndCritical: { answer: endangered, staleAgeMs: 190_000 },
  failed: { answer: old, failure: new Error('gone') },
  readOnly: { answer: old, profile: { readOnly: true } },
  unreadable: { answer: withUnreadable(1) },
  twoUnreadable: { answer: withUnreadable(2) },
  twoFiguresUnreadable: { answer: withUnreadable(1, calm, ['amount', 'markPrice']) },
  unreadableAndCritical: { answer: withUnreadable(1, critical) },
  unreadableOrder: { answer: wire(anAccount()).replace('"lockedBid":100', '"lockedBid":"much"') },
  unknownEquity: { answer: accountWith({ equity: null }) },
  unknownProfit: { answer: accountWith({ upl: null }) },
  unknownFees: { answer: accountWith({ feeTierStructure: null, tradeFeeAsset: null }) },
  noPositionList: { answer: accountWith({ positions: null }) },
  noOtherLists: { answer: accountWith({ orders: null, assets: null }) },
  twoMarginAssets: { answer: accountWith({ assets: [asset, { ...asset, name: 'btc' }] }) },
  perhapsTwoMarginAssets: {
    answer: accountWith({ assets: [asset, { ...asset, name: 'btc', isMargin: null }] }),
  },
  manyOrders: { answer: accountWith({ orders: locked }) },
  longOrder: { answer: accountWith({ orders: long }) },
  noOrders: { answer: accountWith({ orders: [] }) },
  unsharedLimit: { usage: { isUnshared: true } },
  paused: { usage: { waiting: 3, pausedUntil: 1_700_000_000_000 } },
};

describe('the status bar', () => {
  for (const [name, situation] of Object.entries(situations))
    it(`has its approved text, hover and label: ${name}`, () => {
      assertApprovedLines(`status/${name}`, linesOf(situation));
    });

  it('breaks no line of its hover within what one side of an order locks', () => {
    const { hover } = statusOf({ answer: accountWith({ orders: long }) });
    const [, orders] = hover.rows.find(([label]) => label === 'Open orders') ?? [];
    assert.equal(orders, 'a: Buy\u{a0}2.123456789\u{a0}·\u{a0}100\u{a0}locked');
  });
});
