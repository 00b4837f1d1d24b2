import fc from 'fast-check';
import assert from 'node:assert/strict';
import { plain } from '../../../src/base/decimal.ts';
import { mask, withAsciiMinus } from '../../../src/base/display.ts';
import { aDisplay } from '../../support/display.ts';

const long = '123456789012345678901234567890.123456789012345678901234567890';

describe('Display of figures', () => {
  it('writes the digits 0 to 9 and its own sign in every locale', () => {
    for (const locale of ['ar', 'ar-EG', 'fa', 'he', 'bn', 'my'])
      assert.match(aDisplay({ locale }).full('price', '-1234.50'), /^−1\D?234\D50$/, locale);
  });

  it('keeps trailing zeros, the sign of zero, and exponents', () => {
    const { full } = { full: (text: string) => aDisplay().full('price', text) };
    assert.deepEqual(['1.10', '-0', '1E-7', '-1.5e3', '1000.000'].map(full), [
      '1.10',
      '−0',
      '0.0000001',
      '−1,500',
      '1,000.000',
    ]);
  });

  it('agrees with Intl up to a hundred decimals, and is exact beyond', () => {
    const figures = fc
      .tuple(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.stringMatching(/^\d{1,100}$/),
        fc.constantFrom('en', 'de', 'hi', 'fr', 'de-CH', 'es', 'pl'),
      )
      .filter(([whole]) => whole !== 0n);
    fc.assert(
      fc.property(figures, ([whole, fraction, locale]) => {
        const figure = `${whole}.${fraction}`;
        const intl = new Intl.NumberFormat(locale, {
          numberingSystem: 'latn',
          minimumFractionDigits: fraction.length,
        });
        assert.equal(
          aDisplay({ locale }).full('price', figure),
          intl.format(figure as Intl.StringNumericLiteral).replace('-', '−'),
        );
      }),
    );
    assert.equal(aDisplay().full('price', '1E-999'), plain('1E-999'));
    assert.equal(aDisplay().full('price', '1E999').replaceAll(',', ''), plain('1E999'));
  });

  it('cuts digits and marks what was cut, unless that is zeros', () => {
    const shown = (text: string): string => aDisplay().compact('price', text);
    assert.deepEqual(
      [
        '25819.774883225',
        '-2674.1012',
        '1.23456',
        '0.00042154',
        '-1E-9',
        '27760.00',
        '1.50000',
      ].map(shown),
      ['25,819.77…', '−2,674.10…', '1.234…', '0.0004215…', '−0.000000001', '27,760.00', '1.500'],
    );
    assert.deepEqual(['0', '-0', '-0.000', '12345678901234567890'].map(shown), [
      '0',
      '0',
      '0.000',
      '12,345,678,901,234,567,890',
    ]);
    assert.equal(aDisplay({ locale: 'de' }).signedCompact('price', '12345.679'), '+12.345,67…');
  });

  it('writes a signed glance in thousands or millions for a narrow place, and marks what was cut', () => {
    const narrow = (text: string): string => aDisplay().signedNarrow('upl', text);
    assert.deepEqual(
      ['1.2345', '12.345', '-150.00', '9999.999', '-10000', '12399.99', '-150530.53'].map(narrow),
      ['+1.2…', '+12…', '−150', '+9,999…', '−10k', '+12.3k…', '−150k…'],
    );
    assert.deepEqual(['999999.99', '1000000', '-1239999.9', '123456789', '-1.5E12'].map(narrow), [
      '+999k…',
      '+1M',
      '−1.23M…',
      '+123M…',
      '−1,500,000M',
    ]);
    assert.equal(aDisplay({ locale: 'de' }).signedNarrow('upl', '-12399'), '−12,3k…');
  });

  it('writes a percentage at a glance', () => {
    const display = aDisplay({ locale: 'de' });
    assert.deepEqual(
      ['2.987', '43.33', '-143.9', '0.4567', '0', null].map((text) =>
        display.shortPercent('distance', text),
      ),
      ['2,9 %', '43,3 %', '−143,9 %', '0,45 %', '0 %', '—'],
    );
    assert.deepEqual(
      ['43.33', '-2.987', '0.4567'].map((text) => display.signedPercent('distance', text)),
      ['+43 %', '−2 %', '+0,45 %'],
    );
  });

  it('shows an unknown value as a dash', () => {
    for (const hidesMoney of [false, true])
      assert.equal(aDisplay({ hidesMoney }).full('amount', null), '—');
  });

  it('falls back to English and UTC', () => {
    const display = aDisplay({ locale: 'not a locale', timeZone: 'Nowhere' });
    assert.equal(display.full('price', '1234.5'), '1,234.5');
    assert.equal(display.time('1763632800123'), '2025-11-20 10:00:00.123 UTC');
  });
});

