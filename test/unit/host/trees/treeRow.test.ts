import assert from 'node:assert/strict';
import { riskOf, risksOf } from '../../../support/risks.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { answers, type AssetBalance } from '../../../../src/exchange/records.ts';
import { decode } from '../../../support/decode.ts';
import { anAccount, aPosition, someLocked, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import {
  withStaleAge,
  screenReaderLabel,
  spokenParts,
  type Row,
} from '../../../../src/host/trees/treeRow.ts';
import {
  assetRow,
  leverageRuleRow,
  positionRow,
  lockedOrdersRow,
} from '../../../../src/host/trees/accountRows.ts';

const digits = '123456789012345678901234567890';

/** What a row shows below it that is no field of its record. */
function computed({ fields }: Row) {
  return fields.filter(([, , name]) => name === undefined);
}

describe('the screen reader label of a row', () => {
  it('has every part in full if they fit', () => {
    assert.equal(
      screenReaderLabel(['btc_usdt', 'not near', 'amount 1,234.50'], aDisplay()),
      'btc_usdt, not near, amount 1,234.50',
    );
  });

  it('ends with a whole field and says how many more there are', () => {
    const symbols = Array.from({ length: 12 }, (_, index) => `coin${index}_usdt`);
    const orders = symbols.map((symbol) => someLocked({ symbol, lockedBid: digits }));
    const [asset] = anAccount().assets ?? [];
    const listed = symbols.map((symbol) => ({ symbol, marginAsset: asset?.name ?? '' }) as never);
    const row = assetRow(asset ?? assert.fail(), orders, listed, aDisplay());
    const parts = spokenParts(row);
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

  it('reads a masked figure as a word', () => {
    const display = aDisplay({ hidesMoney: true });
    const row = lockedOrdersRow(someLocked(), display);
    const spoken = screenReaderLabel(spokenParts(row), display);
    assert.equal(spoken, 'btc_usdt, Buy hidden · hidden locked');
    assert.doesNotMatch(spoken, /•/);
  });

  it('has the age of stale figures next to the name', () => {
    const display = aDisplay();
    const row = lockedOrdersRow(someLocked({ symbol: 'eth_usdt' }), display);
    assert.equal(withStaleAge(row, undefined, display), row);
    assert.match(
      screenReaderLabel(spokenParts(withStaleAge(row, 190_000, display)), display),
      /^eth_usdt, stale: 3 min old, /,
    );
  });
});

describe('what locks an asset', () => {
  const locks = (symbol: string) => someLocked({ symbol });
  const listed = (symbol: string, marginAsset = 'usdt') => ({ symbol, marginAsset }) as never;

  /** What the row of usdt says of it. */
  function notes(locked: string, symbols: Parameters<typeof assetRow>[2], ...orders: string[]) {
    const [asset = assert.fail()] = anAccount().assets ?? [];
    const row = assetRow({ ...asset, locked }, orders.map(locks), symbols, aDisplay());
    return computed(row);
  }

  it('is unknown while exchange information is unknown', () => {
    assert.deepEqual(notes('500', undefined, 'btc_usdt'), [['Orders that lock it', 'unknown']]);
  });

  it('is partly unknown if a symbol is not listed', () => {
    assert.deepEqual(notes('500', [], 'btc_usdt'), [['Orders that lock it', 'unknown']]);
    assert.deepEqual(notes('500', [listed('btc_usdt')], 'btc_usdt', 'gone_usdt'), [
      ['Orders in btc_usdt', 'Buy 2 · 100 locked'],
      ['Other orders that lock it', 'unknown'],
    ]);
  });

  it('is empty if nothing is locked, or every order locks another asset', () => {
    assert.deepEqual(notes('0.00', undefined, 'btc_usdt'), []);
    assert.deepEqual(notes('500', undefined), []);
    assert.deepEqual(notes('500', [listed('btc_eur', 'eur')], 'btc_eur'), []);
  });
});

describe('an asset whose orders are not listed', () => {
  it('says that what locks it is unknown, unless nothing does', () => {
    const [asset = assert.fail()] = anAccount().assets ?? [];
    const notes = (locked: string) =>
      computed(assetRow({ ...asset, locked }, null, [], aDisplay()));
    assert.deepEqual(notes('500'), [['Orders that lock it', 'unknown']]);
    assert.deepEqual(notes('0.00'), []);
  });
});

describe('the row of an asset', () => {
  const description = (fields: Partial<AssetBalance>, settings = {}) => {
    const [asset = assert.fail()] = anAccount().assets ?? [];
    return assetRow({ ...asset, ...fields }, [], [], aDisplay(settings)).description;
  };

  it('has what is deposited, and what is locked if that is not 0', () => {
    assert.equal(description({ deposited: '26235.309', locked: '3050' }), '26,235.30… · 3,050');
    assert.equal(description({ deposited: '27760.00', locked: '-0.0' }), '27,760.00');
  });

  it('does not show in privacy mode whether something is locked', () => {
    for (const locked of ['0', '3050'])
      assert.equal(description({ locked }, { hidesMoney: true }), '••• · •••');
  });

  it('lists in its hover only as many orders as there is room for, and counts the others', () => {
    const [asset = assert.fail()] = anAccount().assets ?? [];
    const symbols = Array.from({ length: 9 }, (_, index) => `coin${index}_usdt`);
    const orders = symbols.map((symbol) => someLocked({ symbol }));
    const listed = symbols.map((symbol) => ({ symbol, marginAsset: asset.name }) as never);
    const { hoverRows } = assetRow(asset, orders, listed, aDisplay());
    assert.equal(hoverRows.length, 3 + 6);
    assert.deepEqual(hoverRows.at(-1), ['More below the row', '4']);
  });
});

describe('the row of open orders', () => {
  const sides = {
    sumSizeBid: '0.05129',
    lockedBid: '528.0199',
    sumSizeAsk: '0.02',
    lockedAsk: '7',
  };

  it('has size and locked balance of its only side', () => {
    const row = lockedOrdersRow(
      someLocked({ ...sides, sumSizeAsk: '0', lockedAsk: '0.00' }),
      aDisplay(),
    );
    assert.equal(row.description, 'Buy 0.05129 · 528.01…');
    assert.deepEqual(row.fields, [['Buy', '0.05129 · 528.0199 locked']]);
  });

  it('has the sizes of both sides, with one child each: what they lock is never added', () => {
    const row = lockedOrdersRow(someLocked(sides), aDisplay());
    assert.equal(row.description, 'Buy 0.05129, Sell 0.02');
    assert.deepEqual(row.fields, [
      ['Buy', '0.05129 · 528.0199 locked'],
      ['Sell', '0.02 · 7 locked'],
    ]);
    assert.ok(!JSON.stringify(row).includes('535'));
  });

  it('has every figure in its hover', () => {
    assert.deepEqual(lockedOrdersRow(someLocked(sides), aDisplay()).hoverRows, [
      ['Buy size', '0.05129'],
      ['Locked by buy orders', '528.0199'],
      ['Sell size', '0.02'],
      ['Locked by sell orders', '7'],
    ]);
  });
});

describe('the row of a position', () => {
  /** The rows that an account's answer becomes, its one position written with `from` as `to`. */
  function rowsWith(from: string, to: string) {
    const { value } = decode(answers.accounts, parseJson(wire(anAccount()).replace(from, to)));
    const risks = risksOf(value.positions ?? []);
    return risks.map((risk) => positionRow(risk, aDisplay()));
  }

  for (const [what, from, to] of [
    ['without a liquidation price', '"liquidationPrice":41000,', ''],
    ['without a mark price', '"markPrice":50050,', ''],
    ['whose mark price is null', '"markPrice":50050', '"markPrice":null'],
  ] as const)
    it(`shows a dash if a price is missing: ${what}`, () => {
      const [row] = rowsWith(from, to);
      const missing = from.split('"')[1] ?? '';
      const direction = missing === 'markPrice' ? 'Direction unknown' : 'Long';
      assert.equal(row?.description, `${direction} +12… (+0.5 %) · liq — · size 0.25`);
      const field = row.fields.find(([, , name]) => name === missing);
      assert.equal(field?.[1], '—');
      const names = row.fields.flatMap(([, , name]) => name ?? []);
      assert.deepEqual([...names, 'extra'].sort(), Object.keys(row.record).sort());
      const estimate = missing === 'markPrice' ? '—' : '12,512.5';
      assert.deepEqual(computed(row), [
        ['Distance to liquidation', '— (distance unknown)'],
        ['Notional (est.)', estimate],
      ]);
      const labels = row.hoverRows.map(([label]) => label);
      assert.ok(labels.includes('Liquidation price — distance unknown'));
    });

  for (const [what, liquidationPrice, amount, description] of [
    ['critical', '98.401', '1', 'Long −150… (+0.5 %) · liq 1.5 % · size 1'],
    ['near', '108', '-1', 'Short −150… (+0.5 %) · liq 8 % · size 1'],
    ['not near', '70', '1', 'Long −150… (+0.5 %) · liq 30 % · size 1'],
    ['past its liquidation price', '98', '-1', 'Short −150… (+0.5 %) · liq 2 % past · size 1'],
    ['flat', '98', '0', 'Flat −150… (+0.5 %) · liq — · size 0'],
  ] as const)
    it(`shows direction, size, upl and distance, with an icon for danger only: ${what}`, () => {
      const position = aPosition({ markPrice: '100', liquidationPrice, amount, upl: '-150.539' });
      const risk = riskOf(position);
      const row = positionRow(risk, aDisplay());
      assert.equal(row.description, description);
      const icon = { critical: 'flame', near: 'warning', notNear: 'blank', unknown: 'blank' };
      assert.equal(row.icon.name, icon[risk.band]);
    });

  it('finds its leverage rule, also with trailing zeros', () => {
    const [row] = rowsWith('"leverage":5', '"leverage":5.0');
    const margins = { maintenanceMargin: '2', initialMargin: '3' };
    const rule = { leverage: '5', positionNotional: '1', ...margins, extra: {} };
    const position = row?.record;
    if (!position || !('leverage' in position)) assert.fail();
    const cached = { value: [rule], readAt: 1_700_000_000_000 };
    const limit = (isFresh: boolean) => leverageRuleRow(position, { cached, isFresh }, aDisplay());
    assert.deepEqual(limit(true), ['Limit at 5.0×', '1 · maintenance 2 % · initial 3 %']);
    assert.match(limit(false)[1], / · read at 2023-11-14 22:13:20 UTC$/);
  });
});
