import assert from 'node:assert/strict';
import { suggestionsFor } from '../../../src/pages/table/suggestions.ts';

describe('the suggestions of a text field', () => {
  const options = ['abtc', 'btc_usdt', 'eth_usdt'];

  it('hold what was typed, in any case, those that begin with it first', () => {
    assert.deepEqual(suggestionsFor(' BTC', options), ['btc_usdt', 'abtc']);
    assert.deepEqual(suggestionsFor('zzz', options), []);
  });

  it('are all for nothing typed, and never more than a hundred', () => {
    assert.deepEqual(suggestionsFor('', options), options);
    const many = Array.from({ length: 5000 }, (_, index) => `s${index}`);
    assert.equal(suggestionsFor('s', many).length, 100);
  });
});
