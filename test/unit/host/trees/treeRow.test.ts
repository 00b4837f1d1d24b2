import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { answers, type AssetBalance, type Position } from '../../../../src/exchange/records.ts';
import {
  assetRow,
  isEmptyAsset,
  leverageRuleRow,
  lockedOrdersRow,
  positionRow,
} from '../../../../src/host/trees/accountRows.ts';
import {
  screenReaderLabel,
  spokenParts,
  withStaleAge,
  type Row,
} from '../../../../src/host/trees/treeRow.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { anAccount, aPosition, someLocked, wire } from '../../../support/builders.ts';
import { decode } from '../../../support/decode.ts';
import { aDisplay } from '../../../support/display.ts';
import { riskOf, risksOf } from '../../../support/risks.ts';

const digits = '123456789012345678901234567890';
const hidden = aDisplay({ hidesMoney: true });
const asset = anAccount().assets?.[0] ?? assert.fail();

/** What a row shows: its line, what is below it, and its hover. */
function linesOf({ label, description, icon, spoken, ...row }: Row): string[] {
  const { fields, hoverHeading, hoverRows } = row;
  return [
    `[${icon.name}${icon.color ? ` ${icon.color}` : ''}] ${label} | ${description}`,
    `spoken ${[label, ...spoken].join(', ')}`,
    ...fields.map(([name, value, field]) => `  ${name}: ${value}${field ? ` (${field})` : ''}`),
    `hover ${hoverHeading}`,
    ...hoverRows.map((row) => `  ${row.join(': ')}`),
  ];
}

function approve(name: string, rows: Readonly<Record<string, Row>>): void {
  const lines = Object.entries(rows).flatMap(([state, row]) => [`# ${state}`, ...linesOf(row)]);
  assertApprovedLines(`trees/${name}`, lines);
}

describe('the row of a position', () => {
  const at = (liquidationPrice: string, amount: string): Row =>
    positionRow(
      riskOf(aPosition({ markPrice: '100', liquidationPrice, amount, upl: '-150.539' })),
      aDisplay(),
    );
  /** As the exchange sends it, with `from` as `to`. */
  function sent(from: string, to: string): Row {
    const { value } = decode(answers.accounts, parseJson(wire(anAccount()).replace(from, to)));
    const [risk = assert.fail()] = risksOf(value.positions ?? []);
    return positionRow(risk, aDisplay());
  }
  const precise: Partial<Position> = {
    ...{ amount: `-${digits}.${digits}`, leverage: '50', uplPercentage: '-12.3400' },
    ...{ markPrice: '100', liquidationPrice: '102.9000000000000000000000000010' },
    ...{ upl: '-0.000000000000000000000001', basePrice: '99.99999999999999999999' },
    lockedBalance: '987654321987654321.000000000000000001',
  };

  it('has direction, profit, distance and size, an icon for danger only, and every digit below', () => {
    approve('positions', {
      critical: at('98.401', '1'),
      near: at('108', '-1'),
      'not near': at('70', '1'),
      past: at('98', '-1'),
      flat: at('98', '0'),
      precise: positionRow(riskOf(aPosition(precise)), aDisplay()),
      private: positionRow(riskOf(aPosition()), hidden),
      'without ROE': positionRow(riskOf(aPosition({ uplPercentage: null })), aDisplay()),
      'without a liquidation price': sent('"liquidationPrice":41000,', ''),
      'without a mark price': sent('"markPrice":50050,', ''),
      'with a mark price of null': sent('"markPrice":50050', '"markPrice":null'),
    });
  });

  it('has each field of its record once', () => {
    const { fields, record } = at('70', '1');
    const names = fields.flatMap(([, , name]) => name ?? []);
    assert.deepEqual([...names, 'extra'].sort(), Object.keys(record).sort());
  });

  it('finds its leverage rule, also with trailing zeros', () => {
    const margins = { maintenanceMargin: '2', initialMargin: '3' };
    const rule = { leverage: '5', positionNotional: '1', ...margins, extra: {} };
    const cached = { value: [rule], readAt: 1_700_000_000_000 };
    const limit = (leverage: string, isFresh = true) =>
      leverageRuleRow(aPosition({ leverage }), { cached, isFresh }, aDisplay());
    assert.deepEqual(limit('5.0'), ['Limit at 5.0×', '1 · maintenance 2 % · initial 3 %']);
    assert.match(limit('5', false)[1], / · read at 2023-11-14 22:13:20 UTC$/);
    assert.deepEqual(limit('7'), ['Limit at 7×', 'none listed']);
    const unread = { cached: undefined, isFresh: false };
    assert.equal(leverageRuleRow(aPosition(), unread, aDisplay())[1], 'unknown');
  });
});

