import assert from 'node:assert/strict';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { CredentialsRequiredError } from '../../../../src/host/profiles/credentials.ts';
import type { LiveDocument } from '../../../../src/host/webview/documentPanel.ts';
import { assertApproved } from '../../../support/approved.ts';
import {
  anAccount,
  anOrder,
  aPosition,
  aProfile,
  someLocked,
  wire,
} from '../../../support/builders.ts';
import { lastDays } from '../../../../src/base/timeZone.ts';
import { coverageWithGaps } from '../../../support/analysisCoverage.ts';
import type { AnalysisOf, FeeRateUnit } from '../../../../src/ledger/analysis/analysis.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  nothingRead,
  overviewOf,
  overviewOfAccount,
  readOnDemand,
} from '../../../support/overviewUnderTest.ts';
import { blocksOf } from '../../../support/shownDocument.ts';

const hidden = aDisplay({ hidesMoney: true });
const down = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'accounts' });

const cardNamed = (overview: LiveDocument, wanted: string) =>
  blocksOf(overview, 'cards')[0]?.cards.find(({ label }) => label === wanted);
const cardOf = (overview: LiveDocument, label: string): string[] =>
  (cardNamed(overview, label) ?? assert.fail(label)).lines.map(({ text }) => text);
const rowsOf = (overview: LiveDocument) =>
  blocksOf(overview, 'grid')[0]?.rows ?? assert.fail('no grid');
const columnOf = (overview: LiveDocument, field: string): (string | null | undefined)[] => {
  const { columns, rows } = rowsOf(overview);
  const index = columns.findIndex((column) => column.field === field);
  return rows.map((cells) => cells[index]);
};

const asset = { isMargin: true, margin: '1.5', deposited: '3', locked: '0', extra: {} };
const whole = wire(
  anAccount({
    upl: '12.50000000001',
    assets: [
      { ...asset, name: 'usdt' },
      { ...asset, name: 'btc', margin: '0.25', locked: '0.1' },
    ],
    positions: [
      aPosition(),
      aPosition({ symbol: 'eth_usdt', markPrice: '100.0', liquidationPrice: '96' }),
    ],
    orders: [someLocked({ lockedAsk: '7', sumSizeAsk: '0.5' }), someLocked({ symbol: 'b' })],
  }),
);

describe('the account overview', () => {
  it('shows every figure with every digit, per asset and side, the nearest to liquidation first', () => {
    assertApproved('overview/open', overviewOfAccount(whole));
  });

  it('has what today brought', () => {
    const period = lastDays(1, 1_700_000_000_000, hidden.zone);
    const today = {
      ...{ view: 'numbers', period, coverage: coverageWithGaps(period, ['trades'], []) },
      assets: [
        {
          ...{ asset: 'usdt', assetBasis: 'known', grossPl: '2', netPl: '-1' },
          otherFeeAssets: ['bnb'],
        },
      ],
    } as unknown as AnalysisOf<'numbers'>;
    const overview = overviewOfAccount(whole, { today });
    assert.deepEqual(cardOf(overview, 'Today · usdt'), ['Net −1', 'Gross +2', 'Unrealised —']);
    const { notes } = cardNamed(overview, 'Today · usdt') ?? {};
    assert.deepEqual(notes, ['Not in the net: fees in bnb']);
  });

  it('masks what privacy hides', () => {
    assertApproved('overview/hidden', overviewOfAccount(whole, { display: hidden }));
  });

  it('marks stale figures with their age, and keeps them under a failure', () => {
    const stale = overviewOfAccount(whole, { staleAgeMs: 70_000, failure: down });
    assertApproved('overview/stale', stale);
  });

  it('shows what was read on demand, and why something could not be read', () => {
    const rows = { items: [anOrder()], place: 'newest' as const, notes: [], badRecords: [] };
    const tier = { tier: '1', maker: '-0.0001', taker: '0.0004', volume30D: '0', extra: {} };
    const reads = {
      ...nothingRead,
      feeTiers: readOnDemand({ value: [tier], badRecords: [] }),
      orders: readOnDemand(rows),
      trades: { ...nothingRead.trades, state: { isReading: false, failure: down } },
      transactions: { ...nothingRead.transactions, state: { isReading: true } },
    };
    assertApproved('overview/read', overviewOfAccount(whole, { reads }));
  });

  it('has no cancel-all for a read-only profile, and says why', () => {
    const overview = overviewOfAccount(wire(anAccount()), { profile: { readOnly: true } });
    assertApproved('overview/readOnly', overview);
    assert.doesNotMatch(JSON.stringify(overview), /cancelAllOrders/);
  });

  it('says that lists are empty if they are', () => {
    const empty = { positions: [], assets: [], orders: [] };
    assertApproved('overview/empty', overviewOfAccount(wire(anAccount(empty))));
  });

  it('shows what could not be read as unknown, and names the problem', () => {
    const missing = { positions: null, assets: null, orders: null, equity: null, upl: null };
    assertApproved('overview/unreadable', overviewOfAccount(wire(anAccount(missing))));
  });

  it('names the practice account without an environment', () => {
    const profile = { name: 'Practice', environment: 'practice' } as const;
    assertApproved('overview/practice', overviewOfAccount(wire(anAccount()), { profile }));
  });

  it('gives a distance below 0 to a position past its liquidation price, and none to an unknown one', () => {
    const positions = [
      aPosition({ markPrice: '40000' }),
      aPosition({ symbol: 'eth_usdt', liquidationPrice: '0' }),
    ];
    const overview = overviewOfAccount(wire(anAccount({ positions })));
    assert.deepEqual(columnOf(overview, 'distance'), ['-2.5', null]);
  });

  it('names each position apart, also two of the same symbol, mode and direction', () => {
    const positions = [aPosition(), aPosition(), aPosition({ amount: '-1' })];
    const overview = overviewOfAccount(wire(anAccount({ positions })));
    assert.equal(new Set(rowsOf(overview).keys).size, 3);
  });
});

