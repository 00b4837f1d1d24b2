import assert from 'node:assert/strict';
import { checkWalks } from '../../../../support/walkProperties.ts';

describe('a walk over random exchanges', () => {
  it('never claims falsely that it is complete, and returns no row twice', async () => {
    const { honest, complete } = await checkWalks(1, 1000);
    assert.ok(complete >= 0.99 * honest, `${complete} of ${honest}`);
  });
});
