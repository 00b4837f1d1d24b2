import assert from 'node:assert/strict';
import { checkWalk, checkWalks, completeQuietWalks } from '../../../../support/walkProperties.ts';

describe('a walk over random exchanges', () => {
  it('never claims falsely that it is complete, and returns no row twice', async () => {
    const { honest, complete } = await checkWalks(1, 1000);
    assert.ok(complete >= 0.99 * honest, `${complete} of ${honest}`);
  });

  it('proves nine of ten quarters with a few rows, and says of the others why not', async () => {
    assert.ok((await completeQuietWalks(300)) >= 0.9 * 300);
  });

  it('believes no count that is cut to the depth, where a longer run found that it did', async () => {
    const seeds = [
      1_009_926, 2_004_699, 3_003_281, 5_004_723, 41_001_359, 41_006_114, 610_133_962, 610_162_670,
      610_172_718,
    ];
    for (const seed of seeds) await checkWalk(seed);
  });
});
