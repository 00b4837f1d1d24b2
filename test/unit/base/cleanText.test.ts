import assert from 'node:assert/strict';
import { cleanText, fileNamePart } from '../../../src/base/cleanText.ts';

describe('cleanText', () => {
  it('replaces a run of invisible characters with one space', () => {
    assert.equal(cleanText('btc\u202e_\u0000\u001b[31musdt\u200b'), 'btc _ [31musdt');
    assert.equal(cleanText('  naïve ₿ 日本 '), 'naïve ₿ 日本');
  });

  it('escapes invisible characters, except an emoji variation selector', () => {
    const text = 'A\u034fB\u3164C\ufe0f\u034fD\uffa0E\u2800F ⚠\ufe0f';
    const shown = 'A\\u{34f}B\\u{3164}C\\u{fe0f}D\\u{ffa0}E\\u{2800}F ⚠\ufe0f';
    assert.equal(cleanText(text), shown);
  });

  it('ends a text with an ellipsis that is longer than it may be', () => {
    assert.deepEqual(
      ['abc', 'abcd', 'abcde', 'abcdef'].map((text) => cleanText(text, 4)),
      ['abc', 'abcd', 'abc…', 'abc…'],
    );
  });
});

describe('a part of a file name', () => {
  it('has no separator, and neither begins nor ends with a point or a dash', () => {
    for (const [text, part] of [
      ['.hidden', 'hidden'],
      ['../../etc/passwd', 'etc-passwd'],
      ['My account (2)', 'My-account-2'],
      ['a_b.c', 'a_b.c'],
      ['Zürich 東京', 'Zürich-東京'],
      ['...', ''],
    ] as const)
      assert.equal(fileNamePart(text), part);
  });
});
