import assert from 'node:assert/strict';
import { causes } from '../../../../src/ledger/comparison/comparison.ts';
import { assertClean, assertFound } from '../../../support/comparisonTrials.ts';

describe('the books of a bot beside those of the exchange', function () {
  this.timeout(120_000);

  it('agree if they are clean: floats, local times, contracts, cut decimals', () => {
    for (let seed = 0; seed < 15; seed += 1) assertClean(seed);
  });

  for (const cause of causes)
    it(`differ first where the fault is: ${cause}`, () => {
      for (let seed = 0; seed < 4; seed += 1)
        assert.equal(assertFound(cause, seed).causes[0], cause);
    });

  /** A fault there moves the beginning of the book, and what shows its conventions. */
  const atStart = [
    'feeSign',
    'feeAsset',
    'fillTwice',
    'missingFill',
    'multiplier',
    'rounding',
  ] as const;
  for (const cause of [...atStart, 'zone', 'manual', 'liquidation'] as const)
    it(`differ in their first row: ${cause}`, () => {
      for (let seed = 0; seed < 4; seed += 1)
        assert.equal(assertFound(cause, seed, 'first').causes[0], cause);
    });
});
