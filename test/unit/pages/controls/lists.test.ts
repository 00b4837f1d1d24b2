import assert from 'node:assert/strict';
import { neighbour, suggestionsFor } from '../../../../src/pages/controls/lists.ts';

describe('the suggestions of a text field', () => {
  const options = ['abtc', 'btc_usdt', 'eth_usdt'];

  it('contain the typed text in any case; those that start with it come first', () => {
    assert.deepEqual(suggestionsFor(' BTC', options), ['btc_usdt', 'abtc']);
    assert.deepEqual(suggestionsFor('zzz', options), []);
  });

  it('are all options if nothing is typed, but at most a hundred', () => {
    assert.deepEqual(suggestionsFor('', options), options);
    const many = Array.from({ length: 5000 }, (_, index) => `s${index}`);
    assert.equal(suggestionsFor('s', many).length, 100);
  });

  it('are walked through by the arrow keys, around the ends', () => {
    assert.deepEqual([neighbour('ArrowDown', -1, 3), neighbour('ArrowDown', 2, 3)], [0, 0]);
    assert.deepEqual([neighbour('ArrowUp', -1, 3), neighbour('ArrowUp', 0, 3)], [2, 2]);
  });
});
