import assert from 'node:assert/strict';
import { lastUpTo, movedCursor, nearest } from '../../../../src/pages/chart/chartCursor.ts';

describe('the cursor of a chart', () => {
  const moved = (key: string, cursor: number | undefined, count = 30) =>
    movedCursor(key, cursor, count);

  it('moves by a point, by a tenth of the chart, and to its ends', () => {
    assert.equal(moved('ArrowRight', 4), 5);
    assert.equal(moved('ArrowLeft', 4), 3);
    assert.equal(moved('PageDown', 4), 7);
    assert.equal(moved('PageUp', 4), 1);
    assert.equal(moved('Home', 4), 0);
    assert.equal(moved('End', 4), 29);
  });

  it('starts at the end that the key comes from', () => {
    assert.equal(moved('ArrowRight', undefined), 0);
    assert.equal(moved('ArrowLeft', undefined), 29);
    assert.equal(moved('PageDown', undefined), 0);
    assert.equal(moved('PageUp', undefined), 29);
  });

  it('stays within the chart', () => {
    assert.equal(moved('ArrowLeft', 0), 0);
    assert.equal(moved('ArrowRight', 29), 29);
    assert.equal(moved('PageDown', 28), 29);
    assert.equal(moved('Home', undefined, 0), undefined);
  });

  it('leaves other keys alone', () => {
    for (const key of ['Tab', 'Enter', 'a']) assert.equal(moved(key, 4), undefined);
  });
});

describe('the point below the mouse', () => {
  it('is the bar that it is in', () => {
    assert.deepEqual(
      [-1, 0, 9, 10, 25, 99].map((place) => lastUpTo(place, Float64Array.of(0, 10, 20))),
      [0, 0, 0, 1, 2, 2],
    );
  });

  it('is the nearest point of a line', () => {
    assert.deepEqual(
      [-1, 4, 6, 15.1, 99].map((place) => nearest(place, Float64Array.of(0, 10, 20))),
      [0, 0, 1, 2, 2],
    );
  });
});