describe('Display in privacy', () => {
  const hidden = [
    ...(['equity', 'upl', 'rpnl', 'fee', 'amount', 'filled', 'deposited', 'margin'] as const),
    ...(['locked', 'lockedAsk', 'lockedBid', 'sumSizeAsk', 'sumSizeBid'] as const),
    ...(['lockedBalance', 'notional', 'total'] as const),
  ] as const;

  const figureWriters = [
    ...(['full', 'compact', 'figure', 'narrowSize'] as const),
    ...(['signedFull', 'signedCompact', 'signedFigure', 'signedNarrow'] as const),
  ] as const;
  const percentWriters = ['shortPercent', 'signedPercent'] as const;

  it('shows the same mask for every figure of a hidden field, and no sign', () => {
    const figures = fc.tuple(fc.constantFrom(...hidden), fc.constantFrom('0', '-1', '1E-9', long));
    fc.assert(
      fc.property(figures, ([field, figure]) => {
        for (const digits of ['compact', 'all'] as const) {
          const display = aDisplay({ hidesMoney: true, digits });
          for (const write of figureWriters)
            assert.equal(display[write](field, figure), mask, write);
          for (const write of percentWriters)
            assert.equal(display[write](field, figure), `${mask} %`, write);
        }
      }),
    );
  });

  it('does not mask prices, percentages, leverage and ids, and masks nothing when off', () => {
    const display = aDisplay({ hidesMoney: true });
    for (const field of [
      'markPrice',
      'liquidationPrice',
      'uplPercentage',
      'leverage',
      'orderId',
    ] as const)
      assert.equal(display.full(field, '5.5'), '5.5');
    for (const field of hidden) assert.equal(aDisplay().full(field, '5.5'), '5.5');
  });
});

describe('a shown text in a copy or a file', () => {
  it('has the minus that programs read, and keeps dashes between words', () => {
    const shown = `${aDisplay().full('price', '-1.5')} − gone, ${aDisplay().signedFull('rpnl', '-2')}`;
    assert.equal(withAsciiMinus(shown), '-1.5 − gone, -2');
  });
});

describe('Display of times', () => {
  const text = '1763632800123';

  it('prints the zone identically in every locale', () => {
    for (const locale of ['en', 'de', 'ar'])
      assert.equal(
        aDisplay({ locale, timeZone: 'Europe/Berlin' }).time(text),
        '2025-11-20 11:00:00.123 UTC+1',
      );
    assert.equal(
      aDisplay({ timeZone: 'Asia/Kolkata' }).time(text),
      '2025-11-20 15:30:00.123 UTC+5:30',
    );
    assert.equal(aDisplay({ timeZone: 'Asia/Kolkata' }).timeOfDay(text), '15:30:00 UTC+5:30');
  });

  it('shows both zones and the day in the locale’s words in a hover', () => {
    const display = aDisplay({ locale: 'de', timeZone: 'Pacific/Kiritimati' });
    assert.equal(
      display.timeInBothZones(text),
      'Freitag, 21. November 2025 · 2025-11-21 00:00:00.123 UTC+14 · 2025-11-20 10:00:00.123 UTC',
    );
    assert.equal(
      aDisplay().timeInBothZones(text),
      'Thursday, November 20, 2025 · 2025-11-20 10:00:00.123 UTC',
    );
  });

  it('shows text that is not a timestamp unchanged', () => {
    for (const odd of ['99999999999999999', '999999999999999', '0', 'soon', '-1', ''])
      assert.deepEqual([aDisplay().time(odd), aDisplay().timeInBothZones(odd)], [odd, odd]);
  });

  it('shows seconds, microseconds and nanoseconds with the digits that they have', () => {
    const display = aDisplay({ timeZone: 'Asia/Kolkata' });
    assert.equal(display.time('1763632800'), '2025-11-20 15:30:00 UTC+5:30');
    assert.equal(display.time('1763632800123456'), '2025-11-20 15:30:00.123456 UTC+5:30');
    assert.equal(display.time('1763632800123456789'), '2025-11-20 15:30:00.123456789 UTC+5:30');
  });

  it('shows the date of a time of another day, from midnight in the shown zone on', () => {
    const display = aDisplay({ timeZone: 'Asia/Kolkata' });
    const midnight = Date.parse('2025-11-19T18:30Z');
    const shown = [midnight - 1, midnight].map((at) => display.recentTime(at, Number(text)));
    assert.deepEqual(shown, ['2025-11-19 23:59:59 UTC+5:30', '00:00:00 UTC+5:30']);
  });
});

describe('what an exchange said', () => {
  const hidden = aDisplay({ hidesMoney: true });

  it('hides each figure in privacy mode, in every notation, and no other word', () => {
    for (const figure of [
      '1',
      '-98765432.10',
      '+9,876.5',
      '1 234 567',
      '1e30',
      '−2.5E-7',
      '٣٤',
      '９',
    ])
      assert.equal(hidden.serverText(`You have ${figure} usdt.`), 'You have ••• usdt.', figure);
    assert.equal(hidden.serverText('Invalid symbol.'), 'Invalid symbol.');
  });

  it('contains no digit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.doesNotMatch(hidden.serverText(text), /\p{Nd}/u);
      }),
    );
  });
});
