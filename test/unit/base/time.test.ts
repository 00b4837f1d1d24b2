import fc from 'fast-check';
import assert from 'node:assert/strict';
import { isoTime, isTimestamp, parseTimestampMs } from '../../../src/base/time.ts';

describe('a timestamp', () => {
  it('is seconds, milliseconds, microseconds or nanoseconds by its digits, also with a fraction or an exponent', () => {
    const forms: [text: string, epochMs: number, iso: string][] = [
      ['1763632800', 1763632800000, '2025-11-20T10:00:00Z'],
      ['1763632800123', 1763632800123, '2025-11-20T10:00:00.123Z'],
      ['1763632800123456', 1763632800123, '2025-11-20T10:00:00.123456Z'],
      ['1763632800123456789', 1763632800123, '2025-11-20T10:00:00.123456789Z'],
      ['1763632800123.5', 1763632800123, '2025-11-20T10:00:00.1235Z'],
      ['1763632800123.0', 1763632800123, '2025-11-20T10:00:00.1230Z'],
      ['1.7636328e12', 1763632800000, '2025-11-20T10:00:00.000Z'],
      ['1.7636328E+9', 1763632800000, '2025-11-20T10:00:00Z'],
      ['1763632800.25', 1763632800250, '2025-11-20T10:00:00.25Z'],
    ];
    for (const [text, epochMs, iso] of forms)
      assert.deepEqual(
        [isTimestamp(text), parseTimestampMs(text), isoTime(text)],
        [true, epochMs, iso],
      );
  });

  it('has no other form', () => {
    for (const text of [
      '',
      '0',
      '-1763632800123',
      '176363280012',
      '20261120100000',
      '1.7636328e11',
      '1.7636328e-12',
      '17636328001.23',
      '1763632800123.',
      '.1763632800123e13',
      '1e99',
      '0763632800',
      ' 1763632800',
      '٣٣٣٣٣٣٣٣٣٣',
      '12345678901234567890',
    ])
      assert.deepEqual(
        [isTimestamp(text), parseTimestampMs(text), isoTime(text)],
        [false, undefined, text],
      );
  });

  it('keeps the order of times of any precision', () => {
    const moments = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 });
    const precisions = fc.constantFrom('', '000', '000000', '000000000');
    fc.assert(
      fc.property(moments, moments, precisions, precisions, (a, b, precisionA, precisionB) => {
        const [first = NaN, second = NaN] = [`${a}${precisionA}`, `${b}${precisionB}`].map(
          parseTimestampMs,
        );
        assert.equal(Math.sign(first - second), Math.sign(a - b));
      }),
    );
  });
});
