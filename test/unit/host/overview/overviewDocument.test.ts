import assert from 'node:assert/strict';
import { ExchangeError } from '../../../../src/exchange/exchangeError.ts';
import { CredentialsRequiredError } from '../../../../src/host/profiles/credentials.ts';
import type { OverviewDocument } from '../../../../src/protocol/overview.ts';
import { anAccount, aPosition, aProfile, someLocked, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  nothingRead,
  overviewOf,
  overviewOfAccount,
  readOnDemand,
} from '../../../support/overviewUnderTest.ts';

const hidden = aDisplay({ hidesMoney: true });
const down = new ExchangeError({ kind: 'network', sent: 'maybe', operation: 'accounts' });

const cardOf = (overview: OverviewDocument, label: string): string[] =>
  (overview.cards.find((card) => card.label === label) ?? assert.fail(label)).lines.map(
    ({ text }) => text,
  );
const sectionOf = (overview: OverviewDocument, title: string) =>
  overview.sections.find((section) => section.title === title) ?? assert.fail(title);
const gridOf = (overview: OverviewDocument) =>
  sectionOf(overview, 'Positions').grid ?? assert.fail('no grid');
const columnOf = (overview: OverviewDocument, field: string): (string | null | undefined)[] => {
  const { columns, rows } = gridOf(overview);
  const index = columns.findIndex((column) => column.field === field);
  return rows.map((cells) => cells[index]);
};
const cellsOf = (overview: OverviewDocument, title: string): string[][] =>
  sectionOf(overview, title).rows.map((cells) => cells.map(({ text }) => text));
const actionsOf = ({ buttons }: { buttons: readonly { action: string }[] }): string[] =>
  buttons.map(({ action }) => action);

describe('the account overview', () => {
  it('has a card for each figure, every digit of it', () => {
    const overview = overviewOfAccount(wire(anAccount({ upl: '12.50000000001' })));
    assert.deepEqual(cardOf(overview, 'Equity'), ['12,012.5 usdt']);
    assert.deepEqual(cardOf(overview, 'Unrealised P&L'), ['+12.50000000001']);
    assert.deepEqual(cardOf(overview, 'Margin in use'), ['10,000 usdt']);
    assert.deepEqual(cardOf(overview, 'Locked'), ['100 usdt']);
    assert.deepEqual(cardOf(overview, 'Positions in danger'), ['none of 1']);
    assert.equal(overview.age, null);
    assert.deepEqual(overview.problems, []);
  });

  it('lists margin and locked per asset, and adds nothing of two assets', () => {
    const asset = { isMargin: true, margin: '1.5', deposited: '3', locked: '0', extra: {} };
    const assets = [
      { ...asset, name: 'usdt' },
      { ...asset, name: 'btc', margin: '0.25', locked: '0.1' },
    ];
    const overview = overviewOfAccount(wire(anAccount({ assets })));
    assert.deepEqual(cardOf(overview, 'Margin in use'), ['1.5 usdt', '0.25 btc']);
    assert.deepEqual(cardOf(overview, 'Locked'), ['0.1 btc']);
    assert.deepEqual(cardOf(overview, 'Equity'), ['12,012.5']);
  });

  it('names the position closest to liquidation in its card', () => {
    const near = aPosition({ symbol: 'eth_usdt', markPrice: '100', liquidationPrice: '96' });
    const overview = overviewOfAccount(wire(anAccount({ positions: [aPosition(), near] })));
    assert.deepEqual(cardOf(overview, 'Positions in danger'), [
      '1 critical of 2',
      'eth_usdt 4% · critical',
    ]);
  });

  it('has every field of every position for a grid, as the exchange wrote it, nearest to liquidation first', () => {
    const near = aPosition({ symbol: 'eth_usdt', markPrice: '100.0', liquidationPrice: '96' });
    const overview = overviewOfAccount(wire(anAccount({ positions: [aPosition(), near] })));
    assert.deepEqual(
      ['symbol', 'direction', 'distance', 'markPrice'].map((field) => columnOf(overview, field)),
      [
        ['eth_usdt', 'btc_usdt'],
        ['Long', 'Long'],
        ['4', '18.08191808191808191808'],
        ['100.0', '50050'],
      ],
    );
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
    assert.equal(new Set(gridOf(overview).keys).size, 3);
  });

  it('masks the figures of positions that privacy hides', () => {
    const overview = overviewOfAccount(wire(anAccount()), { display: hidden });
    assert.deepEqual(
      ['upl', 'amount', 'notional', 'lockedBalance', 'distance'].map((field) =>
        columnOf(overview, field),
      ),
      [['•••'], ['•••'], ['•••'], ['•••'], ['18.08191808191808191808']],
    );
  });

  it('lists what open orders lock per symbol and side, with one button for all symbols', () => {
    const orders = [someLocked({ lockedAsk: '7', sumSizeAsk: '0.5' }), someLocked({ symbol: 'b' })];
    const overview = overviewOfAccount(wire(anAccount({ orders })));
    assert.deepEqual(cellsOf(overview, 'Open orders by symbol'), [
      ['btc_usdt', 'Buy', '2', '100'],
      ['btc_usdt', 'Sell', '0.5', '7'],
      ['b', 'Buy', '2', '100'],
    ]);
    assert.deepEqual(sectionOf(overview, 'Open orders by symbol').buttons, [
      { action: 'cancelAllOrders', label: 'Cancel All Orders (all symbols)…' },
    ]);
  });

  it('has no cancel-all for a read-only profile, and says why', () => {
    const overview = overviewOfAccount(wire(anAccount()), { profile: { readOnly: true } });
    const orders = sectionOf(overview, 'Open orders by symbol');
    assert.deepEqual(actionsOf(orders), ['editProfile']);
    assert.deepEqual(orders.notes, ['This profile is read-only: it cannot cancel orders.']);
    assert.equal(overview.account?.remark, 'read-only');
    assert.doesNotMatch(JSON.stringify(overview), /cancelAllOrders/);
  });

  it('names the practice account without an environment', () => {
    const profile = { name: 'Practice', environment: 'practice' } as const;
    const { account } = overviewOfAccount(wire(anAccount()), { profile });
    assert.deepEqual([account?.environment, account?.profile], [null, 'Practice']);
  });

  it('says that lists are empty only if they are', () => {
    const notes = (overview: OverviewDocument) =>
      overview.sections.slice(0, 3).map((section) => section.notes.join(' '));
    const empty = { positions: [], assets: [], orders: [] };
    assert.deepEqual(notes(overviewOfAccount(wire(anAccount(empty)))), [
      'No open positions.',
      'No assets.',
      'No open orders.',
    ]);
    const missing = { positions: null, assets: null, orders: null };
    const unknown = overviewOfAccount(wire(anAccount(missing)));
    for (const note of notes(unknown))
      assert.match(note, /^A part of the account could not be read: \$\.\w+ should be a list/);
    assert.deepEqual(cardOf(unknown, 'Margin in use'), ['—']);
    assert.deepEqual(cardOf(unknown, 'Positions in danger'), ['unknown']);
  });

  it('shows a field that could not be read as unknown, and names the problem', () => {
    const overview = overviewOfAccount(wire(anAccount({ equity: null, upl: null })));
    assert.deepEqual(cardOf(overview, 'Equity'), ['— usdt']);
    assert.deepEqual(cardOf(overview, 'Unrealised P&L'), ['—']);
    assert.equal(overview.problems.length, 2);
    assert.match(overview.problems.join(), /\$\.upl should be a number and is null/);
  });

  it('marks stale figures with their age, and keeps them under a failure', () => {
    const overview = overviewOfAccount(wire(anAccount()), { staleAgeMs: 70_000, failure: down });
    assert.equal(overview.age, '70 s old');
    assert.match(overview.time?.text ?? '', /^Stale: 70 s old, as of /);
    assert.match(overview.problems.join(), /^Could not read the account/);
    assert.deepEqual(cardOf(overview, 'Equity'), ['12,012.5 usdt']);
    assert.deepEqual(overview.buttons, [{ action: 'refresh', label: 'Retry' }]);
  });
});