describe('the account overview without figures', () => {
  it('says how to begin if no account is open', () => {
    assertApproved('overview/closed', overviewOf({}));
  });

  it('names the account that opens, that is read, or that could not be opened', () => {
    assertApproved('overview/opening', overviewOf({ state: { kind: 'opening', name: 'Main' } }));
    assertApproved('overview/reading', overviewOfAccount(undefined));
    assertApproved('overview/unread', overviewOfAccount(undefined, { failure: down }));
    const failed = overviewOf({ state: { kind: 'failed', name: 'Main', error: down } });
    assertApproved('overview/failed', failed);
  });

  it('offers to enter credentials that are missing', () => {
    const error = new CredentialsRequiredError(aProfile(), { kind: 'none' });
    const failed = overviewOf({ state: { kind: 'failed', name: 'Main', error } });
    assertApproved('overview/noCredentials', failed);
  });
});

describe('privacy in the account overview', () => {
  it('leaves no figure that it hides, no sign and no colour', () => {
    const secret = '7654321';
    const account = anAccount({
      equity: secret,
      upl: `-${secret}`,
      assets: [{ ...(anAccount().assets?.[0] ?? assert.fail()), margin: secret, locked: secret }],
      positions: [aPosition({ amount: secret, upl: `-${secret}`, lockedBalance: secret })],
      orders: [someLocked({ lockedBid: secret, sumSizeBid: secret })],
    });
    const trade = { rpnl: secret, amount: secret, fee: secret, symbol: 'btc_usdt' };
    const rows = { items: [trade], place: 'newest' as const, notes: [], badRecords: [] };
    const reads = { ...nothingRead, trades: readOnDemand(rows) };
    const overview = overviewOfAccount(wire(account), { display: hidden, reads });
    assert.doesNotMatch(JSON.stringify(overview), /7,?654,?321|"gain"|"loss"/);
    assert.deepEqual(cardOf(overview, 'Unrealised P&L'), ['•••']);
    const shown = overviewOfAccount(wire(account), { reads });
    assert.ok(JSON.stringify(shown).split('7,654,321').length > 10);
  });

  it('does not show which balances are zero', () => {
    const asset = { isMargin: true, margin: '0', deposited: '0', locked: '0', extra: {} };
    const account = anAccount({ assets: [{ ...asset, name: 'usdt' }] });
    assert.deepEqual(cardOf(overviewOfAccount(wire(account)), 'Margin in use'), ['none']);
    const overview = overviewOfAccount(wire(account), { display: hidden });
    assert.deepEqual(cardOf(overview, 'Margin in use'), ['••• usdt']);
  });
});

describe('the fee tier in the account overview', () => {
  const tiers = [
    { tier: '0', maker: '0.0002', taker: '0.0005', volume30D: '0', extra: {} },
    { tier: '1', maker: '-0.00001', taker: '0.0004', volume30D: '100000', extra: {} },
    { tier: '2', maker: '-0.00002', taker: '0.0003', volume30D: '2500000', extra: {} },
  ];
  const withTiers = (tier: string, badRecords: readonly never[] | readonly object[] = []) =>
    overviewOfAccount(wire(anAccount({ feeTierStructure: tier })), {
      reads: { ...nothingRead, feeTiers: readOnDemand({ value: tiers, badRecords } as never) },
    });

  it('has the rates of the tier and the volume of the next one', () => {
    assertApproved('overview/nextTier', withTiers('1'));
    const rates = JSON.stringify(withTiers('0').sections);
    assert.match(rates, /Tier 1 from a 30-day volume of 100,000;/);
    assertApproved('overview/highestTier', withTiers('2'));
    assertApproved('overview/unknownTier', withTiers('9'));
  });

  it('has the rates in percent once their unit is known', () => {
    for (const unit of ['shares', 'percent'] as const) {
      const feeTiers = readOnDemand({ value: tiers, badRecords: [] });
      const reads = { ...nothingRead, feeTiers, rateUnit: readOnDemand<FeeRateUnit>(unit) };
      const account = wire(anAccount({ feeTierStructure: '1' }));
      assertApproved(`overview/ratesIn-${unit}`, overviewOfAccount(account, { reads }));
    }
  });

  it('claims no next tier when one could not be read', () => {
    assertApproved('overview/unreadTier', withTiers('2', [{ path: '$[3]', problem: 'x' }]));
  });
});
