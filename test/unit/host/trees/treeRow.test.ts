import assert from 'node:assert/strict';
import { sortByRisk } from '../../../../src/account/session/positionRisk.ts';
import { parseJson } from '../../../../src/base/exactJson.ts';
import { account } from '../../../../src/exchange/records.ts';
import { decode } from '../../../support/decode.ts';
import { anAccount, someLocked, wire } from '../../../support/builders.ts';
import { aDisplay } from '../../../support/display.ts';
import { withStaleAge, screenReaderLabel } from '../../../../src/host/trees/treeRow.ts';
import { assetRow } from '../../../../src/host/trees/assetRow.ts';
import { leverageRuleField, positionRow } from '../../../../src/host/trees/positionRow.ts';
import { lockedOrdersRow } from '../../../../src/host/trees/lockedOrdersRow.ts';

const digits = '123456789012345678901234567890';

describe('the screen reader label of a row', () => {
  it('has every part in full if they fit', () => {
    assert.equal(
      screenReaderLabel(['btc_usdt', 'calm', 'amount 1,234.50'], aDisplay()),
      'btc_usdt, calm, amount 1,234.50',
    );
  });

  it('ends with a whole field and says how many more there are', () => {
    const symbols = Array.from({ length: 12 }, (_, index) => `coin${index}_usdt`);
    const orders = symbols.map((symbol) => someLocked({ symbol, lockedBid: digits }));
    const [asset] = anAccount().assets ?? [];
    const listed = symbols.map((symbol) => ({ symbol, marginAsset: asset?.name ?? '' }) as never);
    const row = assetRow(asset ?? assert.fail(), orders, listed, aDisplay());
    const label = screenReaderLabel(row.screenReaderParts, aDisplay());
    assert.ok(label.length < 530);
    const [, count] = /, and (\d+) more fields$/.exec(label) ?? [];
    const said = row.screenReaderParts.slice(0, row.screenReaderParts.length - Number(count));
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
    const { screenReaderParts } = lockedOrdersRow(someLocked(), display);
    const spoken = screenReaderLabel(screenReaderParts, display);
    assert.match(spoken, /lockedBid hidden/);
    assert.doesNotMatch(spoken, /•/);
  });

  it('has the age of stale figures next to the name', () => {
    const display = aDisplay();
    const row = lockedOrdersRow(someLocked({ symbol: 'eth_usdt' }), display);
    assert.equal(withStaleAge(row, undefined, display), row);
    assert.match(
      screenReaderLabel(withStaleAge(row, 190_000, display).screenReaderParts, display),
      /^symbol eth_usdt, stale: 3 min old, /,
    );
  });
});

describe('what locks an asset', () => {
  const locks = (symbol: string) => someLocked({ symbol });
  const listed = (symbol: string, marginAsset = 'usdt') => ({ symbol, marginAsset }) as never;

  /** What the row of usdt says of it. */
  function notes(locked: string, symbols: Parameters<typeof assetRow>[2], ...orders: string[]) {
    const [asset = assert.fail()] = anAccount().assets ?? [];
    return assetRow({ ...asset, locked }, orders.map(locks), symbols, aDisplay()).notes;
  }

  it('is unknown while exchange information is unknown', () => {
    assert.deepEqual(notes('500', undefined, 'btc_usdt'), [['orders that lock it', 'unknown']]);
  });

  it('is partly unknown if a symbol is not listed', () => {
    assert.deepEqual(notes('500', [], 'btc_usdt'), [['orders that lock it', 'unknown']]);
    assert.deepEqual(notes('500', [listed('btc_usdt')], 'btc_usdt', 'gone_usdt'), [
      ['orders in btc_usdt', 'Buy 2 · 100 locked'],
      ['other orders that lock it', 'unknown'],
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
    const notes = (locked: string) => assetRow({ ...asset, locked }, null, [], aDisplay()).notes;
    assert.deepEqual(notes('500'), [['orders that lock it', 'unknown']]);
    assert.deepEqual(notes('0.00'), []);
  });
});

describe('the row of a position', () => {
  /** The rows that an account's answer becomes, its one position written with `from` as `to`. */
  function rowsWith(from: string, to: string) {
    const { value } = decode(account, parseJson(wire(anAccount()).replace(from, to)));
    const risks = sortByRisk(value.positions ?? [], { nearPercent: 10, criticalPercent: 5 });
    return risks.map((risk) => positionRow(risk, aDisplay()));
  }

  for (const [what, from, to] of [
    ['without a liquidation price', '"liquidationPrice":41000,', ''],
    ['without a mark price', '"markPrice":50050,', ''],
    ['whose mark price is null', '"markPrice":50050', '"markPrice":null'],
  ] as const)
    it(`shows a dash if a price is missing: ${what}`, () => {
      const [row] = rowsWith(from, to);
      assert.match(row?.description ?? '', /^long 0\.25 · 5× · .* · — % to liquidation$/);
      const missing = from.split('"')[1] ?? '';
      const field = row?.fields.find(([name]) => name === missing);
      assert.deepEqual(field, [missing, '—']);
      assert.equal(row?.fields.length, 10);
      const estimate = missing === 'markPrice' ? '—' : '12,512.5';
      assert.deepEqual(row.notes, [
        ['distance to liquidation', '— % (distance unknown)'],
        ['notional (est.)', `${estimate}, |amount × markPrice|`],
      ]);
    });

  it('finds its leverage rule, also with trailing zeros', () => {
    const [row] = rowsWith('"leverage":5', '"leverage":5.0');
    const margins = { maintenanceMargin: '2', initialMargin: '3' };
    const rule = { leverage: '5', positionNotional: '1', ...margins, extra: {} };
    const position = row?.record;
    if (!position || !('leverage' in position)) assert.fail();
    const rules = { value: [rule], readAt: 0 };
    const [name, limits] = leverageRuleField(position, rules, aDisplay());
    assert.equal(name, 'limits at 5.0×');
    assert.match(limits, /^max notional 1, MMR 2 %, IMR 3 %/);
  });
});
