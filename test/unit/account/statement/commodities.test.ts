import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commoditiesOf } from '../../../../src/account/statement/journalNames.ts';

describe('the commodity of an asset', () => {
  for (const [asset, commodity] of [
    ['usdt', 'USDT'],
    ['USDT', 'USDT'],
    ['1inch', 'X1INCH'],
    ['s', 'XS'],
    ['true', 'XTRUE'],
    ['usd.e', 'USD.E'],
    ['bad name!', 'BAD-NAME-00000000'],
    ['币', 'X-'],
    ['', 'X-12AE32CB'],
    ['a'.repeat(40), `${'A'.repeat(14)}-`],
  ] as const)
    it(`${JSON.stringify(asset)} is valid and readable`, () => {
      const name = commoditiesOf([asset]).get(asset) ?? '';
      assert.ok(name.startsWith(commodity.replace(/-[0-9A-F]{8}$/, '')), name);
      assert.match(name, valid);
    });

  it('is another one for each asset, and the same in whatever order they come', () => {
    const assets = [
      'usdt',
      'USDT',
      'Usdt',
      '1inch',
      'x1inch',
      'a b',
      'a-b',
      'a!b',
      '',
      '币',
      '幣',
      '\ud800',
      '\udfff',
    ];
    const named = commoditiesOf(assets);
    assert.equal(new Set(named.values()).size, assets.length);
    assert.deepEqual([...commoditiesOf(assets.toReversed())], [...named]);
    assert.deepEqual([named.get('usdt'), named.get('x1inch')], ['USDT', 'X1INCH']);
  });

  it('is valid whatever an exchange sends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 4 }),
        (assets) => {
          const named = commoditiesOf(assets);
          assert.equal(new Set(named.values()).size, new Set(assets).size);
          for (const name of named.values()) assert.match(name, valid);
        },
      ),
    );
  });
});

const valid = /^(?!(?:TRUE|FALSE|NULL)$)[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/;
