import assert from 'node:assert/strict';
import { cleanText } from '../../../src/base/cleanText.ts';

describe('cleanText', () => {
  it('turns what cannot be seen into one space', () => {
    assert.equal(cleanText('btc\u202e_\u0000\u001b[31musdt\u200b'), 'btc _ [31musdt');
    assert.equal(cleanText('  naïve ₿ 日本 '), 'naïve ₿ 日本');
  });

  it('ends a long text with an ellipsis', () => {
    assert.equal(cleanText('abcdef', 4), 'abc…');
  });
});
