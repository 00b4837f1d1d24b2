import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hourMs } from '../../../../src/base/time.ts';
import { TimeZone } from '../../../../src/base/timeZone.ts';
import { timeTicks, valueTicks } from '../../../../src/pages/chart/chartScales.ts';

const texts = (min: number, max: number, count = 5): string[] =>
  valueTicks(min, max, count).map(({ text }) => text);

describe('the value axis', () => {
  it('has round values around the figures', () => {
    assert.deepEqual(texts(-1162, 698), ['-1500', '-1000', '-500', '0', '500', '1000']);
    assert.deepEqual(texts(0, 0.00012, 4), ['0', '0.00005', '0.0001', '0.00015']);
  });

  it('has a length even if all figures are one', () => {
    assert.deepEqual(texts(0, 0, 2), ['0', '0.5']);
    assert.deepEqual(texts(5, 5, 2), ['5', '10']);
  });

  it('encloses all figures with a bounded number of exact values', () => {
    const figure = fc
      .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -18, max: 9 }))
      .map(([digits, exponent]) => digits * 10 ** exponent);
    fc.assert(
      fc.property(figure, figure, fc.integer({ min: 2, max: 12 }), (one, other, count) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const ticks = valueTicks(min, max, count);
        const slack = (max - min) * 1e-6;
        assert.ok((ticks[0]?.value ?? Infinity) <= min + slack);
        assert.ok((ticks.at(-1)?.value ?? -Infinity) >= max - slack);
        assert.ok(ticks.length <= count + 3);
        for (const { value, text } of ticks) assert.equal(value, Number(text));
      }),
    );
  });
});

describe('the time axis', () => {
  const labels = (from: string, to: string, count: number, zone = 'UTC'): string[] =>
    timeTicks(Date.parse(from), Date.parse(to), count, new TimeZone(zone)).map(
      ({ label }) => label,
    );

  it('has as many round times as there is room for', () => {
    assert.deepEqual(labels('2026-11-20T01:00Z', '2026-11-20T23:00Z', 4), [
      '06:00',
      '12:00',
      '18:00',
    ]);
    assert.deepEqual(labels('2026-10-22T00:00Z', '2026-11-20T00:00Z', 6), [
      '10-26',
      '11-02',
      '11-09',
      '11-16',
    ]);
    assert.deepEqual(labels('2026-01-05T00:00Z', '2026-11-20T00:00Z', 4), [
      '2026-04',
      '2026-07',
      '2026-10',
    ]);
    assert.deepEqual(labels('1990-01-05T00:00Z', '2026-11-20T00:00Z', 4), ['2000', '2010', '2020']);
    assert.equal(labels('1926-01-05T00:00Z', '2026-11-20T00:00Z', 4).length, 10);
  });

  it('has midnights of the zone, also where clocks change', () => {
    const from = Date.parse('2026-10-23T22:00Z');
    const ticks = timeTicks(from, from + 73 * hourMs, 3, new TimeZone('Europe/Berlin'));
    assert.deepEqual(
      ticks.map(({ at, label }) => [label, (at - from) / hourMs]),
      [
        ['10-24', 0],
        ['10-26', 49],
      ],
    );
  });
});
