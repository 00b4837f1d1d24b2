import assert from 'node:assert/strict';
import fc from 'fast-check';
import { barPaths, linePath } from '../../../../src/pages/chart/chartDrawing.ts';
import { linear } from '../../../../src/pages/chart/chartScales.ts';

const numbers = (...values: number[]): Float64Array => Float64Array.from(values);
/** A place is its value: 0 is at 0, and up is down. */
const y = (value: number): number => value;

const line = (x: number[], values: number[], isStepped = false): string =>
  linePath({ x: numbers(...x), values: numbers(...values), y, isStepped, end: 100 });

describe('the path of a line', () => {
  it('joins the points', () => {
    assert.equal(line([0, 10, 20], [1, 2, 3]), 'M0 1L10 2L20 3');
  });

  it('ends at a gap, and shows a single point as a dash', () => {
    assert.equal(line([0, 10, 20, 30], [1, NaN, 3, NaN]), 'M0 1m-2 0h4M20 3m-2 0h4');
    assert.equal(line([0, 10], [NaN, NaN]), '');
  });

  it('stays as it is until the next point if it is stepped', () => {
    assert.equal(line([0, 10], [1, 2], true), 'M0 1H10V2H100');
    assert.equal(line([0, 10, 20], [1, NaN, 3], true), 'M0 1H10M20 3H100');
  });

  it('keeps the first, the last and both extremes of the points in one pixel', () => {
    assert.equal(
      line([0, 0.1, 0.2, 0.3, 0.4, 5], [5, 9, -7, 2, 3, 0]),
      'M0 5L0.1 9L0.2 -7L0.4 3L5 0',
    );
  });

  it('never loses an extreme of many points', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
        const x = values.map((_value, point) => (point / values.length) * 20);
        const drawn = [...line(x, values).matchAll(/[ML][\d.]+ (-?[\d.]+)/g)].map(([, top]) =>
          Number(top),
        );
        assert.equal(Math.max(...drawn), Math.max(...values));
        assert.equal(Math.min(...drawn), Math.min(...values));
      }),
    );
  });
});

const bars = (x: number[], ...series: number[][]) =>
  barPaths({
    x: numbers(...x),
    end: 100,
    y,
    series: series.map((values) => numbers(...values)),
  });

describe('the paths of bars', () => {
  it('stand on zero, above and below', () => {
    assert.deepEqual(bars([0, 50], [10, -20]), [
      { above: 'M1.5 0h47v10h-47z', below: 'M51.5 0h47v-20h-47z' },
    ]);
  });

  it('are not drawn for zero or without a value, and at least a pixel high otherwise', () => {
    assert.deepEqual(bars([0, 25, 50, 75], [0, NaN, 0.01, -0.01]), [
      { above: 'M51.5 0h22v1h-22z', below: 'M76.5 0h22v-1h-22z' },
    ]);
  });

  it('are stacked by their sign', () => {
    assert.deepEqual(bars([0], [10], [-5], [20]), [
      { above: 'M1.5 0h97v10h-97z', below: '' },
      { above: '', below: 'M1.5 0h97v-5h-97z' },
      { above: 'M1.5 10h97v20h-97z', below: '' },
    ]);
  });

  it('keep the highest and the lowest of the bars in one pixel', () => {
    assert.deepEqual(bars([0, 0.2, 0.4, 0.6, 1], [1, 9, -8, -3, 4]), [
      {
        above: 'M0 0h1v9h-1zM2.5 0h96v4h-96z',
        below: 'M0 0h1v-8h-1z',
      },
    ]);
  });
});

describe('a scale', () => {
  it('maps a range without a length to the middle', () => {
    assert.equal(linear([5, 5], [0, 10])(5), 5);
    assert.equal(linear([0, 10], [100, 0])(2), 80);
  });
});
