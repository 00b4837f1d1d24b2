import assert from 'node:assert/strict';
import { aDisplay } from '../../support/display.ts';
import { byDanger } from '../../../src/account/risk.ts';
import { account } from '../../../src/exchange/decode.ts';
import { parseJson } from '../../../src/exchange/json.ts';
import { decode } from '../../../src/exchange/readers.ts';
import { anAccount, someLocked, wire } from '../../support/builders.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { agedRow, spokenLabel } = await import('../../../src/host/trees/row.ts');
const { assetRow } = await import('../../../src/host/trees/assetRow.ts');
const { positionRow } = await import('../../../src/host/trees/positionRow.ts');
const { leverageRuleNote } = await import('../../../src/host/trees/leverageRuleNote.ts');
const { lockedRow } = await import('../../../src/host/trees/lockedRow.ts');

const digits = '123456789012345678901234567890';

describe('what a screen reader says of a row', () => {
  it('is every part in full where they are short enough', () => {
    assert.equal(
      spokenLabel(['btc_usdt', 'calm', 'amount 1,234.50'], aDisplay()),
      'btc_usdt, calm, amount 1,234.50',
    );
  });

  it('ends with whole fields and says how many more there are', () => {
    const symbols = Array.from({ length: 12 }, (_, index) => `coin${index}_usdt`);
    const orders = symbols.map((symbol) => someLocked({ symbol, lockedBid: digits }));
    const [asset] = anAccount().assets;
    const listed = symbols.map((symbol) => ({ symbol, marginAsset: asset?.name ?? '' }) as never);
    const row = assetRow(asset ?? assert.fail(), orders, listed, aDisplay());
    const label = spokenLabel(row.spoken, aDisplay());
    assert.ok(label.length < 530);
    const [, count] = /, and (\d+) more fields$/.exec(label) ?? [];
    const said = row.spoken.slice(0, row.spoken.length - Number(count));
    assert.equal(label, `${said.join(', ')}, and ${count} more fields`);
  });

  it('leaves out one that is too long by itself, and says the others', () => {
    assert.equal(
      spokenLabel(['btc_usdt', `marginMode ${'x'.repeat(600)}`, 'amount 2'], aDisplay()),
      'btc_usdt, amount 2, and 1 more field',
    );
  });

  it('says a masked figure as a word', () => {
    const display = aDisplay({ hidesMoney: true });
    const spoken = spokenLabel(lockedRow(someLocked(), display).spoken, display);
    assert.match(spoken, /lockedBid hidden/);
    assert.doesNotMatch(spoken, /•/);
  });

  it('has the age of the figures next to its name where they are stale', () => {
    const display = aDisplay();
    const row = lockedRow(someLocked({ symbol: 'eth_usdt' }), display);
    assert.equal(agedRow(row, undefined, display), row);
    assert.match(
      spokenLabel(agedRow(row, 190_000, display).spoken, display),
      /^symbol eth_usdt, stale: 3 min old, /,
    );
  });
});

describe('what locks an asset', () => {
  const locks = (symbol: string) => someLocked({ symbol });
  const listed = (symbol: string, marginAsset = 'usdt') => ({ symbol, marginAsset }) as never;

  /** What the row of usdt says of it. */
  function notes(locked: string, symbols: Parameters<typeof assetRow>[2], ...orders: string[]) {
    const [asset = assert.fail()] = anAccount().assets;
    return assetRow({ ...asset, locked }, orders.map(locks), symbols, aDisplay()).notes;
  }

  it('is unknown while exchange information is', () => {
    assert.deepEqual(notes('500', undefined, 'btc_usdt'), [['orders that lock it', 'unknown']]);
  });

  it('is unknown where a symbol is not listed, beside what is known', () => {
    assert.deepEqual(notes('500', [], 'btc_usdt'), [['orders that lock it', 'unknown']]);
    assert.deepEqual(notes('500', [listed('btc_usdt')], 'btc_usdt', 'gone_usdt'), [
      ['orders in btc_usdt', 'bids 2 (locked 100)'],
      ['other orders that lock it', 'unknown'],
    ]);
  });

  it('is nothing where nothing is locked, or every order is known to lock another', () => {
    assert.deepEqual(notes('0.00', undefined, 'btc_usdt'), []);
    assert.deepEqual(notes('500', undefined), []);
    assert.deepEqual(notes('500', [listed('btc_eur', 'eur')], 'btc_eur'), []);
  });
});

describe('the row of a position', () => {
  /** The rows that an account's answer becomes, its one position written with `from` as `to`. */
  function rowsWith(from: string, to: string) {
    const { value } = decode(account, parseJson(wire(anAccount()).replace(from, to)));
    const risks = byDanger(value.positions, { nearPercent: 10, criticalPercent: 5 });
    return risks.map((risk) => positionRow(risk, aDisplay()));
  }

  for (const [what, from, to] of [
    ['without a liquidation price', '"liquidationPrice":41000,', ''],
    ['without a mark price', '"markPrice":50050,', ''],
    ['whose mark price is null', '"markPrice":50050', '"markPrice":null'],
  ] as const)
    it(`stays, ${what}, and shows a dash`, () => {
      const [row] = rowsWith(from, to);
      assert.match(row?.description ?? '', /^long 0\.25 · ×5 · .* · — % to liquidation$/);
      const missing = from.split('"')[1] ?? '';
      assert.deepEqual(
        row?.fields.find(([name]) => name === missing),
        [missing, '—'],
      );
      assert.equal(row.fields.length, 10);
      const estimate = missing === 'markPrice' ? '—' : '12,512.5';
      assert.deepEqual(row.notes, [
        ['distance to liquidation', '— % (distance unknown)'],
        ['notional (our estimate)', `${estimate}, |amount × markPrice|`],
      ]);
    });

  it('is found in the leverage rules, whatever zeros stand behind the point', () => {
    const [row] = rowsWith('"leverage":5', '"leverage":5.0');
    const rule = {
      leverage: '5',
      positionNotional: '1',
      maintenanceMargin: '2',
      initialMargin: '3',
    };
    const position = row?.record;
    if (!position || !('leverage' in position)) assert.fail();
    const [name, words] = leverageRuleNote(
      position,
      { value: [{ ...rule, extra: {} }], readAt: 0 },
      aDisplay(),
    );
    assert.equal(name, 'leverage rule of ×5.0');
    assert.match(
      words,
      /^positionNotional 1 \(our estimate now 12,512\.5\), maintenanceMargin 2 %/,
    );
  });
});
