import assert from 'node:assert/strict';
import { drawnFigure, mostGridDecimals, textWithFigures } from '../../../src/pages/figure.ts';
import { aDisplay } from '../../support/display.ts';

/** What is drawn of a text, with `[` and `]` around what is not. */
function drawn(text: string, settings: Parameters<typeof aDisplay>[0] = {}): string {
  return textWithFigures(text, aDisplay(settings))
    .map((part) => {
      if (typeof part === 'string') return part;
      const [, , shown, rest, unit] = part.values;
      return `${String(shown)}[${String(rest)}]${String(unit)}`;
    })
    .join('');
}

describe('the figures of a text', () => {
  it('are drawn with the digits that matter, also several and with a unit', () => {
    assert.equal(drawn('−2,674.1012 usdt'), '−2,674.10[12] usdt');
    assert.equal(drawn('From 0.00042154 to +1.23456 %.'), 'From 0.0004215[4] to +1.234[56] %.');
    assert.equal(drawn('1.234.567,8912', { locale: 'de' }), '1.234.567,89[12]');
    assert.equal(drawn('1 234 567,8912', { locale: 'fr' }), '1 234 567,89[12]');
  });

  it('are whole if the user wants all digits, or has no more to see', () => {
    assert.equal(drawn('−2,674.1012 usdt', { digits: 'all' }), '−2,674.1012 usdt');
    assert.equal(drawn('Buy 0.5 · 1,234,567.89'), 'Buy 0.5 · 1,234,567.89');
  });

  for (const text of [
    '2026-11-20 10:00:00.123456 UTC',
    'as of 10:00:00.123456',
    'version 1.12345.6, v2.12345',
    'https://host.example/1.23456 and 127.0.0.12345',
    'order 9007199254740993',
    'id_1.23456',
  ])
    it(`are not in “${text}”`, () => assert.equal(drawn(text), text));
});

describe('a figure as it is drawn', () => {
  it('is marked unless only zeros are cut, and has few decimals in a grid', () => {
    const shown = (figure: string): string => drawnFigure(figure, aDisplay(), mostGridDecimals);
    assert.deepEqual(['1.23456 %', '12.34000', '0.00000001234', '0.0000000001'].map(shown), [
      '1.234… %',
      '12.34',
      '0.00000001…',
      '0.0000000001',
    ]);
  });
});