describe('the account overview without figures', () => {
  it('says how to begin if no account is open', () => {
    const overview = overviewOf({});
    assert.match(overview.advice ?? '', /^No account is open\. Try the practice exchange/);
    assert.deepEqual(actionsOf(overview), [
      'tryPractice',
      'addProfile',
      'importProfiles',
      'switchProfile',
    ]);
    assert.deepEqual([overview.cards, overview.sections], [[], []]);
  });

  it('names the account that opens, that is read, or that could not be opened', () => {
    const opening = overviewOf({ state: { kind: 'opening', name: 'Main' } });
    assert.deepEqual([opening.account?.profile, opening.advice], ['Main', 'Opening Main…']);
    const reading = overviewOfAccount(undefined);
    assert.deepEqual([reading.advice, reading.cards.length], ['Reading the account…', 0]);
    const unread = overviewOfAccount(undefined, { failure: down });
    assert.deepEqual([unread.advice, unread.problems.length], [null, 1]);
    const failed = overviewOf({ state: { kind: 'failed', name: 'Main', error: down } });
    assert.deepEqual(actionsOf(failed), ['refresh', 'switchProfile']);
  });

  it('offers to enter credentials that are missing', () => {
    const error = new CredentialsRequiredError(aProfile(), { kind: 'none' });
    const failed = overviewOf({ state: { kind: 'failed', name: 'Main', error } });
    assert.deepEqual(actionsOf(failed), ['setCredentials', 'switchProfile']);
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
    assert.deepEqual(cardOf(overviewOfAccount(wire(account)), 'Locked'), ['none']);
    const overview = overviewOfAccount(wire(account), { display: hidden });
    assert.deepEqual(cardOf(overview, 'Locked'), ['••• usdt']);
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

  it('has unknown rates until they are read, and names the cost', () => {
    const overview = overviewOfAccount(wire(anAccount()));
    assert.deepEqual(cardOf(overview, 'Fee tier'), [
      'Tier 1',
      'discount level 0 · fees in usdt',
      'Maker — · taker —',
      'Next tier: —',
    ]);
    assert.deepEqual(overview.cards.at(-1)?.buttons, [
      { action: 'readFeeTiers', label: 'Read Rates (1 weight)' },
    ]);
  });

  it('has the rates of the tier and the volume of the next one', () => {
    assert.deepEqual(cardOf(withTiers('1'), 'Fee tier').slice(2), [
      'Maker −0.00001 · taker 0.0004',
      'Tier 2 from a 30-day volume of 2,500,000; the API does not give yours',
    ]);
    assert.deepEqual(cardOf(withTiers('2'), 'Fee tier').at(-1), 'Highest tier');
    assert.deepEqual(cardOf(withTiers('9'), 'Fee tier').slice(2), [
      'Maker — · taker —',
      'Next tier: —',
    ]);
  });

  it('claims no next tier when one could not be read', () => {
    const overview = withTiers('2', [{ path: '$[3]', problem: 'x' }]);
    assert.equal(cardOf(overview, 'Fee tier').at(-1), 'Next tier: —');
    assert.match(overview.cards.at(-1)?.notes.join() ?? '', /fee tiers could not be read: x\./);
  });
});
