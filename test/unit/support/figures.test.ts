import assert from 'node:assert/strict';
import { cells, keepsBar, type Bar } from '../../../bench/figures.ts';

const figure = (value: number, bar?: Bar, peers?: Record<string, number>) =>
  ({ name: 'a figure', unit: 'ms', value, ...(bar && { bar }), ...(peers && { peers }) }) as const;

describe('a figure of the bench', () => {
  it('keeps a bound up to and with its value, and has nothing to keep without a bar', () => {
    const kept = [4, 5, 6].map((value) => keepsBar(figure(value, { atMost: 5 })));
    assert.deepEqual(kept, [true, true, false]);
    assert.equal(keepsBar(figure(4, { atLeast: 5 })), false);
    assert.equal(keepsBar(figure(5, { atLeast: 5 })), true);
    assert.equal(keepsBar(figure(1000)), undefined);
  });

  it('is compared with the best of its peers', () => {
    const kept = [20, 21].map((value) =>
      keepsBar(figure(value, { timesPeer: 2 }, { a: 10, b: 90 })),
    );
    assert.deepEqual(kept, [true, false]);
  });

  it('is shown beside its bar and its peers', () => {
    const shown = cells(figure(15, { timesPeer: 2 }, { a: 10, b: 90 }));
    assert.deepEqual(shown, ['a figure', '15.0 ms', '≤ 2 ×', 'a 10.0 ms, b 90.0 ms (1.50 ×)']);
  });
});
