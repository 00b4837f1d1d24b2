import assert from 'node:assert/strict';
import { lockedFigures } from '../../../../src/api/fields.ts';
import { bothSides } from '../../../../src/host/text/lockedOrdersText.ts';

describe('the sides of locked orders', () => {
  it('have every figure of the API: a question about cancel-all leaves out none', () => {
    const shown = bothSides().flatMap(({ size, locked }) => [size, locked]);
    assert.deepEqual(shown.toSorted(), lockedFigures.toSorted());
  });
});
