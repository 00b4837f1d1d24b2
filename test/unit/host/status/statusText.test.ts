import assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/account/session/accountSession.ts';
import { AccountStore } from '../../../../src/account/session/accountStore.ts';
import { rankPositions } from '../../../support/risks.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { answers } from '../../../../src/exchange/records.ts';
import { decode } from '../../../support/decode.ts';
import type { Position } from '../../../../src/exchange/records.ts';
import type { Profile } from '../../../../src/account/session/profile.ts';
import type { Display } from '../../../../src/base/display.ts';
import type { RateLimitUsage } from '../../../../src/exchange/rateLimit/usage.ts';
import { anAccount, aPosition, aProfile, someLocked, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { statusContent } from '../../../../src/host/status/statusItem.ts';

const risk = { rankPositions };

type Situation = {
  readonly profile?: Partial<Profile>;
  readonly staleAgeMs?: number;
  readonly failure?: unknown;
  readonly usage?: Partial<RateLimitUsage>;
  readonly display?: Display;
};

/** The status bar for an account whose response is `text`. */
function statusOf(text: string, situation: Situation = {}) {
  const { value, badRecords } = decode(answers.accounts, parseJson(text));
  const asOf = 1_700_000_000_000;
  const { profile, staleAgeMs, failure, usage, display = aDisplay() } = situation;
  const session = {
    profile: { ...aProfile({ environment: 'live' }), ...profile },
    rateLimiter: {
      usage: {
        at: asOf,
        used: 5,
        ownShare: 500,
        limit: 1000,
        windowMs: 60_000,
        waiting: 0,
        isUnshared: false,
        ...usage,
      },
    },
    staleness: { staleAgeMs },
    store: {
      state: {
        snapshot: new AccountStore().replace({
          account: value,
          badRecords,
          asOf,
          readAt: asOf,
          sentAt: asOf,
          answeredAt: asOf,
        }),
        failure,
      },
    },
  } as unknown as AccountSession;
  const content = statusContent({ kind: 'open', session }, display, risk) ?? assert.fail();
  const row = (wanted: string) => content.hover.rows.find(([label]) => label === wanted)?.[1];
  return { ...content, row, closeToLiquidation: row('Close to liquidation') };
}

const calm = aPosition({ symbol: 'eth_usdt' });
const unreadable = '"amount":"a lot"';
/** An account with one readable position and `count` unreadable ones. */
const withUnreadable = (count: number, first = calm) =>
  wire(
    anAccount({
      positions: [first, ...Array.from({ length: count }, () => aPosition({ amount: '7' }))],
    }),
  ).replaceAll('"amount":7', unreadable);

describe('the status bar', () => {
  it('shows no warning if every position was read and is not near liquidation', () => {
    const { level, closeToLiquidation, screenReaderLabel } = statusOf(withUnreadable(0));
    assert.deepEqual([level, closeToLiquidation], ['none', 'none of 1']);
    assert.doesNotMatch(screenReaderLabel, /liquidation|read/);
  });

  it('warns about a position that could not be read, in hover and label too', () => {
    const { level, closeToLiquidation, screenReaderLabel, text } = statusOf(withUnreadable(1));
    assert.deepEqual([level, closeToLiquidation], ['warning', 'none of 2, 1 could not be read']);
    assert.match(screenReaderLabel, /, close to liquidation: none of 2, 1 could not be read$/);
    assert.equal(text, 'LIVE 12,012.5 +12.5 · 1 unreadable');
    assert.match(
      statusOf(withUnreadable(2)).screenReaderLabel,
      /: none of 3, 2 could not be read$/,
    );
  });

  it('stays an error if another position is critical', () => {
    const critical = aPosition({ markPrice: '100', liquidationPrice: '99' });
    const { level, closeToLiquidation } = statusOf(withUnreadable(1, critical));
    assert.deepEqual(
      [level, closeToLiquidation],
      ['error', '1 critical of 2, 1 could not be read: btc_usdt 1 %'],
    );
  });

  it('does not warn about an unreadable record that is not a position', () => {
    const text = wire(anAccount()).replace('"lockedBid":100', '"lockedBid":"much"');
    assert.deepEqual(
      [statusOf(text).level, statusOf(text).closeToLiquidation],
      ['none', 'none of 1'],
    );
  });

  it('shows an unknown figure as — with a warning, and names its field in the hover', () => {
    for (const [field, label, shown] of [
      ['equity', 'equity', 'LIVE — +12.5'],
      ['upl', 'unrealised P&L', 'LIVE 12,012.5 —'],
    ] as const) {
      const status = statusOf(wire(anAccount({ [field]: null })));
      assert.deepEqual([status.text, status.level], [shown, 'warning']);
      assert.ok(status.screenReaderLabel.includes(`, ${label} —`));
      const problem = `$.${field} should be a number and is null`;
      assert.equal(status.row('Problem'), `A part of the account could not be read: ${problem}.`);
    }
  });

  it('shows unknown fee fields in the hover only', () => {
    const account = anAccount({ feeTierStructure: null, tradeFeeAsset: null });
    const { level, row } = statusOf(wire(account));
    assert.deepEqual([level, row('Fee tier')], ['none', '— · discount 0 · fees in —']);
    assert.equal(row('Problem')?.match(/could not be read/g)?.length, 2);
  });

  it('warns that positions are unknown when they are not listed: none is not claimed', () => {
    const { text, level, closeToLiquidation, screenReaderLabel } = statusOf(
      wire(anAccount({ positions: null })),
    );
    assert.deepEqual([level, closeToLiquidation], ['warning', 'unknown']);
    assert.equal(text, 'LIVE 12,012.5 +12.5 · positions unknown');
    assert.match(screenReaderLabel, /, close to liquidation: unknown$/);
  });

  it('says that open orders are unknown when they are not listed, and shows no unit without assets', () => {
    const { level, row } = statusOf(wire(anAccount({ orders: null, assets: null })));
    const rows = [level, row('Open orders'), row('Equity')];
    assert.deepEqual(rows, ['none', 'unknown', '12,012.5']);
  });

  it('lists what open orders lock in two symbols, and counts the others', () => {
    const orders = ['a', 'b', 'c', 'd'].map((symbol) => someLocked({ symbol }));
    const openOrders = (count: number) =>
      statusOf(wire(anAccount({ orders: orders.slice(0, count) }))).row('Open orders');
    const [a, b] = ['a: Buy 2 · 100 locked', 'b: Buy 2 · 100 locked'];
    assert.deepEqual([0, 1, 2, 4].map(openOrders), [
      'none',
      a,
      `${a}; ${b}`,
      `${a}; ${b} and 2 more`,
    ]);
    const long = someLocked({ symbol: 'a', sumSizeBid: '2.123456789' });
    const hover = statusOf(wire(anAccount({ orders: [long] }))).row('Open orders');
    assert.equal(hover, 'a: Buy 2.123456789 · 100 locked');
  });

  it('says in the hover while the rate-limit file cannot be written, and what waits', () => {
    const weight = (usage: Partial<RateLimitUsage>) =>
      statusOf(withUnreadable(0), { usage }).row('API weight') ?? '';
    assert.equal(weight({}), '5 / 500 (limit 1,000 per 60 s)');
    assert.match(
      weight({ isUnshared: true }),
      / · the rate-limit file .* only cancel-all still works$/,
    );
    assert.match(
      weight({ waiting: 3, pausedUntil: 1_700_000_000_000 }),
      / · 3 waiting · paused by the exchange until 22:13:20 UTC$/,
    );
  });
});

describe('danger in the status bar', () => {
  const near = aPosition({ symbol: 'eth_usdt', markPrice: '100', liquidationPrice: '91.06' });
  const critical = aPosition({ symbol: 'btc_usdt', markPrice: '100', liquidationPrice: '97.01' });
  const accountWith = (...positions: Position[]) => wire(anAccount({ positions }));
  const both = accountWith(near, critical);

  it('is the position closest to liquidation with its distance; an error only if it is critical', () => {
    for (const [text, positions, level] of [
      ['LIVE 12,012.5 +12.5 · $(flame) btc 2.9 %', [near, critical], 'error'],
      ['LIVE 12,012.5 +12.5 · $(warning) eth 8.9 %', [near, calm], 'warning'],
      ['LIVE 12,012.5 +12.5', [calm], 'none'],
    ] as const) {
      const status = statusOf(accountWith(...positions));
      assert.deepEqual([status.text, status.level], [text, level]);
    }
    assert.match(statusOf(both).screenReaderLabel, /, 1 critical, 1 near$/);
  });

  it('says that a mark price is past its liquidation price', () => {
    const past = aPosition({ symbol: 'x', markPrice: '100', liquidationPrice: '110' });
    assert.match(statusOf(accountWith(past)).text, / · \$\(flame\) x 10 % past$/);
  });

  it('is an error on a test system too, and stays inside the view for practice', () => {
    assert.equal(statusOf(both, { profile: { environment: 'test' } }).level, 'error');
    const practice = { name: 'Practice', environment: 'practice' } as const;
    const { text, level, row, hover } = statusOf(both, { profile: practice });
    assert.deepEqual([text, level], ['PRACTICE 12,012.5 +12.5', 'none']);
    assert.equal(row('Close to liquidation'), '1 critical, 1 near of 2: btc_usdt 2.9 %');
    assert.equal(hover.heading[0], 'Practice');
  });

  it('draws no icon that a symbol asks for', () => {
    const hostile = aPosition({ ...critical, symbol: '$(trash)_usdt' });
    assert.match(statusOf(accountWith(hostile)).text, /\$\(flame\) \$ \(trash\) 2\.9 %$/);
  });

  it('stays visible in privacy mode, which hides the figures', () => {
    const { text } = statusOf(both, { display: aDisplay({ hidesMoney: true }) });
    assert.equal(text, 'LIVE ••• ••• · $(flame) btc 2.9 %');
  });

  it('stays visible when the figures are stale', () => {
    const { text, level } = statusOf(both, { staleAgeMs: 75_000 });
    assert.deepEqual([text, level], ['LIVE 12,012.5 · $(flame) btc 2.9 % · 70 s old', 'error']);
  });
});

describe('the status bar of a read-only, stale or unreadable account', () => {
  const text = wire(anAccount({ upl: '-1234.5678', equity: '98765.439', positions: [calm] }));

  it('shows a lock for a read-only profile, with a word for it', () => {
    const status = statusOf(text, { profile: { readOnly: true } });
    assert.equal(status.text, '$(lock) LIVE 98,765.43… −1,234.56…');
    assert.match(status.screenReaderLabel, /^LIVE · Mine, read-only, /);
    assert.deepEqual(status.hover.heading, ['LIVE · Mine', 'read-only']);
  });

  it('shows the age of stale figures, as a warning', () => {
    const { text: shown, level, hover } = statusOf(text, { staleAgeMs: 75_000 });
    assert.deepEqual([shown, level], ['LIVE 98,765.43… · 70 s old', 'warning']);
    assert.ok(hover.isStale);
    assert.equal(hover.time, 'Stale: 70 s old, read 2023-11-14 22:13:20 UTC');
  });

  it('shows when the figures were read if the last read failed, and why in its hover', () => {
    const status = statusOf(text, { failure: new Error('gone') });
    assert.equal(status.text, 'LIVE 98,765.43… −1,234.56… · $(warning) 22:13:20 UTC');
    assert.equal(status.level, 'warning');
    assert.match(status.row('Problem') ?? '', /^Something went wrong in Margin Desk/);
  });
});
