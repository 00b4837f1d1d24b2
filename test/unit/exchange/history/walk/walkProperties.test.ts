import assert from 'node:assert/strict';
import { checkWalk, checkWalks } from '../../../../support/walkProperties.ts';

describe('a walk over random exchanges', () => {
  it('never claims falsely that it is complete, and returns no row twice', async () => {
    const { honest, complete } = await checkWalks(1, 1000);
    assert.ok(complete >= 0.99 * honest, `${complete} of ${honest}`);
  });

  it('keeps to the rules where a longer run of random exchanges found it did not', async () => {
    const ofRule7 = [1_009_926, 2_004_699, 3_003_281, 5_004_723, 41_001_359, 41_006_114];
    const others = [1_016_515, 20_012_545, 20_019_657, 77_001_568];
    for (const seed of [...ofRule7, ...others]) await checkWalk(seed);
  });
});
