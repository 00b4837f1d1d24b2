import assert from 'node:assert/strict';
import { isFailure, line, type Bar } from '../../../bench/figures.ts';

const figure = (value: number, bar?: Bar) =>
  ({ name: 'a figure', value, unit: 'ms', ...(bar && { bar }) }) as const;

describe('a figure of the bench', () => {
  it('fails the bench by breaking a bar that fails, and no other', () => {
    const bar = { is: 'at most', value: 5 } as const;
    assert.ok(!isFailure(figure(1000)));
    assert.ok(!isFailure(figure(1000, bar)));
    assert.ok(isFailure(figure(6, { ...bar, fails: true })));
    assert.ok(isFailure(figure(4, { is: 'at least', value: 5, fails: true })));
    assert.ok(!isFailure(figure(5, { ...bar, fails: true })));
  });

  it('fails it as a time only far beyond its bar, and says from the bar on that it is over', () => {
    const bar = { is: 'at most', value: 5, fails: { beyond: 50 } } as const;
    const found = [6, 50, 51].map((value) => isFailure(figure(value, bar)));
    assert.deepEqual(found, [false, false, true]);
    assert.match(line(figure(6, bar)), /bar: at most 5, OVER IT; fails beyond 50\)$/);
  });
});
