import assert from 'node:assert/strict';
import { distanceBar } from '../../../../src/pages/grid/cells.ts';

const scale = {
  full: 20,
  steps: [
    { upTo: 0, word: 'passed' },
    { upTo: 5, word: 'critical' },
    { upTo: 10, word: 'near' },
  ],
  beyond: 'far',
};

/** The length of the bar, and where its lines are, in hundredths. */
function drawn(cell: string): readonly unknown[] {
  const [length, lines] = distanceBar(cell, scale).values as [number, { values: unknown[] }[]];
  return [length, lines.map(({ values }) => values[0])];
}

describe('the bar of a distance', () => {
  it('is as long as the distance, empty once that is passed, and full at the end of its scale', () => {
    for (const [cell, length] of [
      ['4', 20],
      ['18.08', 90],
      ['20', 100],
      ['35.5', 100],
      ['0', 0],
      ['-2.5', 0],
    ] as const)
      assert.deepEqual(drawn(cell), [length, [25, 50]], cell);
  });
});
