import assert from 'node:assert/strict';
import { aDisplay } from '../../support/display.ts';
import { anAccount, someLocked } from '../../support/builders.ts';
import { standInForVscode } from './panelsVscode.ts';

standInForVscode();
const { agedRow, spokenLabel } = await import('../../../src/host/trees/row.ts');
const { assetRow } = await import('../../../src/host/trees/assetRow.ts');
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