describe('the row of an asset', () => {
  const listed = (symbol: string, marginAsset = asset.name) => ({ symbol, marginAsset }) as never;
  const row = (
    locked: string,
    symbols: Parameters<typeof assetRow>[2],
    orders: readonly string[] | null,
    display = aDisplay(),
  ): Row =>
    assetRow(
      { ...asset, deposited: '26235.309', locked },
      orders?.map((symbol) => someLocked({ symbol })) ?? null,
      symbols,
      display,
    );
  const many = Array.from({ length: 9 }, (_none, index) => `coin${index}_usdt`);
  const all = many.map((each) => listed(each));

  it('has what is deposited and locked, and which orders lock it as far as that is known', () => {
    approve('assets', {
      'nothing locked': row('-0.0', undefined, ['btc_usdt']),
      'no order is listed': row('500', undefined, []),
      'orders are not listed': row('500', [], null),
      'orders are not listed, nothing locked': row('0.00', [], null),
      'symbols are not known': row('500', undefined, ['btc_usdt']),
      'one of two symbols is known': row('500', [listed('btc_usdt')], ['btc_usdt', 'gone_usdt']),
      'another asset is locked': row('500', [listed('btc_eur', 'eur')], ['btc_eur']),
      'as many orders as a hover has room for': row('500', all, many.slice(0, 6)),
      'more orders than a hover has room for': row('500', all, many),
      'perhaps a margin asset': assetRow({ ...asset, isMargin: null }, [], [], aDisplay()),
      'private, nothing locked': row('0', [], [], hidden),
      private: row('3050', [], [], hidden),
    });
  });

  it('is hidden as one at zero only if each of its figures is known to be zero', () => {
    const zero = { ...asset, deposited: '0.00', locked: '-0', margin: '0' };
    assert.ok(isEmptyAsset(zero));
    const figures: readonly (keyof AssetBalance)[] = ['deposited', 'locked', 'margin'];
    for (const figure of figures)
      for (const value of [null, '0.0000000001', '-1'])
        assert.ok(!isEmptyAsset({ ...zero, [figure]: value }), `${figure} ${value}`);
  });
});

describe('the row of open orders', () => {
  const buy = { sumSizeBid: '0.05129', lockedBid: '528.0199' };

  it('has the sides on which something is locked: what they lock is never added', () => {
    const both = someLocked({ ...buy, sumSizeAsk: '0.02', lockedAsk: '7' });
    approve('orders', {
      'one side': lockedOrdersRow(
        someLocked({ ...buy, sumSizeAsk: '0', lockedAsk: '0.00' }),
        aDisplay(),
      ),
      'both sides': lockedOrdersRow(both, aDisplay()),
      'a size of which the balance is 0': lockedOrdersRow(
        someLocked({ ...buy, lockedBid: '0', sumSizeAsk: '0', lockedAsk: '0' }),
        aDisplay(),
      ),
      'neither side': lockedOrdersRow(
        someLocked({ sumSizeBid: '0', lockedBid: '0', sumSizeAsk: '0', lockedAsk: '0' }),
        aDisplay(),
      ),
      private: lockedOrdersRow(both, hidden),
    });
  });
});

describe('the screen reader label of a row', () => {
  it('ends with a whole field and says how many more there are', () => {
    const parts = [
      'btc_usdt',
      ...Array.from({ length: 20 }, (_none, at) => `field${at} ${digits}`),
    ];
    const label = screenReaderLabel(parts, aDisplay());
    assert.ok(label.length < 530);
    const [, count] = /, and (\d+) more fields$/.exec(label) ?? [];
    const said = parts.slice(0, parts.length - Number(count));
    assert.equal(label, `${said.join(', ')}, and ${count} more fields`);
  });

  it('omits a field that is too long, and has the others', () => {
    assert.equal(
      screenReaderLabel(['btc_usdt', `marginMode ${'x'.repeat(600)}`, 'amount 2'], aDisplay()),
      'btc_usdt, amount 2, and 1 more field',
    );
  });

  it('reads a masked figure as a word, and the age of stale figures next to the name', () => {
    const row = positionRow(riskOf(aPosition()), hidden);
    assert.equal(withStaleAge(row, undefined, hidden), row);
    assert.match(
      screenReaderLabel(spokenParts(withStaleAge(row, 190_000, hidden)), hidden),
      /^btc_usdt, stale: 3 min old, not near liquidation, Long, Unrealised P&L hidden, ROE 0/,
    );
  });
});
